#pragma once

#include <optional>

#include "workloads/ptx/text/parse_context.h"

namespace heddle::ptx {

/// The space that a declaration such as `.shared` opens; nothing for other directives.
std::optional<Space> declared_space(const Token& token);

/// Parses the declaration after its linkage: `.shared .align 4 .b8 name[16] = {...}, other;` without the `;`.
/// With `single`, as in a parameter list, stops before a comma. Returns the last variable declared.
const ast::Variable& parse_variables(ParseContext& context, bool is_extern, bool single);

/// Parses `.reg .b32 %r<10>, %x` without the `;`. Returns the last register's number.
std::uint32_t parse_registers(ParseContext& context, ast::Function& function, bool single);

}  // namespace heddle::ptx
