#include "sc_tests/fuzz/inputs/record_writers.h"

#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "top/pairs/alone_run.h"

namespace heddle::fuzz {

namespace {

using test::ChoiceStream;

constexpr std::array<const char*, 6> kKernels = {"atax", "bfs", "hotspot", "spmv", "vector_add", "kmeans"};
constexpr std::array<const char*, 6> kSchedulers = {"gto", "lrr",      "two_level_active",
                                                    "pro", "ccws+gto", "oaws"};

std::string whole(ChoiceStream& choices) {
  return std::to_string(choices.one_in(8) ? choices.word() : choices.below(200));
}

/// So many lines of one kind, with `between` between them.
std::string lines(ChoiceStream& choices, unsigned most, const char* between,
                  const std::function<std::string()>& line) {
  std::string text;
  for (unsigned count = choices.between(1, most); count > 0; --count) {
    text += line() + (count > 1 ? between : "") + "\n";
  }
  return text;
}

std::string metric(ChoiceStream& choices) {
  constexpr std::array<const char*, 4> kNames = {"cycles", "tb_rounds", "ipc", "l1d_miss_rate"};
  const std::string value = choices.one_in(8) ? "null" : whole(choices);
  if (choices.one_in(5)) return R"("sm.pro": {"sorts": )" + value + "}";
  return '"' + std::string(choices.one_of(kNames)) + "\": " + value;
}

std::string metrics(ChoiceStream& choices) {
  return "\"metrics\": {\n" + lines(choices, 4, ",", [&] { return metric(choices); }) + "}";
}

}  // namespace

/// Valid: of another one the fingerprint can't be right.
std::string write_alone_run(ChoiceStream& choices) {
  AloneRun run;
  for (unsigned streams = choices.between(1, 3); streams > 0; --streams) {
    StreamFigures stream;
    stream.cycles = 1 + choices.below(200);
    stream.arrival = choices.below(200);
    for (unsigned launches = choices.between(1, 3); launches > 0; --launches) {
      stream.launches.push_back(1 + choices.below(static_cast<unsigned>(stream.cycles)));
    }
    run.streams.push_back(std::move(stream));
  }
  return to_json(run, "key");
}

std::string write_stats(ChoiceStream& choices) {
  return "{\"format\": 2, \"status\": \"complete\",\n\"definitions\": {\"cycles\": [\"cycles\", \"count\", "
         "\"core cycles\"], \"sm.pro\": {\"sorts\": [\"sorts\", \"count\", \"\"]}},\n" +
         metrics(choices) + ",\n\"streams\": [\n" + R"({"name": "s", "arrival_cycle": )" + whole(choices) +
         ",\n" + metrics(choices) + "}\n],\n\"launches\": [\n" +
         lines(choices, 3, ",", [&] { return "{\"stream\": \"s\",\n" + metrics(choices) + "}"; }) +
         "],\n\"totals\": {\"bits_per_sm\": " + whole(choices) + R"(, "nand2_per_sm": {"total": )" +
         whole(choices) + "}},\n\"structures\": [\n" +
         lines(choices, 3, ",",
               [&] {
                 return R"({"block": "b", "structure": "s", "activity": {"port_conflicts": )" +
                        whole(choices) + "}}";
               }) +
         "]}\n";
}

std::string write_results(ChoiceStream& choices) {
  const auto counts = [&choices] {
    constexpr std::array<const char*, 8> kNames = {
        "scheduler_share_issued", "achieved_occupancy", "tb_rounds",    "occupancy_limiter",
        "registers_per_thread",   "ipc_warp",           "alone_cycles", "slowdown"};
    return "{\"cycles\": " + std::to_string(choices.below(2000)) + ",\n" +
           lines(choices, 4, ",",
                 [&] {
                   if (choices.one_in(3)) return R"("sm": {"warp_instructions": )" + whole(choices) + "}";
                   if (choices.one_in(3))
                     return R"("sm.ldst": {"cycles.idle": )" + whole(choices) + R"(, "cycles.mshr": 9})";
                   return '"' + std::string(choices.one_of(kNames)) + "\": " + whole(choices);
                 }) +
           "}";
  };
  const std::string streams =
      choices.one_in(2) ? ""
                        : "\"multiprogram\": {\"stp\": 1.5},\n\"streams\": [\n" + lines(choices, 2, ",", [&] {
                            return R"({"name": "s", "arrival_cycle": )" + whole(choices) +
                                   R"(, "metrics": )" + counts() + "}";
                          }) + "],\n";
  const auto structure = [&] {
    return R"({"block": "b", "structure": "s", "kind": "register", "bits": )" + whole(choices) +
           R"(, "paper_bits": null, "nand2": {"total": 7.5}, "depth_fo4": 3, "activity": {"port_conflicts": 0}})";
  };
  return R"({"format": 2, "status": "complete", "workload": ")" + std::string(choices.one_of(kKernels)) +
         "\", \"size\": \"\",\n\"scheduler\": \"" + choices.one_of(kSchedulers) +
         "\", \"command\": \"heddle run\",\n\"config\": {\"name\": \"c\", \"values\": {\n\"core.sms\": " +
         std::to_string(1 + choices.below(20)) +
         "\n}},\n\"checks\": [{\"buffer\": \"c\", \"passed\": true}],\n\"definitions\": {\"cycles\": "
         "[\"cycles\", "
         "\"count\", \"core cycles\"]},\n\"metrics\": " +
         counts() + ",\n" + streams +
         "\"energy\": {\"blocks\": [{\"block\": \"sm\"}], \"sms\": [{\"sm\": 0, \"dynamic_nj\": 1.5, "
         "\"static_nj\": 2}]},\n\"launches\": [\n" +
         lines(choices, 3, ",",
               [&] {
                 return R"({"id": )" + whole(choices) +
                        R"(, "stream": "s", "kernel": "k", "grid": [1, 1, 1], )" +
                        R"("block": [32, 1, 1], "metrics": )" + counts() + "}";
               }) +
         "],\n\"instances\": {\"sm.l1d\": {\"block\": [\"sm0.l1d\", \"sm1.l1d\"],\n\"loads\": [" +
         whole(choices) + ", null]}},\n\"totals\": {\"bits_per_sm\": " + whole(choices) +
         ", \"nand2_per_sm\": {\"total\": 17.5}},\n\"structures\": [\n" + lines(choices, 3, ",", structure) +
         "]}\n";
}

