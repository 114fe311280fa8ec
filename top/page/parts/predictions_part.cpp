#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_file.h"
#include "base/limits.h"
#include "top/page/parts/run_part.h"
#include "top/support/results.h"

namespace heddle {

namespace {

constexpr std::size_t kMostPredictions = 3000;  ///< of a run that are drawn

constexpr std::string_view kHead = "cycle,launch,kernel,sm,tb_cycles,predicted_cycles,actual_cycles";
enum Column : std::uint8_t { kCycle, kLaunch, kKernel, kSm, kTbCycles, kPredicted, kActual, kColumns };

std::array<std::string_view, kColumns> fields_of(std::string_view line) {
  std::array<std::string_view, kColumns> fields;
  for (std::string_view& field : fields) {
    const std::size_t comma = line.find(',');
    field = line.substr(0, comma);
    line.remove_prefix(comma == std::string_view::npos ? line.size() : comma + 1);
  }
  return fields;
}

std::uint64_t number_in(std::string_view field, const std::string& file) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || field.empty()) {
    throw ResultsError(fmt::format("{}: damaged: expected a number of cycles, found '{}'", file, field));
  }
  return value;
}

}  // namespace

/// Of predictions.csv, which --tb-log writes: those of launches that ended, as columns.
nlohmann::json predictions_part(const std::filesystem::path& folder, const nlohmann::json& /*stats*/) {
  const std::string file = (folder / "predictions.csv").string();
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) return nullptr;
  std::string text;
  try {
    text = read_input_file(file, limits::kResultBytes);
  } catch (const InputFileError& error) {
    throw ResultsError(error.what());
  }
  std::string_view rest = text;
  const auto next_line = [&rest] {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return line;
  };
  if (next_line() != kHead) throw ResultsError(fmt::format("{}: damaged: expected '{}' first", file, kHead));
  nlohmann::json shown;
  for (const char* const column : {"kernel", "sm", "cycle", "predicted", "actual"})
    shown[column] = nlohmann::json::array();
  std::size_t left_out = 0;
  while (!rest.empty()) {
    const auto fields = fields_of(next_line());
    if (fields[kActual].empty()) continue;  // its launch did not end
    if (shown["sm"].size() == kMostPredictions) {
      ++left_out;
      continue;
    }
    shown["kernel"].push_back(std::string(fields[kKernel]));
    shown["sm"].push_back(number_in(fields[kSm], file));
    shown["cycle"].push_back(number_in(fields[kCycle], file));
    shown["predicted"].push_back(number_in(fields[kPredicted], file));
    shown["actual"].push_back(number_in(fields[kActual], file));
  }
  shown["left_out"] = left_out;
  return shown["sm"].empty() ? nlohmann::json() : shown;
}

}  // namespace heddle
