#include "top/intervals/policy_state.h"

#include <array>
#include <cstdlib>
#include <utility>

#include "hw/pricing/bits.h"

namespace heddle {

const char* to_string(StateSignal::Kind kind) {
  static constexpr std::array<const char*, 3> kNames{"number", "mask", "names"};
  return kNames[static_cast<unsigned>(kind)];
}

void PolicyState::look(std::uint64_t interval, std::vector<StateChange>& changes) {
  const bool first = last_.empty();
  if (first) last_.resize(signals_.size());
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    const std::uint64_t value = *signals_[i].variable;
    if (value == last_[i] && !first) continue;
    last_[i] = value;
    changes.push_back({interval, i, value});
  }
}

void PolicyState::enter(std::string_view scope) {
  scopes_.push_back(scopes_.empty() ? std::string(scope) : scopes_.back() + "." + std::string(scope));
}

void PolicyState::signal(const std::uint64_t& variable, unsigned bits, std::string_view name) {
  add({&variable, bits, 0, std::string(name), StateSignal::Kind::kNumber, {}});
}

void PolicyState::mask(const std::uint64_t& variable, unsigned bits, std::string_view name) {
  add({&variable, bits, 0, std::string(name), StateSignal::Kind::kMask, {}});
}

void PolicyState::enumeration(const std::uint64_t& variable, std::string_view name,
                              const std::vector<std::string>& names) {
  add({&variable, hw::index_bits(static_cast<unsigned>(names.size())), 0, std::string(name),
       StateSignal::Kind::kNames, names});
}

/// The outermost scope is the SM's: "sm3".
void PolicyState::add(StateSignal signal) {
  const std::string full = scopes_.back() + "." + signal.name;
  const std::size_t number = full.find_first_of("0123456789");
  signal.sm = static_cast<unsigned>(std::strtoul(full.c_str() + number, nullptr, 10));
  signal.name = full.substr(full.find('.') + 1);
  signals_.push_back(std::move(signal));
}

}  // namespace heddle
