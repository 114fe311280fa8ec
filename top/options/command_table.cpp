#include "top/options/command_table.h"

namespace heddle {

const std::vector<CommandEntry>& command_table() {
  using namespace option_parser;
  static const std::vector<CommandEntry> kCommands{
      {"run",
       "run a workload, or several at once, and check the output",
       {"run WORKLOAD... [options]"},
       R"(Runs the kernels of a workload on the simulated GPU, verifies their outputs, prints a summary and writes
stats.json, cost.json, speed.json and run.json. WORKLOAD is a YAML file or the name of a workload (heddle list
workloads), also with a size, NAME:SIZE. Several workloads run at the same time on one GPU, each in a stream of its own.)",
       {"run vector_add", "run atax --scheduler two_level_active --set core.sms=4",
        "run matrix_multiply --size large --out /tmp/mm",
        "run vector_add --param n=4096 --max-cycles 1000000",
        "run atax --vcd --vcd-window 1000:3000 --vcd-scope 'sm0.*' --vcd-scope 'tb_dispatcher.*'",
        "run my_workload.yaml --functional",
        "run atax hotspot:large --config srtf --arrival 0 --arrival 1000 --set tb_dispatcher.policy=srtf "
        "--tb-log"},
       Operands::kWorkloads,
       {},
       &run_options_table,
       &parse_run},
      {"compare",
       "schedulers, or ideal and hardware timing, side by side",
       {"compare WORKLOAD... --scheduler NAME,NAME... [options]",
        "compare WORKLOAD... --timing [--scheduler NAME,...] [options]"},
       R"(Runs each workload, as NAME or NAME:SIZE, under each scheduler and prints cycles, IPC, the speedup over the first
scheduler, where the scheduler cycles went, by what causes the time differs from the first one's, and what the scheduler
costs; after several workloads the geometric means, and in how many a scheduler is faster than the first, level with it
(within 1%) and slower. With --timing each scheduler runs in ideal and in hardware timing of its parts: IPC under both,
length of its sorts, how often its order was stale, and how often a part was the bottleneck. Each run is a process of
its own; as many run at once as there are processors, or --jobs.)",
       {"compare hotspot matrix_multiply --scheduler gto,lrr",
        "compare hotspot --scheduler gto,two_level_active --set core.sms=4 --format csv",
        "compare spmv --scheduler gto,pro --vcd-window 2000:3000 --vcd-scope 'sm0.*'",
        "compare hotspot --timing --scheduler gto,pro"},
       Operands::kWorkloads,
       {},
       &compare_options_table,
       &parse_compare},
      {"sweep",
       "cycles, IPC and cost for each combination of values",
       {"sweep WORKLOAD... --set KEY=V1,V2... [--set ...] [options]", "sweep EXPERIMENT [options]"},
       R"(Runs each workload, as NAME or NAME:SIZE, for each combination of the values, and prints cycles, IPC and what the
scheduler costs; after several workloads the geometric means, and in how many a point is faster than the first, level
with it (within 1%) and slower. Keys with one value are the same for all; the key config stands for --config. Each run
is a process of its own; as many run at once as there are processors, or --jobs.

EXPERIMENT is a YAML file (docs/experiments.md) that lists workloads, machines, schedulers and values, with exceptions
and limits. Results go to a database; what it has is not run again, so that the same command goes on after whatever
ended it. A point that fails keeps its reason and does not stop the others. heddle results shows and exports them.)",
       {"sweep atax --set scheduler.two_level_active.active_warps=4,6,8 --scheduler two_level_active",
        "sweep rays --set core.resources.management=tb,warp_temporal,warp_temporal_spatial --metric rtru",
        "sweep bfs --set l1d.mshr.entries=16,32 --set l1d.cache.ways=2,4 --set core.sms=4 --format csv",
        "sweep experiment.yaml --db results.sqlite --jobs 4",
        "sweep experiment.yaml --executor slurm --shared /scratch/me --partition short --time 30:00"},
       Operands::kWorkloads,
       {},
       &sweep_options_table,
       &parse_sweep},
      {"results",
       "what a database of results has",
       {"results list|failed [POINT...] [options]", "results export [--wide] [options]",
        "results forget POINT...|--where NAME=GLOB|--experiment NAME"},
       R"(Looks at the database that heddle sweep EXPERIMENT fills: lists its points with their figures, or those that
failed with their reasons, exports figures as CSV (a row for each figure, or with --wide for each point), and removes
points, which then run again. POINT is the beginning of a point's name.)",
       {"results list --where 'workload=bfs*' --metric cycles,ipc_warp", "results failed --db results.sqlite",
        "results export --experiment figure4 --wide > figure4.csv",
        "results forget --where 'status=time limit'"},
       Operands::kWords,
       {"list", "failed", "export", "forget"},
       &results_options_table,
       &parse_results},
      {"reproduce",
       "a paper's figures and tables, beside what it says",
       {"reproduce pro|warpman|srtf|ipaws|oaws|study [--figure N,...] [--quick] [options]"},
       R"(Runs what a paper's figures and tables need (experiments/), prints for each our values, the paper's where its
text or tables give them, and the ratio, and writes a page with pictures. A database keeps the runs: what it has is not run
again, and the same command goes on after an interruption. Full size takes hours; --quick takes minutes.
docs/reproduction.md has the form of the definitions.)",
       {"reproduce pro --quick", "reproduce oaws --figure 8 --figure 13 --jobs 4",
        "reproduce warpman --executor slurm --shared /scratch/me --partition short",
        "reproduce ipaws --no-run --format csv"},
       Operands::kWords,
       {"pro", "warpman", "srtf", "ipaws", "oaws", "study"},
       &reproduce_options_table,
       &parse_reproduce},
      {"pairs",
       "pairs of kernels under the thread-block dispatch policies",
       {"pairs WORKLOAD [options]", "pairs WORKLOAD WORKLOAD... [options]"},
       R"(Runs pairs of kernels, or more at once, under each dispatch policy and prints system throughput (STP), mean
slowdown (ANTT), fairness (StrictF), and how long kernels waited to be sampled and for room. The configuration is that of
SRTF's paper unless --config says otherwise.

One workload, of kind timed: all ordered pairs of its kernels, whose thread blocks last drawn times, on the thread-block
dispatcher and the resources of the SMs, beside the published figures that the workload names.

Other workloads, as NAME or NAME:SIZE: each pair of them, in the order given, runs on the whole GPU; one alone beside
itself. How long each takes alone is found out first, and kept.)",
       {"pairs ercbench", "pairs ercbench --arrival 25% --arrival 50% --format markdown",
        "pairs ercbench --policy srtf,fifo --interference 1 --repetitions 5",
        "pairs matrix_multiply:large black_scholes --policy fifo,srtf --arrival 100,25% --both-orders",
        "pairs hotspot black_scholes scalar_product --together 3 --arrival 0-100 --repetitions 3 --tb-log"},
       Operands::kWorkloads,
       {},
       &pairs_options_table,
       &parse_pairs},
      {"cost",
       "what the scheduler is built of, and what it costs",
       {"cost [options]"},
       R"(Prints what the configuration's warp scheduler costs: totals in bits and NAND2-equivalents, the largest
structures and the longest path; with --all every structure with its entries, bits, ports, comparators, adders, selection
logic, cycles and logic depth, and area and energy in a technology; with --synthesize beside the netlist that yosys and
OpenSTA make of the scheduler's SystemVerilog twin. Nothing is simulated; heddle run adds what the parts did to its
cost.json. docs/hardware-parts.md tells where the figures come from and how far they can be trusted.)",
       {"cost --scheduler gto", "cost --scheduler pro --all",
        "cost --config gtx480 --scheduler gto --set scheduler.timing=hardware --format csv",
        "cost --scheduler two_level --synthesize", "cost --technology osu018 --format json",
        "cost --technology my_cells.yaml:typical"},
       Operands::kNone,
       {},
       &cost_options_table,
       &parse_cost},
      {"rtl",
       "the SystemVerilog twin of the scheduler, for a configuration",
       {"rtl --out DIR [options]"},
       R"(Writes what the SystemVerilog of the configuration's warp scheduler leaves open: the package with its parameters,
the top, and the list of files for a simulator or synthesiser, which names the sources where they are. heddle run --impl
runs it in the place of the model or beside it. docs/rtl-lockstep.md tells which schedulers have a twin.)",
       {"rtl --scheduler gto --out rtl-gto",
        "rtl --scheduler lrr --config gtx480 --set core.warps=24 --out rtl-lrr"},
       Operands::kNone,
       {},
       &rtl_options_table,
       &parse_rtl},
      {"handover",
       "the twin with golden vectors, proofs, waves and cost, as a folder for an RTL team",
       {"handover WORKLOAD --out DIR [options]"},
       R"(Makes a folder that works on a machine without Heddle: the SystemVerilog twin of the configuration's warp
scheduler with its parameters, a testbench that plays golden vectors from the workload's run to it, its proofs, what it costs
beside its netlist, waveforms, and a page that explains them. Needs Verilator, and for the netlist yosys and OpenSTA.
docs/rtl-handover.md tells more.)",
       {"handover bfs --scheduler gto --out handover-gto",
        "handover histogram --scheduler two_level --set core.warps=32 --vectors 100000 --out "
        "handover-two-level"},
       Operands::kWorkloads,
       {},
       &handover_options_table,
       &parse_handover},
      {"report",
       "charts of the results in a folder, as one HTML file",
       {"report DIR|FILE.sqlite... [-o FILE.html]"},
       R"(Makes one HTML file of the results in a folder: of a run, of a folder with runs (compare, sweep, pairs), or of the
points in a database (sweep EXPERIMENT). It opens without a network and shows a verdict, speed-ups, issue slots by cause,
occupancy, caches, the lives of memory requests, a roofline, energy, what the schedulers cost, and what of the
configuration is not the default; behind each chart is a table of its numbers, and each can be saved as SVG and PNG. Of a
folder of heddle reproduce it shows the papers' headline figures, then each figure beside what the paper says. Two folders
are compared, and what differs is marked.)",
       {"report heddle-out/atax", "report heddle-out/compare -o figures.html", "report before after",
        "report heddle-out/reproduction", "report study.sqlite"},
       Operands::kFiles,
       {},
       &report_options_table,
       &parse_report},
      {"stats",
       "figures of the results in a folder, one by one",
       {"stats DIR... [--metric GLOB,...] [options]"},
       R"(Prints figures of stats.json, a row for each: of a run, or of each run in a folder (compare, sweep, pairs). In
GLOB * stands for any text, ? for any sign: 'sm.l1d.*', '*_rate'. The figures are those of whole runs, or with --of
those of each launch or of each block, which a glob may also name by its own name: 'sm3.l1d.*'.)",
       {"stats heddle-out/atax --metric '*hit*'",
        "stats heddle-out/compare --metric 'ipc_warp,sm.l1d.*' --format csv",
        "stats heddle-out/bfs --of blocks --metric 'sm.warp_instructions'"},
       Operands::kFolders,
       {},
       &stats_options_table,
       &parse_stats},
      {"check",
       "validate configurations, workloads, experiments and PTX without running",
       {"check FILE... [options]"},
       R"(Validates files without running them: a configuration, a workload (with its PTX), an experiment (with its points'
machines and workloads) or a PTX file, told apart by their contents. Names the first error of each file; of PTX, for each kernel whether it can be launched.)",
       {"check configs/gtx480.yaml", "check my_workload.yaml my_kernel.ptx"},
       Operands::kFiles,
       {},
       &check_options_table,
       &parse_check},
      {"config",
       "print the complete configuration",
       {"config show [options]"},
       R"(Prints every configuration key with its value, as YAML that --config reads back; values that differ from the
default are marked.)",
       {"config show", "config show --config gtx480 --set l1d.mshr.entries=32",
        "config show --describe > my_gpu.yaml"},
       Operands::kWords,
       {"show"},
       &config_options_table,
       &parse_config},
      {"list",
       "what there is to choose from",
       {"list schedulers|configs|workloads|papers [options]",
        "list dispatch_policies|resource_managements|contention_controls [options]"},
       R"(Lists names that options and configurations take, with what they stand for. papers: the benchmarks of the
papers' tables, what a paper says of each, and the launch of a workload that stands for it. A figure in parentheses is
ours where the paper has none; 257 -> 1429 is the paper's and ours.)",
       {"list schedulers", "list workloads --format json", "list papers --format csv"},
       Operands::kWords,
       {"schedulers", "configs", "workloads", "papers", "dispatch_policies", "resource_managements",
        "contention_controls"},
       &list_options_table,
       &parse_list},
      {"describe",
       "what workloads launch, and what bounds them",
       {"describe [WORKLOAD...] [options]", "describe [WORKLOAD...] --results DIR [options]"},
       R"(Prints a row for each kernel that a workload launches, without running anything: what the papers call it, its
grid, what a thread block takes, how many an SM holds and what limits them, and how many rounds of them the grid has.
WORKLOAD is a YAML file or a name, also with a size, NAME:SIZE; all workloads when none is given.

With --results the figures of timed runs (run, compare, sweep), those under gto where it was run: where the scheduler
cycles went, what bounds the kernel, how it behaves, and how long the run took. docs/workloads.md has the rules.)",
       {"describe hotspot --size paper", "describe --size paper --format csv",
        "describe --results heddle-out/compare --format markdown"},
       Operands::kWorkloads,
       {},
       &describe_options_table,
       &parse_describe},
      {"completion",
       "a script that completes heddle's commands in a shell",
       {"completion bash|zsh"},
       R"(Prints a script for bash or zsh. With it the shell completes commands, options, and the names that they take:
workloads and their sizes, schedulers, configurations and their keys, formats. The Debian package has both scripts where
the shells look for them.)",
       {"completion bash > ~/.local/share/bash-completion/completions/heddle",
        "completion zsh > ~/.zfunc/_heddle"},
       Operands::kWords,
       {"bash", "zsh"},
       &new_table,
       &parse_completion}};
  return kCommands;
}

const CommandEntry* find_command(const std::string& name) {
  for (const CommandEntry& command : command_table()) {
    if (name == command.name) return &command;
  }
  return nullptr;
}

}  // namespace heddle
