#pragma once

#include <string>

namespace heddle {

/// "MAJOR.MINOR.PATCH", of project() in CMakeLists.txt.
const char* version();

/// The commit that the library was built from, as `git describe --always --dirty --abbrev=12` names it:
/// "-dirty" at its end says that files differed from it. "unknown" when it was not built in a checkout.
const char* commit();

/// "VERSION (commit COMMIT)": what `heddle --version` prints after the name.
std::string version_text();

}  // namespace heddle
