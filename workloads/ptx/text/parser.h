#pragma once

#include <string>
#include <string_view>

#include "workloads/ptx/text/ast.h"

namespace heddle::ptx {

/// Parses a PTX file: names are resolved, mnemonics decoded; nothing is lowered. The result refers to `text`.
/// What is wrong with a single function is its `error`. Throws PtxError for the rest.
ast::File parse(std::string_view text, const std::string& file);

}  // namespace heddle::ptx
