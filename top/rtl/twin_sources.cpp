#include "top/rtl/twin_sources.h"

#include <fmt/format.h>

#include <filesystem>

#include "top/rtl/rtl_error.h"

namespace heddle {

std::string TwinSources::path_of(const std::string& file) const {
  const std::string path = (std::filesystem::path(folder_) / file).string();
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) return path;
  throw RtlError(
      fmt::format("{} is not there, of which the twin is made: --rtl-sources names the folder of the "
                  "SystemVerilog that comes with Heddle",
                  path));
}

}  // namespace heddle
