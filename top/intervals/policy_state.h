#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/observe.h"

namespace heddle {

/// A signal of a policy's state on an SM.
struct StateSignal {
  enum class Kind : std::uint8_t { kNumber, kMask, kNames };
  const std::uint64_t* variable = nullptr;
  unsigned bits = 1;
  unsigned sm = 0;
  std::string name;  ///< as in waves, inside the SM: "ccws.scores.entry3"
  Kind kind = Kind::kNumber;
  std::vector<std::string> values;  ///< their names, with kNames
};
/// "number", "mask", "names".
const char* to_string(StateSignal::Kind kind);

/// A signal that has another value than an interval before.
struct StateChange {
  std::uint64_t interval = 0;
  std::uint64_t signal = 0;  ///< its place among the signals
  std::uint64_t value = 0;
};

/// Collects the signals that policies offer by trace_state(), and tells which of them have changed.
class PolicyState : public WaveSink {
 public:
  const std::vector<StateSignal>& signals() const { return signals_; }
  /// Adds those to `changes` whose value is not that of the last call; all of them at the first one.
  void look(std::uint64_t interval, std::vector<StateChange>& changes);

  void enter(std::string_view scope) override;
  void leave() override { scopes_.pop_back(); }
  bool wanted() const override { return true; }
  void signal(const std::uint64_t& variable, unsigned bits, std::string_view name) override;
  void mask(const std::uint64_t& variable, unsigned bits, std::string_view name) override;
  void enumeration(const std::uint64_t& variable, std::string_view name,
                   const std::vector<std::string>& names) override;

 private:
  void add(StateSignal signal);

  std::vector<StateSignal> signals_;
  std::vector<std::uint64_t> last_;  ///< values; {} before the first look
  std::vector<std::string> scopes_;
};

}  // namespace heddle
