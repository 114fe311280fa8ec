#include "sc_tests/support/paths.h"

namespace heddle::test {

std::string source_dir() { return HEDDLE_SOURCE_DIR; }
std::string program() { return HEDDLE_PROGRAM; }

}  // namespace heddle::test
