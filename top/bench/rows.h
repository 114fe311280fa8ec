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
/// Kernels of workloads/reference on which schedulers are compared with gto: one that computes and one that
/// waits for memory.
const std::vector<std::string>& scheduler_kernels();
/// Schedulers that are compared with gto.
const std::vector<std::string>& compared_schedulers();

std::string reference_workload(const std::string& kernel);
/// What is timed: first the rows that have a figure of the reference.
std::vector<Row> timed_rows();

}  // namespace heddle::bench