std::string write_run_identity(ChoiceStream& choices) {
  return "{\"format\": 1,\n\"program\": \"" + whole(choices) + "\",\n\"configuration\": \"" + whole(choices) +
         "\",\n\"workload\": \"" + whole(choices) + "\"}\n";
}

/// Either file of --tb-log.
std::string write_report_log(ChoiceStream& choices) {
  if (choices.one_in(2)) {
    return "cycle,launch,kernel,sm,tb_cycles,predicted_cycles,actual_cycles\n" + lines(choices, 6, "", [&] {
             return whole(choices) + ",0," + choices.one_of(kKernels) + ",1,20," + whole(choices) + "," +
                    (choices.one_in(4) ? "" : whole(choices));
           });
  }
  const auto tb = [&] {
    return R"({"tb": )" + whole(choices) + R"(, "sm": 0, "slot": 1, "start": )" + whole(choices) +
           R"(, "end": )" + whole(choices) + R"(, "rtru": 0.5, "warps": [[0, 9, 4]]})";
  };
  const auto launch = [&] {
    return R"({"launch": 0, "kernel": "k", "rtru": 0.5, "tbs": [)" + ("\n" + lines(choices, 3, ",", tb)) +
           "]}";
  };
  const auto sample = [&] {
    return R"({"end": )" + whole(choices) +
           R"(, "registers": 0.5, "warp_slots": 1, "shared_memory": 0, "warps": 3})";
  };
  return "{\"launches\": [\n" + lines(choices, 3, ",", launch) + "],\n\"allocation\": [\n" +
         lines(choices, 3, ",", sample) + "]}\n";
}

