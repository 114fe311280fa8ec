#pragma once

#include <cstdint>
#include <vector>

#include "workloads/ptx/text/parse_context.h"

namespace heddle::ptx {

/// Parses what follows `=`: a value or nested `{}`. Sets variable.initial, and a leading dimension of 0 from
/// the number of values. Throws PtxError when there are more values than elements.
void parse_initialiser(ParseContext& context, ast::Variable& variable,
                       std::vector<std::uint64_t>& dimensions);

}  // namespace heddle::ptx
