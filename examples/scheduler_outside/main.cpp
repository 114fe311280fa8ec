// Heddle's command line, with the warp schedulers that this program registers beside its own.

#include "top/commands/run_main.h"
#include "top/support/project_files.h"

int main(int argc, char** argv) {
  heddle::ProjectFiles::set_default_home(HEDDLE_DATA_DIR);
  return heddle::run_main(argc, argv);
}
