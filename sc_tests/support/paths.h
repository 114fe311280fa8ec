#pragma once

#include <string>

namespace heddle::test {

/// The folder of the repository.
std::string source_dir();
/// The built program.
std::string program();

}  // namespace heddle::test
