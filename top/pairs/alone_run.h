#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "top/batch/run_figures.h"

namespace heddle {

/// Of a program with the streams from `begin` up to `end`, as far as there are such: from the first one's
/// arrival to the end of the last one. Core cycles.
std::uint64_t turnaround_of(const std::vector<StreamFigures>& streams, std::size_t begin, std::size_t end);

/// Run times of a workload alone on the GPU, in core cycles.
struct AloneRun {
  static constexpr std::uint64_t kMostCycles = std::uint64_t{1} << 52U;  ///< JSON's readers keep sums exact

  std::vector<StreamFigures> streams;

  /// There are streams; a launch lasts 1 cycle at least, and no longer than its stream; no stream more than
  /// kMostCycles, nor does one arrive later than that.
  bool valid() const;
  /// From the arrival of the first stream to the end of the last. Core cycles.
  std::uint64_t turnaround() const { return turnaround_of(streams, 0, streams.size()); }
};

/// Of a run with streams; nothing when it is not complete, or not valid().
std::optional<AloneRun> alone_run_of(const RunFigures& figures);

/// As JSON, with the `key` that it was found under and a fingerprint of all that; read_alone_run() gives it
/// back. Throws std::invalid_argument when it is not valid().
std::string to_json(const AloneRun& run, const std::string& key);
/// `key` "": any key will do. Nothing when there is no such file, it is damaged or not valid(), or it has
/// another key.
std::optional<AloneRun> read_alone_run(const std::string& file, const std::string& key = "");

}  // namespace heddle
