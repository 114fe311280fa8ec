// Options of the commands that look at files and names.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/nearest_name.h"
#include "top/options/command_table.h"
#include "top/options/option_parser.h"

namespace heddle {

using namespace option_parser;

po::options_description report_options_table() {
  po::options_description options = new_table();
  options.add_options()(
      "out,o", po::value<std::string>()->value_name("FILE.html"),
      "the file to write; report.html in the first folder, or beside the first database, when not given");
  return options;
}

CommandLine parse_report(const Arguments& arguments) {
  const po::variables_map values = parse("report", arguments, report_options_table(), "folder");
  if (values.count("folder") == 0) {
    throw UsageError(
        "heddle report: expected a folder with results, or a database of them; see `heddle report --help`");
  }
  CommandLine line;
  line.limits = limit_options("report", values);
  line.report = ReportOptions{list_of(values, "folder"), text_of(values, "out")};
  return line;
}

po::options_description stats_options_table() {
  po::options_description options = new_table();
  options.add_options()("metric", po::value<Arguments>()->composing()->value_name("GLOB,..."),
                        "figures by name, with * and ?; may be given several times; all when not given");
  options.add_options()("of", po::value<std::string>()->value_name("runs|launches|blocks"),
                        "whose figures: of whole runs (when not given), of each launch, of each block");
  add_format_option(options);
  return options;
}

CommandLine parse_stats(const Arguments& arguments) {
  const po::variables_map values = parse("stats", arguments, stats_options_table(), "folder");
  if (values.count("folder") == 0) {
    throw UsageError("heddle stats: expected a folder with results; see `heddle stats --help`");
  }
  static const std::map<std::string, StatsOptions::Of> kOf{{"", StatsOptions::Of::kRuns},
                                                           {"runs", StatsOptions::Of::kRuns},
                                                           {"launches", StatsOptions::Of::kLaunches},
                                                           {"blocks", StatsOptions::Of::kBlocks}};
  const std::string of = text_of(values, "of");
  const auto known = kOf.find(of);
  if (known == kOf.end() || (of.empty() && values.count("of") != 0)) {
    throw UsageError(fmt::format("heddle stats: --of: expected runs, launches or blocks, found '{}'{}", of,
                                 did_you_mean(of, {"runs", "launches", "blocks"})));
  }
  CommandLine line;
  line.limits = limit_options("stats", values);
  line.stats = StatsOptions{list_of(values, "folder"), values_of("stats", values, "metric"), known->second,
                            format_option("stats", values)};
  return line;
}

po::options_description check_options_table() {
  po::options_description options = new_table();
  add_format_option(options);
  return options;
}

CommandLine parse_check(const Arguments& arguments) {
  const po::variables_map values = parse("check", arguments, check_options_table(), "file");
  if (values.count("file") == 0) {
    throw UsageError("heddle check: expected at least one file; see `heddle check --help`");
  }
  CommandLine line;
  line.limits = limit_options("check", values);
  line.check = CheckOptions{list_of(values, "file"), format_option("check", values)};
  return line;
}

po::options_description config_options_table() {
  po::options_description options = new_table();
  add_config_options(options);
  options.add_options()("describe", "in YAML a comment above every key: meaning, unit, range");
  options.add_options()("format", po::value<std::string>()->value_name("text|markdown|csv|json"),
                        "how it is printed; text, which is YAML, when not given");
  return options;
}

CommandLine parse_config(const Arguments& arguments) {
  const po::variables_map values = parse("config", arguments, config_options_table(), "action");
  if (list_of(values, "action") != Arguments{"show"}) {
    throw UsageError("heddle config: expected `heddle config show`; see `heddle config --help`");
  }
  CommandLine line;
  line.limits = limit_options("config", values);
  line.show =
      ShowOptions{config_options(values), values.count("describe") != 0, format_option("config", values)};
  return line;
}

po::options_description list_options_table() {
  po::options_description options = new_table();
  add_format_option(options);
  return options;
}

CommandLine parse_list(const Arguments& arguments) {
  const po::variables_map values = parse("list", arguments, list_options_table(), "what");
  const Arguments what = list_of(values, "what");
  const auto& words = find_command("list")->words;
  const Arguments known{words.begin(), words.end()};
  if (what.size() != 1 || std::find(known.begin(), known.end(), what[0]) == known.end()) {
    throw UsageError(fmt::format("heddle list: expected one of {}{}", fmt::join(known, ", "),
                                 what.empty() ? "" : did_you_mean(what[0], {known.begin(), known.end()})));
  }
  CommandLine line;
  line.limits = limit_options("list", values);
  line.list = ListOptions{what[0], format_option("list", values)};
  return line;
}

po::options_description describe_options_table() {
  po::options_description options = new_table();
  add_config_options(options);
  add_shape_options(options);
  options.add_options()("results", po::value<Arguments>()->value_name("DIR|FILE")->composing(),
                        "figures of the runs in a folder, or a database of experiments, instead of what is "
                        "launched; may be given "
                        "several times");
  add_format_option(options);
  return options;
}

CommandLine parse_describe(const Arguments& arguments) {
  const po::variables_map values = parse("describe", arguments, describe_options_table(), "workload");
  CommandLine line;
  line.limits = limit_options("describe", values);
  line.describe = DescribeOptions{config_options(values), list_of(values, "workload"),
                                  workload_options("describe", values), list_of(values, "results"),
                                  format_option("describe", values)};
  return line;
}

CommandLine parse_completion(const Arguments& arguments) {
  const po::variables_map values = parse("completion", arguments, new_table(), "shell");
  const Arguments shell = list_of(values, "shell");
  if (shell != Arguments{"bash"} && shell != Arguments{"zsh"}) {
    throw UsageError("heddle completion: expected bash or zsh; see `heddle completion --help`");
  }
  CommandLine line;
  line.limits = limit_options("completion", values);
  line.shell = ShellOptions{ShellOptions::Wanted::kScript, shell};
  return line;
}

}  // namespace heddle
