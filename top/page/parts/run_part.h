#pragma once

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace heddle {

/// What a section of the page needs of a run beside its metrics.
struct RunPart {
  const char* name;  ///< a key of the run in the page's data, `run.name` in its scripts
  /// Reads it from the run's folder (read_result()), or takes it from its stats.json; null, and there is no
  /// such key, when the run has nothing of the kind. May throw ResultsError, or nlohmann::json::exception,
  /// which is told as a damaged result.
  nlohmann::json (*read)(const std::filesystem::path& folder, const nlohmann::json& stats);
  /// It is read of so many runs that have it, the first, and then of none: a page has to stay small.
  std::size_t most_runs = std::numeric_limits<std::size_t>::max();
  bool of_log = false;  ///< it is of a log, which timed pairs have, too; then `stats` may be empty
};

/// All of them: a new section's part is a file of this folder, and a line in run_parts.cpp.
const std::vector<RunPart>& run_parts();

nlohmann::json launches_part(const std::filesystem::path& folder, const nlohmann::json& stats);
/// Of a page's runs with many launches leaves the longest of each ("launches_left_out" says how many went),
/// and of the launches of several runs what pages of several show.
void fit_launches(nlohmann::json& runs);
nlohmann::json energy_part(const std::filesystem::path& folder, const nlohmann::json& stats);
nlohmann::json streams_part(const std::filesystem::path& folder, const nlohmann::json& stats);
nlohmann::json thread_blocks_part(const std::filesystem::path& folder, const nlohmann::json& stats);
nlohmann::json predictions_part(const std::filesystem::path& folder, const nlohmann::json& stats);
nlohmann::json intervals_part(const std::filesystem::path& folder, const nlohmann::json& stats);
nlohmann::json timeline_part(const std::filesystem::path& folder, const nlohmann::json& stats);
nlohmann::json profile_part(const std::filesystem::path& folder, const nlohmann::json& stats);
nlohmann::json profile_detail_part(const std::filesystem::path& folder, const nlohmann::json& stats);
nlohmann::json source_part(const std::filesystem::path& folder, const nlohmann::json& stats);

}  // namespace heddle
