// Options of `heddle results`.
#include <fmt/format.h>

#include <map>

#include "base/nearest_name.h"
#include "top/options/option_parser.h"

namespace heddle {

using namespace option_parser;

namespace {

using Action = ResultsOptions::Action;

Action action_of(const std::string& word) {
  static const std::map<std::string, Action> kActions{{"list", Action::kList},
                                                      {"failed", Action::kFailed},
                                                      {"export", Action::kExport},
                                                      {"forget", Action::kForget}};
  const auto found = kActions.find(word);
  if (found != kActions.end()) return found->second;
  throw UsageError(fmt::format("heddle results: expected list, failed, export or forget, found '{}'{}", word,
                               did_you_mean(word, {"list", "failed", "export", "forget"})));
}

std::pair<std::string, std::string> parse_where(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError(fmt::format("heddle results: --where {}: expected NAME=GLOB", text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

po::options_description results_options_table() {
  po::options_description options = new_table();
  options.add_options()(
      "db", po::value<std::string>()->value_name("FILE"),
      fmt::format("the database of results; {} when not given", SweepOptions::kDatabase).c_str());
  options.add_options()("experiment", po::value<std::string>()->value_name("NAME"),
                        "only the points of an experiment, in its order");
  options.add_options()(
      "where", po::value<Arguments>()->composing()->value_name("NAME=GLOB"),
      "only points of which a label (workload, scheduler, a key) or a column (status, host) "
      "matches; may be given several times");
  options.add_options()("metric", po::value<Arguments>()->composing()->value_name("GLOB,..."),
                        "figures to list or export, with * and ?; cycles and ipc_warp are listed, and all "
                        "exported, when not given");
  options.add_options()("wide", "of an export: a row a point and a column a figure, not a row a figure");
  add_format_option(options);
  return options;
}

CommandLine parse_results(const Arguments& arguments) {
  const po::variables_map values = parse("results", arguments, results_options_table(), "action");
  Arguments words = list_of(values, "action");
  if (words.empty())
    throw UsageError("heddle results: expected list, failed, export or forget; see `heddle results --help`");
  CommandLine line;
  ResultsOptions results;
  results.action = action_of(words.front());
  results.ids.assign(words.begin() + 1, words.end());
  results.database = text_of(values, "db");
  results.experiment = text_of(values, "experiment");
  for (const std::string& text : list_of(values, "where")) results.where.push_back(parse_where(text));
  results.metrics = values_of("results", values, "metric");
  results.wide = values.count("wide") != 0;
  results.format = format_option("results", values);
  if (results.wide && results.action != Action::kExport)
    throw UsageError("heddle results: --wide is for export");
  if (results.action == Action::kExport && values.count("format") != 0)
    throw UsageError("heddle results: an export is CSV: --format is for list and failed");
  const bool chosen = !results.ids.empty() || !results.experiment.empty() || !results.where.empty();
  if (results.action == Action::kForget && !chosen)
    throw UsageError("heddle results forget: expected which points: names, --experiment or --where");
  line.limits = limit_options("results", values);
  line.results = results;
  return line;
}

}  // namespace heddle
