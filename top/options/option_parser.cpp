#include "top/options/option_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/nearest_name.h"
#include "top/support/processes/ptxas.h"

namespace heddle::option_parser {

namespace {

constexpr int kStyle = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
constexpr unsigned kHelpWidth = 110;
constexpr unsigned kLeastHelpWidth = 40;

std::pair<std::string, std::int64_t> parse_parameter(const std::string& command, const std::string& text) {
  const std::size_t equals = text.find('=');
  std::int64_t value = 0;
  if (equals != std::string::npos && equals != 0) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, value);
    if (error == std::errc() && stop == end && equals + 1 != text.size()) {
      return {text.substr(0, equals), value};
    }
  }
  throw UsageError(fmt::format("heddle {}: --param {}: expected NAME=INTEGER", command, text));
}

/// "; did you mean '--scheduler'?", or "" when nothing is near.
std::string nearest_option(const std::string& name, const po::options_description& options) {
  std::vector<std::string> known;
  for (const auto& option : options.options()) known.push_back(option->long_name());
  const std::string nearest =
      nearest_name(name.substr(std::min(name.find_first_not_of('-'), name.size())), known);
  return nearest.empty() ? "" : fmt::format("; did you mean '--{}'?", nearest);
}

constexpr std::uint64_t kMostIntervalCycles = 1'000'000'000;

std::uint64_t parse_interval(const std::string& command, const std::string& text) {
  const auto cycles = whole_number(text);
  if (!cycles || *cycles == 0 || *cycles > kMostIntervalCycles) {
    throw UsageError(fmt::format("heddle {}: --interval {}: expected a number of core cycles, 1 to {}",
                                 command, text, kMostIntervalCycles));
  }
  return *cycles;
}

}  // namespace

LimitOptions limit_options(const std::string& command, const po::variables_map& values) {
  constexpr std::uint64_t kMostSeconds = 1'000'000'000;
  LimitOptions limits;
  if (values.count("max-memory") != 0) {
    const std::string text = text_of(values, "max-memory");
    const auto bytes = size_in_bytes(text);
    if (!bytes || *bytes < kLeastMemoryBytes) {
      throw UsageError(fmt::format(
          "heddle {}: --max-memory {}: expected a number of bytes, also with K, M, G or T, of at least {}M",
          command, text, kLeastMemoryBytes >> 20U));
    }
    limits.budget.memory_bytes = *bytes;
  }
  if (values.count("max-seconds") != 0) {
    const std::string text = text_of(values, "max-seconds");
    const auto seconds = whole_number(text);
    if (!seconds || *seconds == 0 || *seconds > kMostSeconds) {
      throw UsageError(fmt::format("heddle {}: --max-seconds {}: expected a whole number, 1 to {}", command,
                                   text, kMostSeconds));
    }
    limits.budget.seconds = *seconds;
  }
  limits.allow_outside = values.count("allow-outside") != 0;
  const std::string colour = text_of(values, "color");
  if (colour == "always") {
    limits.colour = ColourChoice::kAlways;
  } else if (colour == "never") {
    limits.colour = ColourChoice::kNever;
  } else if (!colour.empty() && colour != "auto") {
    throw UsageError(fmt::format("heddle {}: --color {}: expected auto, always or never", command, colour));
  }
  return limits;
}

std::string value_text(const po::option_description& option) {
  const std::string shown = option.format_parameter();
  const std::string optional = "[=";
  if (shown.rfind(optional, 0) != 0) return shown;
  return "[" + shown.substr(optional.size(), shown.find('(') - optional.size()) + "]";
}

unsigned help_width() {
  const std::size_t width = stdout_layout().width;
  return width == 0 ? kHelpWidth
                    : std::clamp<unsigned>(static_cast<unsigned>(width), kLeastHelpWidth, kHelpWidth);
}

po::options_description new_table() { return {"Options", help_width(), help_width() / 2}; }

po::options_description common_table() {
  po::options_description options("Options of every command", help_width(), help_width() / 2);
  options.add_options()(
      "color", po::value<std::string>()->value_name("auto|always|never"),
      "colours; auto, when not given: on a terminal, unless NO_COLOR is set or TERM is dumb")(
      "max-memory", po::value<std::string>()->value_name("BYTES"),
      "resident memory of all its processes, as 512M or 4G; three quarters of the machine's when not given; "
      "then it ends with what it has")(
      "max-seconds", po::value<std::string>()->value_name("N"),
      "wall-clock time; no limit when not given; then it ends with what it has")(
      "allow-outside",
      "workloads and configurations may name files outside of their own folder and Heddle's")("help",
                                                                                              "this text");
  return options;
}

