// Options of `heddle pairs`.
#include <algorithm>

#include "top/help_text.h"
#include "top/option_parser.h"

namespace heddle {

using namespace option_parser;

CommandLine parse_pairs(const Arguments& arguments) {
  po::options_description options = new_table();
  add_config_options(options);
  options.add_options()("policy", po::value<Arguments>()->value_name("NAME")->composing(),
                        "thread-block dispatch policy; may be given several times; all when not given");
  options.add_options()("arrival", po::value<Arguments>()->value_name("WHEN")->composing(),
                        "arrival of the second kernel: core cycles, or a share of the first's run time alone "
                        "(25%); may be given several times; 100 when not given");
  options.add_options()("format", po::value<std::string>()->value_name("text|md|csv|json"),
                        "text when not given");
  options.add_options()("detail", "every pair, not only the means")("help", "this text");
  const po::variables_map values = parse("pairs", arguments, options, "workload");
  CommandLine line;
  if (values.count("help") != 0) {
    line.help = pairs_help() + to_text(options);
    return line;
  }
  const Arguments workload = list_of(values, "workload");
  if (workload.size() != 1) {
    throw UsageError("heddle pairs: expected one workload of kind timed; see `heddle pairs --help`");
  }
  PairsOptions pairs{config_options(values),    workload[0],
                     list_of(values, "policy"), list_of(values, "arrival"),
                     text_of(values, "format"), values.count("detail") != 0};
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
