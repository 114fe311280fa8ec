// Options of `heddle pairs`.
#include <algorithm>

#include "top/options/help_text.h"
#include "top/options/option_parser.h"

namespace heddle {

using namespace option_parser;

CommandLine parse_pairs(const Arguments& arguments) {
  po::options_description options = new_table();
  add_config_options(options);
  options.add_options()("policy", po::value<Arguments>()->value_name("NAME,...")->composing(),
                        "thread-block dispatch policies; may be given several times; all when not given");
  options.add_options()("arrival", po::value<Arguments>()->value_name("WHEN,...")->composing(),
                        "arrival of the second kernel: core cycles, or a share of the first's run time alone "
                        "(25%); may be given several times; 100 when not given");
  options.add_options()("scheduler", po::value<std::string>()->value_name("NAME"),
                        "warp scheduler of workloads that execute instructions");
  options.add_options()("out", po::value<std::string>()->value_name("DIR"),
                        "folder of the runs of such workloads; heddle-out/pairs when not given");
  options.add_options()("cache", po::value<std::string>()->value_name("DIR"),
                        "folder in which run times alone are kept; $XDG_CACHE_HOME/heddle/alone or "
                        "~/.cache/heddle/alone when not given");
  options.add_options()("max-cycles", po::value<std::string>()->value_name("N"),
                        "stop each run of such workloads after N core cycles");
  options.add_options()("format", po::value<std::string>()->value_name("text|md|csv|json"),
                        "text when not given");
  options.add_options()("detail", "every pair, not only the means")("help", "this text");
  const po::variables_map values = parse("pairs", arguments, options, "workload");
  CommandLine line;
  if (values.count("help") != 0) {
    line.help = pairs_help() + to_text(options);
    return line;
  }
  PairsOptions pairs;
  pairs.workloads = list_of(values, "workload");
  if (pairs.workloads.empty()) {
    throw UsageError(
        "heddle pairs: expected one workload of kind timed, or two and more workloads; see `heddle pairs "
        "--help`");
  }
  pairs.config = config_options(values);
  pairs.policies = values_of("pairs", values, "policy");
  pairs.arrivals = values_of("pairs", values, "arrival");
  pairs.format = text_of(values, "format");
  pairs.detail = values.count("detail") != 0;
  pairs.scheduler = text_of(values, "scheduler");
  if (values.count("out") != 0) pairs.out = text_of(values, "out");
  pairs.cache = text_of(values, "cache");
  if (values.count("max-cycles") != 0) {
    const auto cycles = whole_number(text_of(values, "max-cycles"));
    if (!cycles || *cycles == 0) {
      throw UsageError("heddle pairs: --max-cycles " + text_of(values, "max-cycles") +
                       ": expected a whole number from 1");
    }
    pairs.max_cycles = *cycles;
  }
  if (pairs.workloads.size() == 1 && (!pairs.scheduler.empty() || pairs.max_cycles != 0)) {
    throw UsageError(
        "heddle pairs: --scheduler and --max-cycles are for workloads that execute instructions, and need "
        "two");
  }
  if (pairs.format.empty()) pairs.format = "text";
  const Arguments formats{"text", "md", "csv", "json"};
  if (std::find(formats.begin(), formats.end(), pairs.format) == formats.end()) {
    throw UsageError("heddle pairs: --format " + pairs.format + ": expected text, md, csv or json");
  }
  if (pairs.arrivals.empty()) pairs.arrivals = {"100"};
  line.pairs = pairs;
  return line;
}

}  // namespace heddle