namespace {

/// An option in the place of another one's value, as in `--out --quiet`, is a value that was forgotten.
void check_values(const std::string& command, const po::parsed_options& parsed,
                  const po::options_description& named) {
  for (const po::option& option : parsed.options) {
    if (option.string_key.empty() || option.original_tokens.size() < 2) continue;
    const std::string& value = option.original_tokens[1];
    if (value.rfind("--", 0) != 0) continue;
    const std::string name = value.substr(2, value.find('=') - 2);
    if (named.find_nothrow(name, false) == nullptr) continue;
    throw UsageError(fmt::format("heddle {}: --{}: expected {}, found the option {}; see `heddle {} --help`",
                                 command, option.string_key, value_text(named.find(option.string_key, false)),
                                 value, command));
  }
}

}  // namespace

po::variables_map parse(const std::string& command, const Arguments& arguments,
                        const po::options_description& options, const char* positional) {
  po::options_description named;
  named.add(options).add(common_table());
  po::options_description all;
  all.add(named).add_options()(positional, po::value<Arguments>());
  po::variables_map values;
  try {
    const auto places = po::positional_options_description().add(positional, -1);
    const po::parsed_options parsed =
        po::command_line_parser(arguments).options(all).positional(places).style(kStyle).run();
    check_values(command, parsed, named);
    po::store(parsed, values);
    po::notify(values);
  } catch (const po::unknown_option& error) {
    throw UsageError(fmt::format("heddle {}: {}{}; see `heddle {} --help`", command, error.what(),
                                 nearest_option(error.get_option_name(), named), command));
  } catch (const po::error& error) {
    throw UsageError(fmt::format("heddle {}: {}; see `heddle {} --help`", command, error.what(), command));
  }
  return values;
}

std::string text_of(const po::variables_map& values, const char* name) {
  return values.count(name) != 0 ? values[name].as<std::string>() : std::string();
}

Arguments list_of(const po::variables_map& values, const char* name) {
  return values.count(name) != 0 ? values[name].as<Arguments>() : Arguments();
}

Arguments split_values(const std::string& command, const std::string& given, const std::string& list) {
  Arguments parts;
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t comma = std::min(list.find(',', from), list.size());
    if (comma == from) throw UsageError(fmt::format("heddle {}: {}: a value is empty", command, given));
    parts.push_back(list.substr(from, comma - from));
    from = comma + 1;
  }
  return parts;
}

void refuse_twice(const std::string& command, const std::string& what, const Arguments& values) {
  for (auto value = values.begin(); value != values.end(); ++value) {
    if (std::find(values.begin(), value, *value) != value)
      throw UsageError(fmt::format("heddle {}: {} '{}' stands twice", command, what, *value));
  }
}

Arguments values_of(const std::string& command, const po::variables_map& values, const char* name) {
  Arguments all;
  for (const std::string& list : list_of(values, name)) {
    const Arguments parts = split_values(command, fmt::format("--{} {}", name, list), list);
    all.insert(all.end(), parts.begin(), parts.end());
  }
  return all;
}

void add_config_options(po::options_description& options, const char* otherwise) {
  options.add_options()("config", po::value<std::string>()->value_name("FILE|NAME"),
                        fmt::format("configuration; {}", otherwise).c_str())(
      "set", po::value<Arguments>()->value_name("KEY=VALUE")->composing(),
      "override one configuration key; may be given several times");
}

ConfigOptions config_options(const po::variables_map& values) {
  return {text_of(values, "config"), list_of(values, "set")};
}

void add_shape_options(po::options_description& options) {
  options.add_options()("param", po::value<Arguments>()->value_name("NAME=INTEGER")->composing(),
                        "override one parameter of the workload");
  options.add_options()("size", po::value<std::string>()->value_name("NAME"),
                        "one of the workload's named sizes, e.g. large");
  add_registers_option(options);
}

