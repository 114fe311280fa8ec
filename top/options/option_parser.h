#pragma once

#include <boost/program_options.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "top/options/options.h"

namespace heddle {

/// The tools that the commands' option tables are made of, for top/options*.cpp alone.
namespace option_parser {

namespace po = boost::program_options;
using Arguments = std::vector<std::string>;

/// An empty table, as wide as the help texts.
po::options_description new_table();
/// For help: with those of limit_options().
std::string to_text(const po::options_description& options);

/// Parses with Boost.Program_options; its errors become one line that names `command`, with the nearest
/// option for an unknown one. What is no option goes to `positional`. Every command takes the options of
/// limit_options() too.
po::variables_map parse(const std::string& command, const Arguments& arguments,
                        const po::options_description& options, const char* positional);

/// The value of an option, or "" ({}) when it is not given.
std::string text_of(const po::variables_map& values, const char* name);
Arguments list_of(const po::variables_map& values, const char* name);

/// As list_of() of an option that takes several values at once: "gto,lrr". Throws UsageError for an empty
/// one.
Arguments values_of(const std::string& command, const po::variables_map& values, const char* name);
/// The values of `list`, which commas separate; `given` is what messages call it: "--set k=1,2".
Arguments split_values(const std::string& command, const std::string& given, const std::string& list);

/// --config and --set.
void add_config_options(po::options_description& options);
ConfigOptions config_options(const po::variables_map& values);

/// --interval: core cycles, 0 when it is not given.
constexpr std::uint64_t kMostIntervalCycles = 1'000'000'000;
void add_interval_option(po::options_description& options);
std::uint64_t interval_option(const std::string& command, const po::variables_map& values);

/// An option "FROM:TO" in core cycles; all cycles when it is not given.
CycleWindow window_option(const std::string& command, const po::variables_map& values, const char* name);

/// --param, --size, --registers, --max-cycles and --interval.
void add_workload_options(po::options_description& options);
WorkloadOptions workload_options(const std::string& command, const po::variables_map& values);

/// --max-memory, --max-seconds and --allow-outside.
LimitOptions limit_options(const std::string& command, const po::variables_map& values);

/// Digits only.
std::optional<std::uint64_t> whole_number(std::string_view text);

}  // namespace option_parser

CommandLine parse_run(const std::vector<std::string>& arguments);
CommandLine parse_cost(const std::vector<std::string>& arguments);
CommandLine parse_compare(const std::vector<std::string>& arguments);
CommandLine parse_sweep(const std::vector<std::string>& arguments);
CommandLine parse_pairs(const std::vector<std::string>& arguments);

}  // namespace heddle
