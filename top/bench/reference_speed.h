#pragma once

#include <istream>
#include <map>
#include <string>

namespace heddle::bench {

/// A figure in a table of what the reference simulator reported, by the headings of its columns.
struct ReferenceFigure {
  std::string kernel;
  std::string scheduler;
  std::string figure;
};

/// Of workloads/reference/speed.csv: warp instructions per time of the fixed computation (Yardstick).
inline const ReferenceFigure kReferenceSpeed{"row", "scheduler", "reference_warp_instructions_per_yardstick"};
/// Of workloads/reference/gpgpusim.csv: simulated cycles per CPU second, of a busier hour.
inline const ReferenceFigure kReferenceCycleSpeed{"desc", "sched", "cycle_per_cpu_s"};

/// The figure under the scheduler `scheduler` by kernel. Throws std::runtime_error for a missing column or a
/// malformed row.
std::map<std::string, double> read_reference(std::istream& csv, const ReferenceFigure& figure,
                                             const std::string& scheduler);

}  // namespace heddle::bench
