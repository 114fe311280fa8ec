#include "top/bench/rows.h"

namespace heddle::bench {

const std::vector<std::string>& main_kernels() {
  static const std::vector<std::string> kernels{"vecadd", "poly", "scalarprod", "atax_row"};
  return kernels;
}

const std::vector<std::string>& scheduler_kernels() {
  static const std::vector<std::string> kernels{"poly", "vecadd"};
  return kernels;
}

const std::vector<std::string>& timed_schedulers() {
  static const std::vector<std::string> schedulers{"two_level_active", "pro", "oaws_dynamic", "ipaws"};
  return schedulers;
}

const std::vector<std::string>& compared_kernels() {
  static const std::vector<std::string> kernels{"poly", "vecadd", "atax_row", "bfs"};
  return kernels;
}

const std::vector<std::string>& compared_schedulers() {
  static const std::vector<std::string> schedulers{"two_level_active", "pro", "oaws_dynamic", "ipaws",
                                                   "mascar",           "ccws"};
  return schedulers;
}

std::string reference_workload(const std::string& kernel) {
  return "workloads/reference/" + kernel + ".yaml";
}

std::vector<Row> timed_rows() {
  std::vector<std::string> kernels = main_kernels();
  for (const char* kernel : {"stream_read", "atax_col", "bfs", "matmul256", "blackscholes"}) {
    kernels.emplace_back(kernel);
  }
  std::vector<Row> rows;
  for (const std::string& kernel : kernels) rows.push_back({kernel, reference_workload(kernel), {}, kernel});
  rows.push_back({"short_launches", reference_workload("short_launches"), {}, ""});
  for (const std::string& kernel : scheduler_kernels()) {
    for (const std::string& scheduler : timed_schedulers()) {
      rows.push_back({kernel + " " + scheduler, reference_workload(kernel), {"--scheduler", scheduler}, ""});
    }
  }
  for (const std::string kernel :
       {"matrix_multiply", "bfs", "histogram", "hotspot", "spmv", "black_scholes"}) {
    rows.push_back({"kernels/" + kernel, "workloads/kernels/" + kernel + "/" + kernel + ".yaml", {}, ""});
  }
  // Ticking everything at every cycle takes long where most of the machine would sleep.
  for (const std::string& kernel : main_kernels()) {
    rows.push_back(
        {kernel + " --no-sleep", reference_workload(kernel), {"--no-sleep", "--max-cycles", "20000"}, ""});
  }
  return rows;
}

}  // namespace heddle::bench