std::string write_profile(ChoiceStream& choices) {
  const auto counts = [&] { return "[" + lines(choices, 4, ",", [&] { return whole(choices); }) + "]"; };
  const auto account = [&] {
    return R"("warp_cycles": )" + whole(choices) + R"(, "warp_instructions": 7, "scheduler_cycles": 9, )" +
           R"("no_eligible_cycles": 2, "cycles": )" + counts();
  };
  const auto scheduler = [&] { return "{" + account() + "}"; };
  const auto sm = [&] {
    return R"({"sm": )" + whole(choices) + ", " + account() + ",\n\"schedulers\": [" +
           lines(choices, 2, ",", scheduler) + "]}";
  };
  const auto launch = [&] { return R"({"id": 0, "kernel": "k", )" + account() + "}"; };
  const auto line = [&] {
    return R"({"index": )" + whole(choices) +
           R"(, "line": 3, "text": "exit", "issued": 1, "lanes": 32, "cycles": )" + counts() + "}";
  };
  const auto kernel = [&] {
    return R"({"name": "k", "file": "k.ptx", "lines": [)" + ("\n" + lines(choices, 4, ",", line)) + "]}";
  };
  return R"({"format": 1, "states": [{"name": "selected", "label": "selected", "nsight": "Selected", "resident": true}],)"
         "\n\"gpu\": {" +
         account() + ", \"funnel\": {}},\n\"sms\": [\n" + lines(choices, 2, ",", sm) +
         "],\n\"launches\": [\n" + lines(choices, 3, ",", launch) + "],\n\"kernels\": [\n" +
         lines(choices, 2, ",", kernel) + "]}\n";
}

std::string write_accepted_speeds(ChoiceStream& choices) {
  return "{\"tolerance_percent\": " + whole(choices) + ",\n\"warp_instructions_per_fixed_computation\": {\n" +
         lines(choices, 4, ",",
               [&] {
                 const std::string name = choices.one_of(kKernels);
                 return '"' + name + "\": " + std::to_string(1 + choices.below(200)) + ".5";
               }) +
         "}}\n";
}

std::string write_reference_figures(ChoiceStream& choices) {
  std::string text =
      "desc,sched,gpu_tot_sim_cycle,ipc_warp,l1d_miss_rate,l2_access,Stall,W0_Idle,W0_Scoreboard,"
      "W1_31,W32,dram_reads\n";
  return text + lines(choices, 6, "", [&] {
           std::string row = std::string(choices.one_of(kKernels)) + "," + choices.one_of(kSchedulers) + "," +
                             std::to_string(1 + choices.below(250));
           for (unsigned column = 0; column < 9; ++column) row += "," + whole(choices);
           return row;
         });
}

std::string write_technologies(ChoiceStream& choices) {
  constexpr std::array<const char*, 6> kFigures = {
      "nand2_area_um2",         "sram_bit_area_um2",  "fo4_ps",
      "nand2_switch_energy_fj", "switching_fraction", "sram_bit_access_energy_fj"};
  std::string text = "technologies:\n";
  for (unsigned count = choices.between(1, 3); count > 0; --count) {
    text += "  t" + std::to_string(count) + ":\n    description: some\n" + lines(choices, 4, "", [&] {
              const std::string name = choices.one_of(kFigures);
              return "    " + name + ": {value: " + std::to_string(1 + choices.below(99)) +
                     ".25, uncertainty: " + std::to_string(1 + choices.below(3)) + ", source: a page}";
            });
  }
  return text;
}

std::string write_energy_table(ChoiceStream& choices) {
  const auto figure = [&](const char* unit) {
    return std::string(unit) + ": " + std::to_string(1 + choices.below(9)) +
           ".5, low: " + std::to_string(choices.below(2)) +
           ", high: " + std::to_string(10 + choices.below(99)) + ", source: a page}";
  };
  constexpr std::array<const char*, 5> kLanes = {"", "lanes: all, ", "lanes: sp, ", "lanes: sfu, ",
                                                 "lanes: ldst, "};
  return "description: some\nevents:\n" +
         lines(choices, 4, "",
               [&] {
                 return "  - {name: e" + whole(choices) +
                        ", block: sm, counts: [sm.issued, {sm.l1d.hits: " + std::to_string(choices.below(9)) +
                        ".5}], " + choices.one_of(kLanes) + figure("nj");
               }) +
         "power:\n" + lines(choices, 2, "", [&] {
           return std::string("  - {name: p, block: sm, of: ") + (choices.one_in(2) ? "sm" : "gpu") + ", " +
                  figure("watts");
         });
}

