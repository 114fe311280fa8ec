#pragma once

#include <string>

namespace heddle {

/// Whether inputs may name files anywhere (docs/security.md). Not at first.
void allow_files_outside(bool allowed);
bool files_outside_allowed();

/// Files in the folder and below may be named by every input: what comes with Heddle.
void trust_folder(const std::string& folder);

/// The path of the file that an input, the file `by`, calls `named`: relative to the folder of `by`. With
/// links resolved it must lie in the folder of `root`, the file that the user named, or below, or in a folder
/// that is trusted; else throws InputFileError. Whether it is there is not looked at.
std::string resolve_input(const std::string& by, const std::string& named, const std::string& root);
inline std::string resolve_input(const std::string& by, const std::string& named) {
  return resolve_input(by, named, by);
}

}  // namespace heddle
