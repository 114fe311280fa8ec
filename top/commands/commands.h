#pragma once

#include "top/options/options.h"
#include "top/support/processes/exit_code.h"

namespace heddle {

/// The sub-commands. They print to stdout, report errors of single files to stderr, and throw what stops
/// them.
ExitCode run_command(const RunOptions& options);
ExitCode cost_command(const CostOptions& options);
/// Throws RtlError for a scheduler without a twin, OutputError for a folder that can't be written.
ExitCode rtl_command(const RtlOptions& options);
/// Throws likewise, and RtlError for a tool that is missing or fails.
ExitCode handover_command(const HandoverOptions& options);
/// Throws ResultsError for folders without results.
ExitCode report_command(const ReportOptions& options);
/// Throws ResultsError likewise, and for a pattern that no figure matches.
ExitCode stats_command(const StatsOptions& options);
ExitCode compare_command(const CompareOptions& options);
ExitCode sweep_command(const SweepOptions& options);
/// Throws OutputError and ResultsError for a database that can't be used, and UsageError for points that
/// there are none of.
ExitCode results_command(const ResultsOptions& options);
ExitCode check_command(const CheckOptions& options);
ExitCode show_command(const ShowOptions& options);
ExitCode list_command(const ListOptions& options);
/// Throws ResultsError for folders without results, and what a workload can't be loaded for.
ExitCode describe_command(const DescribeOptions& options);
/// Throws std::invalid_argument for an arrival that can't be read.
ExitCode pairs_command(const PairsOptions& options);

/// Throws FileNotFound for a paper, UsageError for a figure that there is not.
ExitCode reproduce_command(const ReproduceOptions& options);

/// Throws OutputError when a file of the guide can't be written.
ExitCode shell_command(const ShellOptions& options);

}  // namespace heddle
