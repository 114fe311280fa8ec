#include "base/input_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <system_error>
#include <vector>

#include "base/input_file.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

bool outside_allowed = false;

std::vector<fs::path>& trusted() {
  static std::vector<fs::path> folders;
  return folders;
}

/// Both without links, "." and "..".
bool is_within(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// Links resolved as far as there are files.
/// A lack of memory is nothing that is wrong with the file.
void throw_if_out_of_memory(const std::error_code& error) {
  if (error == std::errc::not_enough_memory) throw std::bad_alloc();
}

fs::path real_path(const fs::path& path) { return fs::weakly_canonical(fs::absolute(path)); }

}  // namespace

void allow_files_outside(bool allowed) { outside_allowed = allowed; }

bool files_outside_allowed() { return outside_allowed; }

void trust_folder(const std::string& folder) {
  std::error_code failed;
  const fs::path real = fs::canonical(folder, failed);
  throw_if_out_of_memory(failed);
  if (!failed && std::find(trusted().begin(), trusted().end(), real) == trusted().end()) {
    trusted().push_back(real);
  }
}

std::string resolve_input(const std::string& by, const std::string& named, const std::string& root) {
  const std::string path = (fs::path(by).parent_path() / named).lexically_normal().string();
  if (outside_allowed) return path;
  fs::path allowed;
  try {
    const fs::path real = real_path(path);
    allowed = real_path(fs::absolute(root).parent_path());
    const auto holds = [&real](const fs::path& folder) { return is_within(real, folder); };
    if (holds(allowed) || std::any_of(trusted().begin(), trusted().end(), holds)) return path;
  } catch (const fs::filesystem_error& error) {
    throw_if_out_of_memory(error.code());
    throw InputFileError(named, "can't be read: " + error.code().message());
  }
  throw InputFileError(named, fmt::format("lies outside of '{}', the folder of the file that names it; "
                                          "--allow-outside permits that",
                                          allowed.string()));
}

}  // namespace heddle
