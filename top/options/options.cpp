#include "top/options/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/nearest_name.h"
#include "top/options/help_text.h"
#include "top/options/option_parser.h"
#include "top/support/version.h"

namespace heddle {

using namespace option_parser;

namespace {

CommandLine parse_check(const Arguments& arguments) {
  po::options_description options;
  options.add_options()("help", "");
  const po::variables_map values = parse("check", arguments, options, "file");
  CommandLine line;
  if (values.count("help") != 0) {
    line.help = check_help() + to_text(new_table());
    return line;
  }
  if (values.count("file") == 0) {
    throw UsageError("heddle check: expected at least one file; see `heddle check --help`");
  }
  line.limits = limit_options("check", values);
  line.check = CheckOptions{values["file"].as<Arguments>()};
  return line;
}

CommandLine parse_report(const Arguments& arguments) {
  po::options_description visible = new_table();
  visible.add_options()("out,o", po::value<std::string>()->value_name("FILE.html"),
                        "the file to write; report.html in the first folder when not given")("help",
                                                                                             "this text");
  const po::variables_map values = parse("report", arguments, visible, "folder");
  CommandLine line;
  if (values.count("help") != 0) {
    line.help = report_help() + to_text(visible);
    return line;
  }
  if (values.count("folder") == 0) {
    throw UsageError("heddle report: expected a folder with results; see `heddle report --help`");
  }
  line.report = ReportOptions{list_of(values, "folder"), text_of(values, "out")};
  return line;
}

CommandLine parse_config(const Arguments& arguments) {
  po::options_description visible = new_table();
  add_config_options(visible);
  visible.add_options()("describe", "a comment above every key: meaning, unit, range")("help", "this text");
  const po::variables_map values = parse("config", arguments, visible, "action");
  CommandLine line;
  if (values.count("help") != 0) {
    line.help = config_help() + to_text(visible);
    return line;
  }
  if (list_of(values, "action") != Arguments{"show"}) {
    throw UsageError("heddle config: expected `heddle config show`; see `heddle config --help`");
  }
  line.limits = limit_options("config", values);
  line.show = ShowOptions{config_options(values), values.count("describe") != 0};
  return line;
}

CommandLine parse_list(const Arguments& arguments) {
  po::options_description options;
  options.add_options()("help", "");
  const po::variables_map values = parse("list", arguments, options, "what");
  CommandLine line;
  if (values.count("help") != 0) {
    line.help = list_help();
    return line;
  }
  const Arguments what = list_of(values, "what");
  const Arguments known{
      "schedulers",         "configs", "workloads", "dispatch_policies", "resource_managements",
      "contention_controls"};
  if (what.size() != 1 || std::find(known.begin(), known.end(), what[0]) == known.end()) {
    throw UsageError(fmt::format("heddle list: expected one of {}{}", fmt::join(known, ", "),
                                 what.empty() ? "" : did_you_mean(what[0], {known.begin(), known.end()})));
  }
  line.limits = limit_options("list", values);
  line.list = ListOptions{what[0]};
  return line;
}

struct Command {
  const char* name;
  CommandLine (*parse)(const Arguments& arguments);
};

constexpr std::array<Command, 9> kCommands{{{"run", &parse_run},
                                            {"cost", &parse_cost},
                                            {"compare", &parse_compare},
                                            {"sweep", &parse_sweep},
                                            {"pairs", &parse_pairs},
                                            {"report", &parse_report},
                                            {"check", &parse_check},
                                            {"config", &parse_config},
                                            {"list", &parse_list}}};

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    throw UsageError(
        "heddle: expected a command: run, cost, compare, sweep, pairs, report, check, config or "
        "list; see `heddle --help`");
  }
  const std::string& name = arguments.front();
  std::vector<std::string> names;
  for (const Command& command : kCommands) {
    if (name == command.name) {
      return command.parse({arguments.begin() + 1, arguments.end()});
    }
    names.emplace_back(command.name);
  }
  CommandLine line;
  if (name == "--help" || name == "-h" || name == "help") {
    line.help = general_help();
  } else if (name == "--version") {
    line.help = "heddle " + version_text() + "\n";
  } else {
    throw UsageError(fmt::format("heddle: unknown command '{}'{}", name, name_hint(name, names, "commands")));
  }
  return line;
}

}  // namespace heddle
