#include "top/options/help_text.h"

namespace heddle {

const char* general_help() {
  return R"(Heddle simulates a Fermi-like GPU cycle by cycle and runs PTX kernels on it.

Usage:
  heddle run WORKLOAD... [options]           run a workload, or several at once, and check the output
  heddle cost [options]                      what the scheduler is built of, and what it costs
  heddle compare WORKLOAD... [options]       schedulers, or ideal and hardware timing, side by side
  heddle sweep WORKLOAD... --set KEY=V1,V2... cycles, IPC and cost for each combination of values
  heddle report DIR... [-o FILE.html]        charts of the results in a folder, as one HTML file
  heddle check FILE...                       validate configurations, workloads and PTX without running
  heddle config show [options]               print the complete configuration
  heddle list schedulers|configs|workloads|dispatch_policies|resource_managements|contention_controls
                                             what there is to choose from
  heddle pairs WORKLOAD... [options]         pairs of kernels under the thread-block dispatch policies
  heddle COMMAND --help                      options and examples of a command
  heddle --version

Examples:
  heddle run vector_add
  heddle run atax --config gtx480 --scheduler lrr --out /tmp/atax
  heddle compare atax bfs --scheduler gto,lrr
  heddle check my_kernel.ptx my_workload.yaml
  heddle config show --set core.sms=4

Exit codes:
  0    success
  1    the run is complete, but an output differs from its reference
  2    the command line is wrong
  3    bad input: a configuration, workload or PTX file, or a kernel that does not fit on an SM
  4    fault of the simulated program: address out of bounds, misaligned access, trap
  5    deadlock of the simulated program
  6    results can't be written, or those read are of another run
  7    --max-cycles was reached
  8    heddle cost: unpriced, a policy of the scheduler is built of no parts
  9    out of memory
  10   the memory budget (--max-memory) was used up
  11   --max-seconds was reached
  12   deadlock of a policy: it holds back warps or thread blocks that could go on
  70   a defect of the simulator
  130  interrupted (Ctrl-C); results so far are written and marked partial

HEDDLE_HOME names the folder in which named workloads and configurations are looked up; without it, that is
share/heddle beside the folder of the program.
)";
}

const char* run_help() {
  return R"(Usage: heddle run WORKLOAD... [options]

Runs the kernels of a workload on the simulated GPU, verifies their outputs, prints a summary and writes
stats.json, cost.json, speed.json and run.json. WORKLOAD is a YAML file or the name of a workload (`heddle list workloads`), also with a
size, NAME:SIZE. Several workloads run at the same time on one GPU, each in a stream of its own.

Examples:
  heddle run vector_add
  heddle run atax --scheduler two_level_active --set core.sms=4
  heddle run matrix_multiply --size large --out /tmp/mm
  heddle run vector_add --param n=4096 --max-cycles 1000000
  heddle run atax --vcd --vcd-window 1000:3000 --vcd-scope 'sm0.*' --vcd-scope 'tb_dispatcher.*'
  heddle run my_workload.yaml --functional
  heddle run atax hotspot:large --config srtf --arrival 0 --arrival 1000 --set tb_dispatcher.policy=srtf --tb-log

)";
}

const char* cost_help() {
  return R"(Usage: heddle cost [options]

Prints what the configuration's warp scheduler is built of and what that costs: for each structure its entries,
bits, ports, comparators, adders, selection logic, cycles and logic depth; totals in bits and NAND2-equivalents;
area and energy in a technology. Nothing is simulated; `heddle run` adds what the parts did to its cost.json.
docs/hardware-parts.md tells where the figures come from and how far they can be trusted.

Examples:
  heddle cost --scheduler gto
  heddle cost --config gtx480 --scheduler gto --set scheduler.timing=hardware --format csv
  heddle cost --technology osu018 --format json
  heddle cost --technology my_cells.yaml:typical

)";
}

