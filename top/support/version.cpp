#include "top/support/version.h"

namespace heddle {

// commit() is in a file of its own, which cmake/WriteCommit.cmake writes at each build.

const char* version() { return HEDDLE_VERSION; }

std::string version_text() { return std::string(version()) + " (commit " + commit() + ")"; }

}  // namespace heddle
