// Options of the commands that write SystemVerilog.
#include <fmt/format.h>

#include "top/options/option_parser.h"
#include "top/options/twin_options.h"

namespace heddle {

using namespace option_parser;

po::options_description rtl_options_table() {
  po::options_description options = new_table();
  add_config_options(options);
  add_twin_option(options);
  options.add_options()("scheduler", po::value<std::string>()->value_name("NAME"),
                        "warp scheduler; short for --set scheduler.name=NAME")(
      "out", po::value<std::string>()->value_name("DIR"), "folder for the files")(
      "rtl-sources", po::value<std::string>()->value_name("DIR"),
      "folder of the SystemVerilog; the one that comes with Heddle when not given");
  return options;
}

CommandLine parse_rtl(const Arguments& arguments) {
  const po::variables_map values = parse("rtl", arguments, rtl_options_table(), "nothing");
  if (values.count("nothing") != 0) {
    throw UsageError(fmt::format("heddle rtl: found '{}', expected options only; see `heddle rtl --help`",
                                 list_of(values, "nothing").front()));
  }
  CommandLine line;
  line.limits = limit_options("rtl", values);
  line.rtl = RtlOptions{config_options(values), text_of(values, "scheduler"), text_of(values, "out"),
                        text_of(values, "rtl-sources"), text_of(values, "twin")};
  if (line.rtl->out.empty()) throw UsageError("heddle rtl: expected --out DIR, the folder for the files");
  return line;
}

po::options_description handover_options_table() {
  po::options_description options = new_table();
  add_config_options(options);
  options.add_options()("scheduler", po::value<std::string>()->value_name("NAME"),
                        "warp scheduler; short for --set scheduler.name=NAME");
  add_workload_options(options);
  options.add_options()("out", po::value<std::string>()->value_name("DIR"),
                        "folder for it: a new one, an empty one, or that of an earlier handover");
  add_vector_options(options, fmt::format("clock cycles of golden vectors and of waves, from the run's begin "
                                          "on; {} when not given",
                                          HandoverOptions::kVectorCycles)
                                  .c_str());
  options.add_options()("no-synthesis", "without the netlist: needs neither yosys nor OpenSTA");
  add_twin_option(options);
  add_twin_source_options(options);
  options.add_options()("quiet", "no progress and no summary of the run");
  return options;
}

CommandLine parse_handover(const Arguments& arguments) {
  const po::variables_map values = parse("handover", arguments, handover_options_table(), "workload");
  const Arguments workloads = list_of(values, "workload");
  if (workloads.size() != 1) {
    throw UsageError(fmt::format(
        "heddle handover: expected one workload, found {}; see `heddle handover --help`", workloads.size()));
  }
  HandoverOptions handover;
  handover.config = config_options(values);
  handover.scheduler = text_of(values, "scheduler");
  handover.workload = workloads.front();
  handover.on = workload_options("handover", values);
  handover.out = text_of(values, "out");
  if (values.count("vectors") != 0)
    handover.vector_cycles = vector_cycles("handover", text_of(values, "vectors"));
  handover.vectors_sm = vectors_sm("handover", text_of(values, "vectors-sm"));
  handover.synthesis = values.count("no-synthesis") == 0;
  handover.quiet = values.count("quiet") != 0;
  handover.twin = text_of(values, "twin");
  handover.rtl_cache = text_of(values, "rtl-cache");
  handover.rtl_sources = text_of(values, "rtl-sources");
  if (handover.out.empty()) throw UsageError("heddle handover: expected --out DIR, the folder for it");
  CommandLine line;
  line.limits = limit_options("handover", values);
  line.handover = handover;
  return line;
}

}  // namespace heddle
