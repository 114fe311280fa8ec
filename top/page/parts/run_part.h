#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <vector>

namespace heddle {

/// A folder without results, or with damaged ones. what() names the file.
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The JSON in a result file; nothing when there is no such file. Throws ReportError when it is damaged, or
/// larger than limits::kResultBytes.
std::optional<nlohmann::json> read_result(const std::filesystem::path& file);

/// What a section of the page needs of a run beside its metrics.
struct RunPart {
  const char* name;  ///< a key of the run in the page's data, `run.name` in its scripts
  /// Reads it from the run's folder, or takes it from its stats.json; null, and there is no such key, when
  /// the run has nothing of the kind. May throw ReportError, or nlohmann::json::exception, which is told as a
  /// damaged result.
  nlohmann::json (*read)(const std::filesystem::path& folder, const nlohmann::json& stats);
};

/// All of them: a new section's part is a file of this folder, and a line in run_parts.cpp.
const std::vector<RunPart>& run_parts();

nlohmann::json launches_part(const std::filesystem::path& folder, const nlohmann::json& stats);
nlohmann::json energy_part(const std::filesystem::path& folder, const nlohmann::json& stats);

}  // namespace heddle
