#pragma once

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
};

}  // namespace heddle::ptx
