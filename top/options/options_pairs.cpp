// Options of `heddle pairs`.
#include <fmt/format.h>

#include <charconv>

#include "top/options/option_parser.h"

namespace heddle {

using namespace option_parser;

namespace {

constexpr std::uint64_t kAnyNumber = ~std::uint64_t{0};

std::uint64_t number_of(const po::variables_map& values, const char* name, std::uint64_t otherwise,
                        std::uint64_t low, std::uint64_t high) {
  if (values.count(name) == 0) return otherwise;
  const std::string text = text_of(values, name);
  const auto number = whole_number(text);
  if (number && *number >= low && *number <= high) return *number;
  const std::string range =
      high == kAnyNumber ? fmt::format("from {}", low) : fmt::format("{} to {}", low, high);
  throw UsageError(fmt::format("heddle pairs: --{} {}: expected a whole number {}", name, text, range));
}

double factor(const std::string& text) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && rest == text.data() + text.size() && value >= 0 && value <= 1000) return value;
  throw UsageError(fmt::format("heddle pairs: --interference {}: expected a number from 0 to 1000", text));
}

}  // namespace

po::options_description pairs_options_table() {
  po::options_description options = new_table();
  add_config_options(options, "srtf when not given");
  options.add_options()("policy", po::value<Arguments>()->value_name("NAME,...")->composing(),
                        "thread-block dispatch policies; may be given several times; all when not given");
  options.add_options()("arrival", po::value<Arguments>()->value_name("WHEN,...")->composing(),
                        "arrival of each further program after the one before it: core cycles, a share of "
                        "that one's run time alone (25%), or a range to draw from (0-100); may be given "
                        "several times; 100 when not given");
  options.add_options()("together", po::value<std::string>()->value_name("N"),
                        "programs that run at the same time, 2 to 8; 2 when not given")(
      "both-orders", "workloads in all orders, not only as named (those of kind timed always are)")(
      "repetitions", po::value<std::string>()->value_name("N"),
      "runs of each pair, with arrivals and durations drawn anew; 1 when not given")(
      "seed", po::value<std::string>()->value_name("N"), "of what is drawn; 1 when not given")(
      "interference", po::value<std::string>()->value_name("FACTOR"),
      "how much thread blocks of drawn durations slow each other down: 0, none (when not given), 1, as the "
      "workload says, or any factor on that");
  options.add_options()("scheduler", po::value<std::string>()->value_name("NAME"),
                        "warp scheduler of workloads that execute instructions");
  options.add_options()("out", po::value<std::string>()->value_name("DIR"),
                        "folder of the runs; heddle-out/pairs when not given");
  options.add_options()("cache", po::value<std::string>()->value_name("DIR"),
                        "folder in which run times alone are kept; $XDG_CACHE_HOME/heddle/alone or "
                        "~/.cache/heddle/alone when not given");
  options.add_options()("max-cycles", po::value<std::string>()->value_name("N"),
                        "stop each run of such workloads after N core cycles");
  add_registers_option(options);
  add_record_options(options);
  add_format_option(options);
  add_database_option(options);
  options.add_options()("detail", "every pair, not only the means");
  options.add_options()("quiet", "no progress");
  return options;
}

CommandLine parse_pairs(const Arguments& arguments) {
  po::options_description options;
  options.add(pairs_options_table()).add_options()("started-by", po::value<std::string>());
  const po::variables_map values = parse("pairs", arguments, options, "workload");
  CommandLine line;
  PairsOptions pairs;
  pairs.workloads = list_of(values, "workload");
  if (pairs.workloads.empty()) {
    throw UsageError(
        "heddle pairs: expected a workload of kind timed, or workloads that execute instructions; see "
        "`heddle pairs --help`");
  }
  pairs.config = config_options(values);
  pairs.policies = values_of("pairs", values, "policy");
  pairs.arrivals = values_of("pairs", values, "arrival");
  pairs.format = format_option("pairs", values);
  pairs.registers = registers_option("pairs", values);
  pairs.detail = values.count("detail") != 0;
  pairs.scheduler = text_of(values, "scheduler");
  pairs.out = text_of(values, "out");
  pairs.cache = text_of(values, "cache");
  pairs.database = database_option("pairs", values, {"cache"});
  pairs.jobs = jobs_option("pairs", values);
  pairs.max_cycles = number_of(values, "max-cycles", 0, 1, kAnyNumber);
  pairs.together = static_cast<unsigned>(number_of(values, "together", 2, 2, 8));
  pairs.repetitions = static_cast<unsigned>(number_of(values, "repetitions", 1, 1, 1000));
  pairs.seed = number_of(values, "seed", 1, 0, kAnyNumber);
  pairs.both_orders = values.count("both-orders") != 0;
  pairs.quiet = values.count("quiet") != 0;
  pairs.record = record_options("pairs", values);
  pairs.started_by = starting_process("pairs", values);
  if (values.count("interference") != 0) pairs.interference = factor(text_of(values, "interference"));
  if (pairs.arrivals.empty()) pairs.arrivals = {"100"};
  line.limits = limit_options("pairs", values);
  line.pairs = pairs;
  return line;
}

}  // namespace heddle
