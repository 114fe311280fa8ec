#pragma once

#include "top/options/option_parser.h"

namespace heddle::option_parser {

/// --twin.
void add_twin_option(po::options_description& options);
/// --rtl-cache and --rtl-sources.
void add_twin_source_options(po::options_description& options);
/// --vectors and --vectors-sm.
void add_vector_options(po::options_description& options, const char* of);

// Of `command`, which messages name. Throw UsageError.

/// "--vectors N": clock cycles.
std::uint64_t vector_cycles(const std::string& command, const std::string& text);
/// "--vectors-sm SM".
unsigned vectors_sm(const std::string& command, const std::string& text);

}  // namespace heddle::option_parser
