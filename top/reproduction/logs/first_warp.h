#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace heddle {

/// What a run had counted when its first warp ended: of what its records (thread_blocks.json,
/// intervals.sqlite) tell, up to the end of that interval.
class FirstWarp {
 public:
  /// Names of such figures: "until_first_warp.sm.l1d.loads".
  static constexpr const char* kPrefix = "until_first_warp.";

  /// `records`: the folder of the run's records. Throws ResultsError when they are damaged.
  explicit FirstWarp(std::filesystem::path records);

  /// The count called `metric` in stats.json; nothing when there are no such records, or no intervals of it.
  std::optional<double> value(const std::string& metric) const;

 private:
  std::filesystem::path intervals_;
  std::optional<std::uint64_t> end_;  ///< the core cycle in which the first warp ended
};

}  // namespace heddle