void add_workload_options(po::options_description& options, const char* max_cycles) {
  add_shape_options(options);
  options.add_options()("max-cycles", po::value<std::string>()->value_name("N"), max_cycles);
}

WorkloadOptions workload_options(const std::string& command, const po::variables_map& values) {
  WorkloadOptions options;
  for (const std::string& parameter : list_of(values, "param")) {
    const auto [name, value] = parse_parameter(command, parameter);
    options.parameters[name] = value;
  }
  options.size = text_of(values, "size");
  options.registers = registers_option(command, values);
  if (values.count("max-cycles") != 0) {
    const std::string text = text_of(values, "max-cycles");
    const auto cycles = whole_number(text);
    if (!cycles || *cycles == 0) {
      throw UsageError(
          fmt::format("heddle {}: --max-cycles {}: expected a whole number from 1", command, text));
    }
    options.max_cycles = *cycles;
  }
  return options;
}

CycleWindow window_option(const std::string& command, const po::variables_map& values, const char* name) {
  CycleWindow window;
  if (values.count(name) == 0) return window;
  const std::string text = text_of(values, name);
  const std::size_t colon = text.find(':');
  const std::string_view view = text;
  const auto from = whole_number(view.substr(0, colon));
  bool valid = from && colon != std::string::npos;
  if (valid && colon + 1 != text.size()) {
    const auto to = whole_number(view.substr(colon + 1));
    valid = to.has_value();
    window.to = to.value_or(0);
  }
  if (!valid || *from >= window.to) {
    throw UsageError(
        fmt::format("heddle {}: --{} {}: expected FROM:TO in core cycles with FROM < TO (TO may be left out)",
                    command, name, text));
  }
  window.from = *from;
  return window;
}

void add_record_options(po::options_description& options) {
  options.add_options()("vcd", "write waveforms (waves.vcd) and a GTKWave save file (waves.gtkw)");
  options.add_options()("vcd-window", po::value<std::string>()->value_name("FROM:TO"),
                        "only the core cycles from FROM up to TO; implies --vcd");
  options.add_options()(
      "vcd-scope", po::value<Arguments>()->value_name("GLOB")->composing(),
      "only signals whose name matches, e.g. 'sm0.*'; may be given several times; implies --vcd");
  options.add_options()("fst", "write waves.fst instead of waves.vcd, by GTKWave's vcd2fst; implies --vcd");
  options.add_options()("interval", po::value<std::string>()->value_name("N"),
                        "write statistics over time (intervals.sqlite): what was counted in every N core "
                        "cycles, and the scheduler's state at their ends; same results");
  options.add_options()("profile",
                        "write profile.json: the state of every warp in every cycle, summed by scheduler, "
                        "launch and PTX line; what each line accesses; same results");
  options.add_options()(
      "tb-log",
      "write the lives of thread blocks and warps, what SMs have allocated over time, and what "
      "the dispatch policy predicts");
  options.add_options()("technology", po::value<std::string>()->value_name("FILE|NAME"),
                        "what turns gates into area and energy in cost.json; see `heddle cost --help`");
  options.add_options()("energy", po::value<std::string>()->value_name("FILE|NAME"),
                        "what the events of the machine cost, one of configs/energy/; gf100 when not given");
}

void add_sample_option(po::options_description& options) {
  options.add_options()("sample",
                        "simulate in detail the thread blocks that are needed, execute the others without "
                        "timing, and estimate what all would have taken, and the estimate's error; whole "
                        "launches where that can't be done");
}

bool sample_option(const std::string& command, const po::variables_map& values, const RecordOptions& record) {
  if (values.count("sample") == 0) return false;
  const std::string other = record.needs_all_cycles();
  if (other.empty()) return true;
  throw UsageError(fmt::format(
      "heddle {}: {} is of all cycles, of which --sample leaves most out: expected one of the two", command,
      other));
}

RecordOptions record_options(const std::string& command, const po::variables_map& values) {
  RecordOptions record;
  WaveOptions& waves = record.waves;
  waves.window = window_option(command, values, "vcd-window");
  waves.scopes = list_of(values, "vcd-scope");
  waves.fst = values.count("fst") != 0;
  waves.wanted =
      values.count("vcd") + values.count("vcd-window") + values.count("vcd-scope") != 0 || waves.fst;
  if (values.count("interval") != 0)
    record.interval_cycles = parse_interval(command, text_of(values, "interval"));
  record.profile = values.count("profile") != 0;
  record.tb_log = values.count("tb-log") != 0;
  record.technology = text_of(values, "technology");
  record.energy = text_of(values, "energy");
  return record;
}

