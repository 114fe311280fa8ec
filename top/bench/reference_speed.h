#pragma once

#include <istream>
#include <map>
#include <string>

namespace heddle::bench {

/// Warp instructions per CPU second of the reference simulator under the scheduler `scheduler`, by kernel:
/// the column warpinst_per_cpu_s of workloads/reference/gpgpusim.csv. Throws std::runtime_error for a missing
/// column or a malformed row.
std::map<std::string, double> read_reference_speeds(std::istream& csv, const std::string& scheduler);

}  // namespace heddle::bench
