#pragma once

#include <optional>
#include <string>

#include "top/pairs/alone_run.h"

namespace heddle {

/// Run times of workloads alone, kept between runs of the program: a file per key in a folder, which several
/// processes may use. Files are written whole; a damaged one counts as absent.
class AloneCache {
 public:
  /// `folder` "": $XDG_CACHE_HOME/heddle/alone, or ~/.cache/heddle/alone; without either nothing is kept.
  explicit AloneCache(const std::string& folder);

  /// Where the run times under `key` are, or would be.
  std::string file_of(const std::string& key) const;
  std::optional<AloneRun> find(const std::string& key) const;
  /// Whether it could be written.
  bool store(const std::string& key, const AloneRun& run) const;

  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

}  // namespace heddle