std::string write_paper_tables(ChoiceStream& choices) {
  constexpr std::array<const char*, 6> kFigures = {"tbs",          "threads_per_tb", "warps_per_tb",
                                                   "resident_tbs", "shared_bytes",   "swl_warps"};
  return "paper: P\nentries:\n" + lines(choices, 5, "", [&] {
           std::string entry =
               "  - {table: II, suite: s, benchmark: b, workload: " + std::string(choices.one_of(kKernels));
           for (const char* const figure : kFigures) {
             if (choices.one_in(2))
               entry += std::string(", ") + figure + ": " + std::to_string(choices.below(2000));
           }
           if (choices.one_in(3)) entry += ", type: neutral, note: some, size: paper";
           return entry + "}";
         });
}

std::string write_timed_workload(ChoiceStream& choices) {
  std::string text = "kind: timed\nkernels:\n" + lines(choices, 4, "", [&] {
                       std::string kernel = "  - {name: k" + whole(choices) +
                                            ", tbs: " + std::to_string(1 + choices.below(200)) +
                                            ", threads: " + std::to_string(32 * (1 + choices.below(32))) +
                                            ", mean_cycles: " + std::to_string(1 + choices.below(200));
                       if (choices.one_in(2))
                         kernel += ", registers: " + std::to_string(1 + choices.below(63));
                       if (choices.one_in(2)) kernel += ", shared_bytes: " + whole(choices).substr(0, 4);
                       if (choices.one_in(2))
                         kernel += ", deviation_percent: " + std::to_string(choices.below(100));
                       if (choices.one_in(3)) kernel += ", launches: " + std::to_string(1 + choices.below(5));
                       if (choices.one_in(3)) kernel += ", residency_slowdown: 1.5";
                       return kernel + "}";
                     });
  if (choices.one_in(3)) {
    text += "published:\n  - {policy: fifo, arrival: 100, stp: 1.5, antt: 2, strict_f: 0.25}\n";
  }
  return text;
}

std::string write_experiment(ChoiceStream& choices) {
  constexpr std::array<const char*, 6> kWorkloads = {"vector_add",
                                                     "bfs:large",
                                                     "{workload: vector_add, params: {n: 64}, label: small}",
                                                     "{at_once: [vector_add, spmv], arrivals: [0-100]}",
                                                     "{pairs_of: [atax, bfs, spmv], both_orders: true}",
                                                     "{timed: ercbench, interference: 1}"};
  constexpr std::array<const char*, 10> kLines = {"schedulers: [gto, lrr]",
                                                  "tb_policies: [fifo, srtf]",
                                                  "configs: [gtx480]",
                                                  "set: {core.sms: 2}",
                                                  "axes: {l1d.mshr.entries: [16, 32], core.tb_slots: 4}",
                                                  "arrivals: [100, 25%]",
                                                  "seeds: [1, 2]",
                                                  "repetitions: 2",
                                                  "limits: {seconds: 9, memory: 1G, cycles: 5000}",
                                                  "record: {tb_log: true, interval: 50}"};
  std::string text = "workloads:\n";
  const std::size_t first = choices.below(kWorkloads.size());
  const std::size_t workloads = choices.between(1, 3);
  for (std::size_t i = 0; i < workloads; ++i)
    text += std::string("  - ") + kWorkloads[(first + i) % kWorkloads.size()] + "\n";
  const std::size_t line = choices.below(kLines.size());
  const std::size_t more = choices.below(5);
  for (std::size_t i = 0; i < more; ++i) text += std::string(kLines[(line + i) % kLines.size()]) + "\n";
  if (choices.one_in(3)) text += "exceptions:\n  - {match: {workload: '*'}, set: {core.sms: 1}}\n";
  return text;
}

