#include "top/commands/run_main.h"

/// Replaces libsystemc's own, which would call sc_main at once.
int main(int argc, char** argv) { return heddle::run_main(argc, argv); }
