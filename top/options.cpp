#include "top/options.h"

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <charconv>
#include <sstream>

#include "top/help_text.h"
#include "workloads/names/nearest_name.h"

namespace heddle {

namespace {

namespace po = boost::program_options;
using Arguments = std::vector<std::string>;

constexpr int kStyle = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
constexpr unsigned kHelpWidth = 110;

std::string table(const po::options_description& options) {
  std::ostringstream text;
  text << options;
  return text.str();
}

void add_config_options(po::options_description& options) {
  options.add_options()("config", po::value<std::string>()->value_name("FILE|NAME"),
                        "configuration; the defaults are the GTX480-like machine")(
      "set", po::value<Arguments>()->value_name("KEY=VALUE")->composing(),
      "override one configuration key; may be given several times");
}

ConfigOptions config_options(const po::variables_map& values) {
  ConfigOptions config;
  if (values.count("config") != 0) {
    config.config = values["config"].as<std::string>();
  }
  if (values.count("set") != 0) {
    config.assignments = values["set"].as<Arguments>();
  }
  return config;
}

/// Parses with Boost.Program_options; its errors become one line that names `command`.
po::variables_map parse(const std::string& command, const Arguments& arguments,
                        const po::options_description& options,
                        const po::positional_options_description& positional) {
  po::variables_map values;
  try {
    po::store(po::command_line_parser(arguments).options(options).positional(positional).style(kStyle).run(),
              values);
    po::notify(values);
  } catch (const po::error& error) {
    throw UsageError(fmt::format("heddle {}: {}; see `heddle {} --help`", command, error.what(), command));
  }
  return values;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

CycleWindow parse_window(const std::string& text) {
  CycleWindow window;
  const std::size_t colon = text.find(':');
  const std::string_view view = text;
  const auto from = whole_number(view.substr(0, colon));
  auto to = colon == std::string::npos ? std::nullopt : whole_number(view.substr(colon + 1));
  if (colon != std::string::npos && colon + 1 == text.size()) {
    to = window.to;
  }
  if (!from || !to || *from >= *to) {
    throw UsageError(fmt::format(
        "heddle run: --vcd-window {}: expected FROM:TO in core cycles with FROM < TO (TO may be left out)",
        text));
  }
  return {*from, *to};
}

std::pair<std::string, std::int64_t> parse_parameter(const std::string& text) {
  const std::size_t equals = text.find('=');
  std::int64_t value = 0;
  if (equals != std::string::npos && equals != 0) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, value);
    if (error == std::errc() && stop == end && equals + 1 != text.size()) {
      return {text.substr(0, equals), value};
    }
  }
  throw UsageError(fmt::format("heddle run: --param {}: expected NAME=INTEGER", text));
}

po::options_description run_options_table() {
  po::options_description options("Options", kHelpWidth, kHelpWidth / 2);
  add_config_options(options);
  options.add_options()("scheduler", po::value<std::string>()->value_name("NAME"),
                        "warp scheduler; short for --set scheduler.name=NAME");
  options.add_options()("param", po::value<Arguments>()->value_name("NAME=INTEGER")->composing(),
                        "override one parameter of the workload");
  options.add_options()("size", po::value<std::string>()->value_name("NAME"),
                        "one of the workload's named sizes, e.g. large");
  options.add_options()("out", po::value<std::string>()->value_name("DIR"),
                        "folder for results; heddle-out/WORKLOAD when not given");
  options.add_options()("max-cycles", po::value<std::string>()->value_name("N"), "stop after N core cycles");
  options.add_options()("functional", "execute without timing: only check the outputs");
  options.add_options()("vcd", "write waveforms (waves.vcd) and a GTKWave save file (waves.gtkw)");
  options.add_options()("vcd-window", po::value<std::string>()->value_name("FROM:TO"),
                        "only the core cycles from FROM up to TO; implies --vcd");
  options.add_options()(
      "vcd-scope", po::value<Arguments>()->value_name("GLOB")->composing(),
      "only signals whose name matches, e.g. 'sm0.*'; may be given several times; implies --vcd");
  options.add_options()("no-sleep", "tick every block at every cycle: slower, same results");
  options.add_options()("reverse-construction", "build the GPU's blocks in reverse order: same results");
  options.add_options()("quiet", "no progress and no summary");
  options.add_options()("help", "this text");
  return options;
}

CommandLine parse_run(const Arguments& arguments) {
  const po::options_description visible = run_options_table();
  po::options_description all;
  all.add(visible).add_options()("workload", po::value<Arguments>());
  const po::variables_map values =
      parse("run", arguments, all, po::positional_options_description().add("workload", -1));
  CommandLine line;
  if (values.count("help") != 0) {
    line.help = run_help() + table(visible);
    return line;
  }
  RunOptions run;
  if (values.count("workload") == 0 || values["workload"].as<Arguments>().size() != 1) {
    throw UsageError(
        "heddle run: expected one workload; see `heddle run --help` and `heddle list workloads`");
  }
  run.workload = values["workload"].as<Arguments>().front();
  run.config = config_options(values);
  const auto text = [&values](const char* name) {
    return values.count(name) != 0 ? values[name].as<std::string>() : std::string();
  };
  run.scheduler = text("scheduler");
  run.size = text("size");
  run.out = text("out");
  if (values.count("param") != 0) {
    for (const std::string& parameter : values["param"].as<Arguments>()) {
      const auto [name, value] = parse_parameter(parameter);
      run.parameters[name] = value;
    }
  }
  if (values.count("max-cycles") != 0) {
    const auto cycles = whole_number(text("max-cycles"));
    if (!cycles || *cycles == 0) {
      throw UsageError(
          fmt::format("heddle run: --max-cycles {}: expected a whole number from 1", text("max-cycles")));
    }
    run.max_cycles = *cycles;
  }
  if (values.count("vcd-window") != 0) {
    run.vcd_window = parse_window(text("vcd-window"));
  }
  if (values.count("vcd-scope") != 0) {
    run.vcd_scopes = values["vcd-scope"].as<Arguments>();
  }
  run.vcd = values.count("vcd") + values.count("vcd-window") + values.count("vcd-scope") != 0;
  run.no_sleep = values.count("no-sleep") != 0;
  run.reverse_construction = values.count("reverse-construction") != 0;
  run.quiet = values.count("quiet") != 0;
  run.functional = values.count("functional") != 0;
  if (run.functional && run.vcd) {
    throw UsageError("heddle run: --functional has no time, so that there are no waveforms to write");
  }
  line.run = run;
  return line;
}

CommandLine parse_check(const Arguments& arguments) {
  po::options_description options;
  options.add_options()("file", po::value<Arguments>())("help", "");
  const po::variables_map values =
      parse("check", arguments, options, po::positional_options_description().add("file", -1));
  CommandLine line;
  if (values.count("help") != 0) {
    line.help = check_help();
    return line;
  }
  if (values.count("file") == 0) {
    throw UsageError("heddle check: expected at least one file; see `heddle check --help`");
  }
  line.check = CheckOptions{values["file"].as<Arguments>()};
  return line;
}

CommandLine parse_config(const Arguments& arguments) {
  po::options_description visible("Options", kHelpWidth, kHelpWidth / 2);
  add_config_options(visible);
  visible.add_options()("describe", "a comment above every key: meaning, unit, range")("help", "this text");
  po::options_description all;
  all.add(visible).add_options()("action", po::value<Arguments>());
  const po::variables_map values =
      parse("config", arguments, all, po::positional_options_description().add("action", -1));
  CommandLine line;
  if (values.count("help") != 0) {
    line.help = config_help() + table(visible);
    return line;
  }
  const Arguments action = values.count("action") != 0 ? values["action"].as<Arguments>() : Arguments{};
  if (action != Arguments{"show"}) {
    throw UsageError("heddle config: expected `heddle config show`; see `heddle config --help`");
  }
  line.show = ShowOptions{config_options(values), values.count("describe") != 0};
  return line;
}

CommandLine parse_list(const Arguments& arguments) {
  po::options_description options;
  options.add_options()("what", po::value<Arguments>())("help", "");
  const po::variables_map values =
      parse("list", arguments, options, po::positional_options_description().add("what", -1));
  CommandLine line;
  if (values.count("help") != 0) {
    line.help = list_help();
    return line;
  }
  const Arguments what = values.count("what") != 0 ? values["what"].as<Arguments>() : Arguments{};
  if (what.size() != 1 || (what[0] != "schedulers" && what[0] != "configs" && what[0] != "workloads")) {
    throw UsageError("heddle list: expected one of schedulers, configs, workloads");
  }
  line.list = ListOptions{what[0]};
  return line;
}

}  // namespace

