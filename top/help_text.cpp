#include "top/help_text.h"

namespace heddle {

const char* general_help() {
  return R"(Heddle simulates a Fermi-like GPU cycle by cycle and runs PTX kernels on it.

Usage:
  heddle run WORKLOAD [options]              run a workload and check its output
  heddle check FILE...                       validate configurations, workloads and PTX without running
  heddle config show [options]               print the complete configuration
  heddle list schedulers|configs|workloads   what there is to choose from
  heddle COMMAND --help                      options and examples of a command
  heddle --version

Examples:
  heddle run vector_add
  heddle run atax --config gtx480 --scheduler lrr --out /tmp/atax
  heddle check my_kernel.ptx my_workload.yaml
  heddle config show --set core.sms=4

Exit codes:
  0    success
  1    the run is complete, but an output differs from its reference
  2    the command line is wrong
  3    bad input: a configuration, workload or PTX file, or a kernel that does not fit on an SM
  4    fault of the simulated program: address out of bounds, misaligned access, trap
  5    deadlock of the simulated program
  6    results can't be written
  7    --max-cycles was reached
  70   a defect of the simulator
  130  interrupted (Ctrl-C); results so far are written and marked partial

HEDDLE_HOME is the project folder in which named workloads and configurations are looked up; without it, the
folder that heddle was built from.
)";
}

const char* run_help() {
  return R"(Usage: heddle run WORKLOAD [options]

Runs the kernels of a workload on the simulated GPU, verifies their outputs, prints a summary and writes
stats.json. WORKLOAD is a YAML file or the name of a workload (`heddle list workloads`).

Examples:
  heddle run vector_add
  heddle run atax --scheduler two_level_active --set core.sms=4
  heddle run matrix_multiply --size large --out /tmp/mm
  heddle run vector_add --param n=4096 --max-cycles 1000000
  heddle run atax --vcd --vcd-window 1000:3000 --vcd-scope 'sm0.*' --vcd-scope 'tb_dispatcher.*'
  heddle run my_workload.yaml --functional

)";
}

const char* check_help() {
  return R"(Usage: heddle check FILE...

Validates files without running them: a configuration, a workload (with its PTX) or a PTX file, told apart by
their contents. Names the first error of each file.

Examples:
  heddle check configs/gtx480.yaml
  heddle check my_workload.yaml my_kernel.ptx

)";
}

const char* config_help() {
  return R"(Usage: heddle config show [options]

Prints every configuration key with its value, as YAML that --config reads back; values that differ from the
default are marked.

Examples:
  heddle config show
  heddle config show --config gtx480 --set l1d.mshr.entries=32
  heddle config show --describe > my_gpu.yaml

)";
}

const char* list_help() {
  return R"(Usage: heddle list schedulers|configs|workloads

Examples:
  heddle list schedulers
  heddle list workloads

)";
}

}  // namespace heddle