const char* compare_help() {
  return R"(Usage: heddle compare WORKLOAD... --scheduler NAME,NAME... [options]
       heddle compare WORKLOAD... --timing [--scheduler NAME,...] [options]

Runs each workload, as NAME or NAME:SIZE, under each scheduler and prints the rounds of its TBs, cycles, IPC, where the
scheduler cycles went, and the speedup over the first scheduler; after several workloads the geometric means, and in how
many a scheduler is faster than the first, level with it (within 1%) and slower. With --timing each scheduler runs in
ideal and in hardware timing of its parts: IPC under both, length of its sorts, how often its order was stale,
and how often a part was the bottleneck. Each run is a process of its own, two at a time.

Examples:
  heddle compare atax bfs --scheduler gto,lrr
  heddle compare atax --scheduler gto,two_level_active --set core.sms=4 --format csv
  heddle compare atax --timing --scheduler gto

)";
}

const char* report_help() {
  return R"(Usage: heddle report DIR... [-o FILE.html]

Makes one HTML file of the results in a folder: of a run, or of a folder with runs (compare, sweep, pairs). It opens
without a network and shows a verdict, speed-ups, issue slots by cause, occupancy, caches, the lives of memory requests,
a roofline, energy, what the schedulers cost, and what of the configuration is not the default; behind each chart is a
table of its numbers, and each can be saved as SVG and PNG. Two folders are compared, and what differs is marked.

Examples:
  heddle report heddle-out/atax
  heddle report heddle-out/compare -o figures.html
  heddle report before after

)";
}

const char* sweep_help() {
  return R"(Usage: heddle sweep WORKLOAD... --set KEY=V1,V2... [--set ...] [options]

Runs each workload, as NAME or NAME:SIZE, for each combination of the values, and prints cycles, IPC and what the
scheduler costs; after several workloads the geometric means, and in how many a point is faster than the first, level
with it (within 1%) and slower. Keys with one value are the same for all; the key `config` stands for --config. Each run
is a process of its own, two at a time.

Examples:
  heddle sweep atax --set scheduler.two_level_active.active_warps=4,6,8 --scheduler two_level_active
  heddle sweep rays --set core.resources.management=tb,warp_temporal,warp_temporal_spatial --metric rtru
  heddle sweep bfs --set l1d.mshr.entries=16,32 --set l1d.cache.ways=2,4 --set core.sms=4 --format csv

)";
}

const char* check_help() {
  return R"(Usage: heddle check FILE...

Validates files without running them: a configuration, a workload (with its PTX) or a PTX file, told apart by
their contents. Names the first error of each file; of PTX, for each kernel whether it can be launched.

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

const char* pairs_help() {
  return R"(Usage: heddle pairs WORKLOAD [options]
       heddle pairs WORKLOAD WORKLOAD... [options]

Runs pairs of kernels, or more at once, under each dispatch policy and prints system throughput (STP), mean slowdown
(ANTT), fairness (StrictF), and how long kernels waited to be sampled and for room. The configuration is that of SRTF's
paper unless --config says otherwise.

One workload, of kind `timed`: all ordered pairs of its kernels, whose thread blocks last drawn times, on the
thread-block dispatcher and the resources of the SMs, beside the published figures that the workload names.

Other workloads, as NAME or NAME:SIZE: each pair of them, in the order given, runs on the whole GPU; one alone beside
itself. How long each takes alone is found out first, and kept.

Examples:
  heddle pairs ercbench
  heddle pairs ercbench --arrival 25% --arrival 50% --format md
  heddle pairs ercbench --policy srtf,fifo --interference 1 --repetitions 5
  heddle pairs matrix_multiply:large black_scholes --policy fifo,srtf --arrival 100,25% --both-orders
  heddle pairs hotspot black_scholes scalar_product --together 3 --arrival 0-100 --repetitions 3 --tb-log

)";
}

const char* list_help() {
  return R"(Usage: heddle list schedulers|configs|workloads
       heddle list dispatch_policies|resource_managements|contention_controls

Examples:
  heddle list schedulers
  heddle list workloads

)";
}

}  // namespace heddle
