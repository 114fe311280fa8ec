#pragma once

#include <map>
#include <string>
#include <vector>

#include "modules/config/gpu_config.h"
#include "top/catalog/workload_shape.h"
#include "top/support/project_files.h"
#include "top/text/table.h"
#include "workloads/papers/paper_tables.h"

namespace heddle {

/// The rows of all papers, in the order of their files. Throws WorkloadError.
std::vector<PaperEntry> all_paper_entries(const ProjectFiles& files);

/// The size in which a workload stands for the papers: `paper`, or "" when it has none.
std::string paper_size(const Workload& workload);

/// A paper's entry beside the launch of ours that stands for it.
struct PaperMatch {
  PaperEntry entry;
  bool exists = false;  ///< the workload is there; else nothing of the rest is known
  std::string size;
  LaunchShape launch;

  /// Which of the figures that the paper gives ours does not have: "TBs", "threads", "resident", "registers",
  /// "shared memory". Registers are the same when they are as many per thread after the hardware's rounding.
  std::vector<std::string> differences(const CoreConfig& core) const;
};

/// Throws WorkloadError at an entry whose workload has no such size, or no launch of that kernel, and as
/// shape_of().
std::vector<PaperMatch> match_papers(const ProjectFiles& files, const GpuConfig& config);

/// What `heddle list papers` prints.
Table paper_table(const std::vector<PaperMatch>& matches, const CoreConfig& core);

}  // namespace heddle
