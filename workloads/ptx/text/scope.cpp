#include "workloads/ptx/text/scope.h"

#include <charconv>

namespace heddle::ptx {

Scopes::Scopes() { scopes_.emplace_back(); }

void Scopes::enter() {
  scopes_.emplace_back();
  scopes_.back().parent = current_;
  current_ = scopes_.size() - 1;
}

void Scopes::leave() { current_ = scopes_[current_].parent; }

std::size_t Scopes::depth() const {
  std::size_t depth = 0;
  for (std::size_t scope = current_; scope != 0; scope = scopes_[scope].parent) {
    ++depth;
  }
  return depth;
}

bool Scopes::declare_register(std::string_view name, std::uint32_t first,
                              std::optional<std::uint32_t> count) {
  Scope& scope = scopes_[current_];
  if (count) {
    return scope.ranges.emplace(name, RegisterRange{first, *count}).second;
  }
  return scope.registers.emplace(name, first).second;
}

bool Scopes::declare_variable(std::string_view name, const ast::Variable& variable) {
  return scopes_[current_].variables.emplace(name, &variable).second;
}

void Scopes::redeclare_variable(std::string_view name, const ast::Variable& variable) {
  scopes_[current_].variables[name] = &variable;
}

bool Scopes::declare_label(std::string_view name, std::uint32_t target) {
  return scopes_[current_].labels.emplace(name, target).second;
}

std::optional<std::uint32_t> Scopes::find_register_in(const Scope& scope, std::string_view name) {
  if (const auto found = scope.registers.find(name); found != scope.registers.end()) {
    return found->second;
  }
  // A range's own name may end in digits (%r1<4> declares %r10 to %r13): try every split.
  for (std::size_t digits = 1; digits < name.size() && digits <= 9; ++digits) {
    const char* const number = name.data() + name.size() - digits;
    if (*number < '0' || *number > '9') {
      break;
    }
    const auto found = scope.ranges.find(name.substr(0, name.size() - digits));
    if (found == scope.ranges.end() || (*number == '0' && digits > 1)) {
      continue;
    }
    std::uint32_t index = 0;
    std::from_chars(number, number + digits, index);
    if (index < found->second.count) {
      return found->second.first + index;
    }
  }
  return std::nullopt;
}

std::optional<std::uint32_t> Scopes::find_register(std::string_view name) const {
  for (std::size_t scope = current_;; scope = scopes_[scope].parent) {
    if (const auto found = find_register_in(scopes_[scope], name)) {
      return found;
    }
    if (scope == 0) {
      return std::nullopt;
    }
  }
}

const ast::Variable* Scopes::find_variable(std::string_view name) const {
  for (std::size_t scope = current_;; scope = scopes_[scope].parent) {
    const auto found = scopes_[scope].variables.find(name);
    if (found != scopes_[scope].variables.end()) {
      return found->second;
    }
    if (scope == 0) {
      return nullptr;
    }
  }
}

std::optional<std::uint32_t> Scopes::find_label(std::string_view name, std::size_t scope) const {
  for (;; scope = scopes_[scope].parent) {
    const auto found = scopes_[scope].labels.find(name);
    if (found != scopes_[scope].labels.end()) {
      return found->second;
    }
    if (scope == 0) {
      return std::nullopt;
    }
  }
}

std::vector<std::string_view> Scopes::known_names() const {
  std::vector<std::string_view> names;
  for (std::size_t scope = current_;; scope = scopes_[scope].parent) {
    for (const auto& [name, first] : scopes_[scope].registers) {
      names.push_back(name);
    }
    for (const auto& [name, variable] : scopes_[scope].variables) {
      names.push_back(name);
    }
    for (const auto& [name, target] : scopes_[scope].labels) {
      names.push_back(name);
    }
    if (scope == 0) {
      return names;
    }
  }
}

}  // namespace heddle::ptx
