#pragma once

namespace heddle {

/// Heddle's command line as a whole program, for a `main` of one's own beside policies that register
/// themselves (PolicyRegistration):
///
///     int main(int argc, char** argv) { return heddle::run_main(argc, argv); }
///
/// Returns the exit code. It starts SystemC and brings sc_main with it: a program that has an sc_main of its
/// own calls run_command_line() there instead.
int run_main(int argc, char** argv);

}  // namespace heddle