/// An event a line; a life of a warp and its states are one line.
std::string write_timeline(ChoiceStream& choices) {
  constexpr std::array<const char*, 5> kStates = {"selected", "barrier", "fetch", "scoreboard_memory",
                                                  "no_warp"};
  constexpr std::array<const char*, 4> kStages = {"ldst", "l1d", "request_network", "dram"};
  std::string text =
      "{\"otherData\": {\"format\": \"heddle timeline 1\", \"first_cycle\": 0, \"end_cycle\": 900, "
      "\"shortest_slice_cycles\": 1, \"one_memory_request_in\": 1, \"left_out\": [], \"state_cycles\": {}},\n"
      "\"traceEvents\": [\n";
  const auto name = [](unsigned process, unsigned thread, const std::string& called) {
    const std::string tid = thread == 0 ? "" : "\"tid\": " + std::to_string(thread) + ", ";
    return R"({"ph": "M", "pid": )" + std::to_string(process) + ", " + tid + R"("name": ")" +
           (thread == 0 ? "process_name" : "thread_name") + R"(", "args": {"name": ")" + called + "\"}},\n";
  };
  const auto slice = [](unsigned process, unsigned thread, const std::string& from, const std::string& cycles,
                        const std::string& called, const std::string& about) {
    return R"({"ph": "X", "pid": )" + std::to_string(process) + R"(, "tid": )" + std::to_string(thread) +
           R"(, "ts": )" + from + R"(, "dur": )" + cycles + R"(, "name": ")" + called + "\"" +
           (about.empty() ? "" : ", \"args\": {" + about + "}") + "}";
  };
  text += name(1, 0, "GPU") + name(10, 0, "SM 0") + name(1, 1, "launches") + name(10, 2, "TB slot 0") +
          name(10, 3, "warp slot 0") + name(10, 4, "requests: l1d");
  const auto number = [&choices](unsigned most) { return std::to_string(1 + choices.below(most)); };
  text += slice(1, 1, "0", number(800), "k", "\"launch\": 0") + ",\n";
  unsigned now = 0;
  for (unsigned lives = choices.below(4); lives > 0; --lives) {
    std::string states;
    unsigned at = now;
    for (unsigned count = choices.between(1, 4); count > 0; --count) {
      const unsigned cycles = 1 + choices.below(40);
      states += ", " + slice(10, 3, std::to_string(at), std::to_string(cycles), choices.one_of(kStates), "");
      at += cycles;
    }
    text += slice(10, 3, std::to_string(now), std::to_string(at - now), "k TB 0 warp 0",
                  R"("launch": 0, "tb": 0, "warp": 0)") +
            states + ",\n";
    now = at + choices.below(9);
  }
  for (unsigned c = choices.below(4); c > 0; --c) {
    text += R"({"ph": "C", "pid": 10, "ts": )" + std::to_string(100 - c) +
            R"(, "name": "IPC", "args": {"value": )" + whole(choices) + ".5}},\n";
  }
  return text +
         lines(choices, 6, ",",
               [&] {
                 return slice(10, 4, number(500) + ".25", number(90) + ".5", choices.one_of(kStages),
                              "\"request\": " + number(3) + R"(, "kind": "load", "sm": 0)");
               }) +
         "]}\n";
}

std::string write_command_line(ChoiceStream& choices) {
  struct Command {
    const char* beginning;
    std::vector<const char*> options;
  };
  static const std::vector<Command> commands = {
      {"run\natax\n",
       {"--param\nn=64", "--size\nlarge", "--max-cycles\n1000", "--quiet", "--vcd", "--vcd-window\n10:20",
        "--vcd-scope\ngpu.sm*", "--threads\n2", "--registers\nptxas:sm_35", "--no-sleep", "--functional"}},
      {"run\natax\nbfs:large\n", {"--arrival\n0\n--arrival\n5000", "--tb-log", "--fst", "--quiet"}},
      {"compare\nbfs\nspmv\n--scheduler\ngto,lrr\n",
       {"--param\nn=64", "--max-cycles\n1000", "--format\nmd", "--timing"}},
      {"sweep\nbfs\n--set\nl1d.mshr.entries=8,16\n",
       {"--metric\nipc", "--scheduler\npro,oaws", "--format\ncsv", "--size\nlarge"}},
      {"pairs\natax\nbfs\n",
       {"--policy\nfifo,srtf", "--arrival\n25%", "--seed\n7", "--both-orders", "--format\njson", "--detail"}},
      {"cost\n", {"--scheduler\npro", "--technology\nscaled40", "--format\njson"}},
      {"check\nmy.yaml\n", {"other.yaml"}},
      {"config\nshow\n", {"--describe"}},
      {"list\nschedulers\n", {}},
  };
  const Command& command = choices.one_of(commands);
  std::string text = command.beginning;
  for (const char* const option : command.options) {
    if (choices.one_in(3)) text += std::string(option) + "\n";
  }
  if (command.options.size() > 2 && choices.one_in(2)) text += "--config\ngtx480\n--set\ncore.sms=2\n";
  return text;
}

}  // namespace heddle::fuzz