void add_registers_option(po::options_description& options) {
  options.add_options()("registers", po::value<std::string>()->value_name("ptxas[:sm_XX]"),
                        "take the registers of kernels for which the workload gives none from `ptxas -v`, "
                        "compiling for sm_XX; Heddle counts them itself when not given");
}

std::string registers_option(const std::string& command, const po::variables_map& values) {
  std::string registers = text_of(values, "registers");
  if (!registers.empty() && !is_ptxas_request(registers)) {
    throw UsageError(
        fmt::format("heddle {}: --registers {}: expected ptxas, or ptxas:sm_XX with the GPU to compile for",
                    command, registers));
  }
  return registers;
}

void add_format_option(po::options_description& options) {
  options.add_options()("format", po::value<std::string>()->value_name("text|markdown|csv|json"),
                        "how results are printed; text when not given");
}

OutputFormat format_option(const std::string& command, const po::variables_map& values) {
  if (values.count("format") == 0) return OutputFormat::kText;
  const auto format = output_format(text_of(values, "format"));
  if (format) return *format;
  throw UsageError(fmt::format("heddle {}: --format {}: expected text, markdown, csv or json", command,
                               text_of(values, "format")));
}

void add_database_option(po::options_description& options) {
  options.add_options()("db", po::value<std::string>()->value_name("FILE"),
                        "results go to this database, and what it has is not run again")(
      "jobs", po::value<std::string>()->value_name("N"),
      "processes at once, as many as processors when not given");
}

void refuse_folders(const std::string& command, const po::variables_map& values, const Arguments& more) {
  Arguments of_folders{"out", "vcd", "vcd-window", "vcd-scope", "fst", "interval", "profile", "tb-log"};
  of_folders.insert(of_folders.end(), more.begin(), more.end());
  for (const std::string& name : of_folders) {
    if (values.count(name) == 0) continue;
    throw UsageError(fmt::format(
        "heddle {}: --{} is for runs that leave folders; with --db the results are in the database", command,
        name));
  }
}

std::string database_option(const std::string& command, const po::variables_map& values,
                            const Arguments& more) {
  if (values.count("db") == 0) return "";
  refuse_folders(command, values, more);
  return text_of(values, "db");
}

unsigned jobs_option(const std::string& command, const po::variables_map& values) {
  constexpr std::uint64_t kMostJobs = 4096;
  const std::string text = text_of(values, "jobs");
  if (text.empty()) return 0;
  const auto jobs = whole_number(text);
  if (jobs && *jobs != 0 && *jobs <= kMostJobs) return static_cast<unsigned>(*jobs);
  throw UsageError(fmt::format("heddle {}: --jobs {}: expected a number, 1 to {}", command, text, kMostJobs));
}

int starting_process(const std::string& command, const po::variables_map& values) {
  constexpr std::uint64_t kMost = 1 << 30;
  const std::string text = text_of(values, "started-by");
  if (text.empty()) return 0;
  const auto process = whole_number(text);
  if (!process || *process == 0 || *process > kMost)
    throw UsageError(fmt::format("heddle {}: --started-by {}: expected a process", command, text));
  return static_cast<int>(*process);
}

std::optional<std::uint64_t> size_in_bytes(const std::string& text) {
  const std::string units = "KMGT";
  const std::size_t unit = text.empty() ? std::string::npos : units.find(text.back());
  const bool has_unit = unit != std::string::npos;
  const auto number = whole_number(std::string_view(text).substr(0, text.size() - (has_unit ? 1 : 0)));
  const std::size_t bits = has_unit ? 10 * (unit + 1) : 0;
  if (!number || *number > ~std::uint64_t{0} >> bits) return std::nullopt;
  return *number << bits;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

}  // namespace heddle::option_parser

namespace heddle {

const char* RecordOptions::needs_all_cycles() const {
  if (waves.wanted) return "--vcd";
  if (interval_cycles != 0) return "--interval";
  if (profile) return "--profile";
  return tb_log ? "--tb-log" : "";
}

}  // namespace heddle
