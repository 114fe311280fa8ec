#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "workloads/ptx/text/ast.h"

namespace heddle::ptx {

/// The names that `{ }` nests: registers, variables and labels of a function body, module variables at the
/// bottom. Scopes that were left stay known by number, since labels may be used before they are defined.
class Scopes {
 public:
  Scopes();

  void enter();
  void leave();
  std::size_t current() const { return current_; }
  /// How many there have been.
  std::size_t number() const { return scopes_.size(); }
  /// Leaves scopes until `scope`, one around the current scope, is the current one.
  void leave_to(std::size_t scope) { current_ = scope; }
  std::size_t depth() const;

  /// Registers `name`, or with a count name0, name1, ... numbered from `first`. False when the name is taken.
  bool declare_register(std::string_view name, std::uint32_t first, std::optional<std::uint32_t> count);
  bool declare_variable(std::string_view name, const ast::Variable& variable);
  /// Replaces a declaration of the current scope.
  void redeclare_variable(std::string_view name, const ast::Variable& variable);
  bool declare_label(std::string_view name, std::uint32_t target);

  std::optional<std::uint32_t> find_register(std::string_view name) const;
  const ast::Variable* find_variable(std::string_view name) const;
  /// The label as seen from scope number `scope`.
  std::optional<std::uint32_t> find_label(std::string_view name, std::size_t scope) const;

  /// Names of single registers, variables and labels seen from the current scope, for suggestions.
  std::vector<std::string_view> known_names() const;

 private:
  struct RegisterRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  struct Scope {
    std::size_t parent = 0;
    std::unordered_map<std::string_view, std::uint32_t> registers;
    std::unordered_map<std::string_view, RegisterRange> ranges;
    std::unordered_map<std::string_view, const ast::Variable*> variables;
    std::unordered_map<std::string_view, std::uint32_t> labels;
  };

  static std::optional<std::uint32_t> find_register_in(const Scope& scope, std::string_view name);

  std::vector<Scope> scopes_;
  std::size_t current_ = 0;
};

}  // namespace heddle::ptx
