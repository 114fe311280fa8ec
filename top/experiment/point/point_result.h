#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// A figure of a run as a whole: of stats.json, or of cost.json ("cost.bits_per_sm").
struct PointFigure {
  std::string name;
  std::string unit;
  std::string description;
  nlohmann::json value;  ///< a number
};

/// How a point's process has ended, and what it has left.
struct PointResult {
  std::string id;       ///< PointIdentity
  int code = 0;         ///< exit code; 128 + signal
  std::string message;  ///< the first line of what it had to say
  std::string host;
  double began = 0;  ///< seconds since 1970
  double wall_seconds = 0;
  double cpu_seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
  double cycles_per_second = 0;           ///< core cycles, of the simulation alone; 0: not known
  std::vector<PointFigure> figures = {};  ///< {}: it has left no results
  nlohmann::json details = {};  ///< of stats.json: "launches", "streams", "instances", "energy"; null: none

  bool done() const { return code == 0; }
  /// Its figures are estimates: of some there are half intervals (half_interval_name()).
  bool sampled() const;
  /// As status_of(), but "sampled" of one that is done and sampled.
  std::string status() const;
};

/// Takes what `heddle run` has left in `folder` into `result`; nothing when there is no stats.json. Throws
/// ResultsError when it is damaged.
void read_run_results(const std::string& folder, PointResult& result);
/// The same of what `heddle pairs --format json` has printed.
void read_pairs_results(const std::string& file, PointResult& result);

/// Names of figures of results that stats.json does not have as metrics, but for those of sets of kernels.
std::vector<std::string> further_figure_names();

/// What a run's folder says by itself of how it ended; nothing when it was not seen to its end.
std::optional<int> code_in(const std::string& folder);

/// As a file for another process, and back. from_json throws nlohmann's exceptions.
nlohmann::json to_json(const PointResult& result);
PointResult point_result_of(const nlohmann::json& json);

}  // namespace heddle
