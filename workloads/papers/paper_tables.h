#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workloads/description/workload_error.h"

namespace heddle {

/// A row of a paper's table of benchmarks: what the paper says of one of its kernels, and which launch of
/// which workload stands for it here (docs/workloads.md, "The papers' tables").
struct PaperEntry {
  SourceMark mark;
  std::string paper;  ///< "PRO"
  std::string table;  ///< "II"
  std::string suite;
  std::string benchmark;
  std::string kernel;  ///< "": the paper does not name it
  std::string type;  ///< "GTO-friendly", "RR-friendly", "neutral", "divergent", "coherent", or "": none given
  std::optional<std::uint64_t> tbs;
  std::optional<std::uint64_t> threads_per_tb;
  std::optional<std::uint64_t> warps_per_tb;
  std::optional<std::uint64_t> resident_tbs;    ///< of an SM
  std::optional<std::uint64_t> resident_warps;  ///< of an SM
  std::optional<std::uint64_t> registers_per_tb;
  std::optional<std::uint64_t> shared_bytes;  ///< of a TB
  std::optional<std::uint64_t> swl_warps;     ///< with which static wavefront limiting is best
  std::string note;
  std::string workload;
  std::string launch;  ///< the kernel; "": that of the launch with the most rounds of TBs
  std::string size;    ///< "": `paper` where there is one
  std::string
      few_rounds;  ///< why the workload's size `paper` has less than eight rounds of TBs; "": it has not
};

/// The rows of one paper's file, in its order. Throws WorkloadError.
std::vector<PaperEntry> load_paper_tables(const std::string& path);

}  // namespace heddle
