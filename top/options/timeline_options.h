#pragma once

#include "top/options/option_parser.h"

namespace heddle::option_parser {

/// --timeline and what says more about it.
void add_timeline_options(po::options_description& options);

/// A word after --timeline is its FILE if it ends in .json: then they become `--timeline=FILE`. Otherwise
/// --timeline goes to the end, where Boost finds no word that it could take for one.
Arguments with_timeline_file(Arguments arguments);

/// Throws UsageError.
void take_timeline_options(const po::variables_map& values, RunOptions& run);

}  // namespace heddle::option_parser
