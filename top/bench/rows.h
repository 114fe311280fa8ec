#pragma once

#include <string>
#include <vector>

namespace heddle::bench {

/// A line of the table of speeds.
struct Row {
  std::string name;
  std::string workload;              ///< path from the project's folder
  std::vector<std::string> options;  ///< of `heddle run`
  std::string reference;             ///< the row of workloads/reference/speed.csv; "" for none
};

/// Kernels of workloads/reference that waves, threads and ticking without sleep are timed on too.
const std::vector<std::string>& main_kernels();
/// Kernels of workloads/reference on which other schedulers than gto are timed: one that computes and one
/// that waits for memory.
const std::vector<std::string>& scheduler_kernels();
const std::vector<std::string>& timed_schedulers();
/// On which their cost is compared with gto's: these, one whose MSHRs are full nearly all the time, and one
/// that branches much.
const std::vector<std::string>& compared_kernels();
const std::vector<std::string>& compared_schedulers();

std::string reference_workload(const std::string& kernel);
/// What is timed: first the rows that have a figure of the reference.
std::vector<Row> timed_rows();

}  // namespace heddle::bench