std::string RunOptions::model_command() const {
  std::string command = "heddle run " + workload;
  if (!config.config.empty()) {
    command += " --config " + config.config;
  }
  if (!scheduler.empty()) {
    command += " --scheduler " + scheduler;
  }
  for (const std::string& assignment : config.assignments) {
    command += " --set " + assignment;
  }
  if (!size.empty()) {
    command += " --size " + size;
  }
  for (const auto& [name, value] : parameters) {
    command += fmt::format(" --param {}={}", name, value);
  }
  if (max_cycles != 0) {
    command += fmt::format(" --max-cycles {}", max_cycles);
  }
  return command;
}

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
  const std::vector<std::string> commands{"run", "check", "config", "list"};
  if (arguments.empty()) {
    throw UsageError("heddle: expected a command: run, check, config or list; see `heddle --help`");
  }
  const std::string& command = arguments.front();
  const Arguments rest(arguments.begin() + 1, arguments.end());
  if (command == "run") {
    return parse_run(rest);
  }
  if (command == "check") {
    return parse_check(rest);
  }
  if (command == "config") {
    return parse_config(rest);
  }
  if (command == "list") {
    return parse_list(rest);
  }
  CommandLine line;
  if (command == "--help" || command == "-h" || command == "help") {
    line.help = general_help();
  } else if (command == "--version") {
    line.help = "heddle " HEDDLE_VERSION "\n";
  } else {
    throw UsageError(
        fmt::format("heddle: unknown command '{}'{}", command, name_hint(command, commands, "commands")));
  }
  return line;
}

}  // namespace heddle
