#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "workloads/ptx/text/ast.h"
#include "workloads/ptx/text/scope.h"
#include "workloads/ptx/text/token_stream.h"

namespace heddle::ptx {

/// What the parts of the parser share while they read one file.
struct ParseContext {
  TokenStream tokens;
  ast::File& file;
  Scopes scopes;
  std::unordered_map<std::string_view, ast::Function*> functions;
  std::uint64_t instructions = 0;  ///< of all functions so far
  unsigned suggestions = 16;       ///< left

  /// "; did you mean 'X'?" among the names in scope, and among the functions. Only the first errors of a file
  /// get one: each looks at all names.
  std::string suggest_name(std::string_view name);
  std::string suggest_function(std::string_view name);
};

}  // namespace heddle::ptx
