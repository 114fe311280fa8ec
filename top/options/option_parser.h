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
/// The options of every command: --help, --color and those of limit_options().
po::options_description common_table();
/// What an option takes: "NAME"; "[FILE]" when it may be left out, which Boost writes
/// "[=FILE(=timeline.json)]".
std::string value_text(const po::option_description& option);
/// Columns for help: those of the terminal, 110 at most.
unsigned help_width();

/// Parses with Boost.Program_options; its errors become one line that names `command`, with the nearest
/// option for an unknown one. What is no option goes to `positional`. Every command takes the options of
/// common_table() too.
po::variables_map parse(const std::string& command, const Arguments& arguments,
                        const po::options_description& options, const char* positional);

/// The value of an option, or "" ({}) when it is not given.
std::string text_of(const po::variables_map& values, const char* name);
Arguments list_of(const po::variables_map& values, const char* name);

/// As list_of() of an option that takes several values at once: "gto,lrr". Throws UsageError for an empty
/// one.
Arguments values_of(const std::string& command, const po::variables_map& values, const char* name);
/// Throws UsageError when one of `values` stands twice: in means it would count twice. `what` is what
/// messages call it.
void refuse_twice(const std::string& command, const std::string& what, const Arguments& values);
/// The values of `list`, which commas separate; `given` is what messages call it: "--set k=1,2".
Arguments split_values(const std::string& command, const std::string& given, const std::string& list);

/// --config and --set; `otherwise` says what holds without the former.
void add_config_options(po::options_description& options,
                        const char* otherwise = "the defaults are the GTX480-like machine");
ConfigOptions config_options(const po::variables_map& values);

/// An option "FROM:TO" in core cycles; all cycles when it is not given.
CycleWindow window_option(const std::string& command, const po::variables_map& values, const char* name);

/// --param, --size and --registers: what decides the shape of a workload's launches.
void add_shape_options(po::options_description& options);
/// These and --max-cycles.
void add_workload_options(po::options_description& options,
                          const char* max_cycles = "stop after N core cycles");
WorkloadOptions workload_options(const std::string& command, const po::variables_map& values);

/// What is written beside results: --vcd, --vcd-window, --vcd-scope, --fst, --interval, --profile, --tb-log,
/// --technology, --energy.
void add_record_options(po::options_description& options);
RecordOptions record_options(const std::string& command, const po::variables_map& values);
/// --db and --jobs of a command whose runs leave folders without it.
void add_database_option(po::options_description& options);
/// Throws UsageError for options that a folder for each run is needed for, of which `more` are the command's
/// own: in a database there is none.
void refuse_folders(const std::string& command, const po::variables_map& values, const Arguments& more = {});
/// The database, "" without. Throws as refuse_folders() with it, and for --jobs without it.
std::string database_option(const std::string& command, const po::variables_map& values,
                            const Arguments& more = {});
/// --jobs, or 0.
unsigned jobs_option(const std::string& command, const po::variables_map& values);
void add_sample_option(po::options_description& options);
/// `record`: what else the command writes. Throws UsageError where that is of all cycles.
bool sample_option(const std::string& command, const po::variables_map& values, const RecordOptions& record);

/// --registers; `command` is named in messages.
void add_registers_option(po::options_description& options);
std::string registers_option(const std::string& command, const po::variables_map& values);

/// --format.
void add_format_option(po::options_description& options);
OutputFormat format_option(const std::string& command, const po::variables_map& values);

/// --max-memory, --max-seconds, --allow-outside and --color.
LimitOptions limit_options(const std::string& command, const po::variables_map& values);

/// What `heddle sweep` says when there is nothing to sweep.
extern const char* const kNoAxis;

/// Of `--started-by`, which commands give to those that they start: no user has to know of it. 0: not given.
int starting_process(const std::string& command, const po::variables_map& values);

/// "512M": binary units. Nothing when it is no size, or does not fit 64 bits.
std::optional<std::uint64_t> size_in_bytes(const std::string& text);
/// Digits only.
std::optional<std::uint64_t> whole_number(std::string_view text);

}  // namespace option_parser

// Of each command its table of options, for its help, completion and manual too, and what makes an order of
// its arguments; throws UsageError.
option_parser::po::options_description run_options_table();
CommandLine parse_run(const std::vector<std::string>& arguments);
option_parser::po::options_description cost_options_table();
CommandLine parse_cost(const std::vector<std::string>& arguments);
option_parser::po::options_description rtl_options_table();
CommandLine parse_rtl(const std::vector<std::string>& arguments);
option_parser::po::options_description handover_options_table();
CommandLine parse_handover(const std::vector<std::string>& arguments);
option_parser::po::options_description compare_options_table();
CommandLine parse_compare(const std::vector<std::string>& arguments);
option_parser::po::options_description sweep_options_table();
CommandLine parse_sweep(const std::vector<std::string>& arguments);
option_parser::po::options_description results_options_table();
CommandLine parse_results(const std::vector<std::string>& arguments);
option_parser::po::options_description reproduce_options_table();
CommandLine parse_reproduce(const std::vector<std::string>& arguments);
option_parser::po::options_description pairs_options_table();
CommandLine parse_pairs(const std::vector<std::string>& arguments);
option_parser::po::options_description report_options_table();
CommandLine parse_report(const std::vector<std::string>& arguments);
option_parser::po::options_description stats_options_table();
CommandLine parse_stats(const std::vector<std::string>& arguments);
option_parser::po::options_description check_options_table();
CommandLine parse_check(const std::vector<std::string>& arguments);
option_parser::po::options_description config_options_table();
CommandLine parse_config(const std::vector<std::string>& arguments);
option_parser::po::options_description describe_options_table();
CommandLine parse_describe(const std::vector<std::string>& arguments);
option_parser::po::options_description list_options_table();
CommandLine parse_list(const std::vector<std::string>& arguments);
CommandLine parse_completion(const std::vector<std::string>& arguments);

}  // namespace heddle
