#include "top/text/shown_path.h"

#include <filesystem>

namespace heddle {

namespace fs = std::filesystem;

std::string shown_path(const std::string& path) {
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  if (failed || !fs::path(path).is_absolute()) return path;
  fs::path below = fs::path(path).lexically_normal().lexically_relative(here);
  if (below.empty() || *below.begin() == "..") return path;
  return below.string();
}

}  // namespace heddle
