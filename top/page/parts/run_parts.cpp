#include <fmt/format.h>

#include "base/input_file.h"
#include "base/limits.h"
#include "top/page/parts/run_part.h"

namespace heddle {

std::optional<nlohmann::json> read_result(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) return std::nullopt;
  try {
    return nlohmann::json::parse(read_input_file(file.string(), limits::kResultBytes));
  } catch (const InputFileError& error) {
    throw ReportError(error.what());
  } catch (const nlohmann::json::parse_error& error) {
    throw ReportError(fmt::format("{}: damaged: {}", file.string(), error.what()));
  }
}

const std::vector<RunPart>& run_parts() {
  static const std::vector<RunPart> kParts{
      {"launches", launches_part},
      {"energy_blocks", energy_part},
  };
  return kParts;
}

}  // namespace heddle
