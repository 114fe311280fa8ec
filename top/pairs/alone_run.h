#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// Run times of a workload alone on the GPU, in core cycles.
struct AloneRun {
  struct Stream {
    std::uint64_t cycles = 0;             ///< from its arrival to the end of its last launch
    std::vector<std::uint64_t> launches;  ///< likewise, of each launch in order
  };
  std::vector<Stream> streams;
};

/// From the stats.json of a run with streams; nothing when there is none, or the run is not complete.
std::optional<AloneRun> alone_run_of(const std::string& stats_file);

/// As JSON, with the `key` that it was found under; read_alone_run() gives it back. `key` "": any key will
/// do. Nothing when there is no such file, it is damaged, or it has another key.
std::string to_json(const AloneRun& run, const std::string& key);
std::optional<AloneRun> read_alone_run(const std::string& file, const std::string& key = "");

}  // namespace heddle
