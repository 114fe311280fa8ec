#pragma once

#include <string>

#include "top/machine/gpu.h"
#include "top/options/options.h"
#include "top/report/stats/stats_json.h"
#include "top/support/output/output_folder.h"
#include "top/timeline/timeline.h"

namespace heddle {

/// The timeline of a run.
class RunTimeline {
 public:
  /// Throws UsageError for an SM that the GPU does not have, OutputError when the file can't be written.
  RunTimeline(Gpu& gpu, const RunOptions& options, const OutputFolder& folder);

  /// See Timeline.
  void look() { timeline_.look(); }
  /// Writes the file, and tells what it leaves out. Throws OutputError.
  void finish(const RunDescription& description, const RunResult& result);
  /// "timeline.json".
  const std::string& name() const { return shown_; }

 private:
  const std::string shown_;
  Timeline timeline_;
};

}  // namespace heddle
