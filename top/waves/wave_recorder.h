#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/observe.h"

namespace heddle {

/// One variable that waveforms show.
struct WaveSignal {
  const std::uint64_t* variable = nullptr;
  unsigned bits = 1;
  std::string scope;  ///< "sm0.scheduler1"
  std::string name;
  std::vector<std::string> values;         ///< names of the values, "" when it has none
  const std::uint64_t* version = nullptr;  ///< it changes only when this does; nullptr: that is not known

  std::string full_name() const { return scope.empty() ? name : scope + "." + name; }
};

/// Collects the signals that blocks offer and that a pattern asks for, in the order in which they come.
class WaveRecorder : public WaveSink {
 public:
  /// `patterns` are globs on full names ("sm0.*"); none = every signal.
  explicit WaveRecorder(std::vector<std::string> patterns) : patterns_(std::move(patterns)) {}

  const std::vector<WaveSignal>& signals() const { return signals_; }

  void enter(std::string_view scope) override;
  void leave() override;
  bool wanted() const override;
  void change_with(const std::uint64_t& version) override { version_ = &version; }
  void signal(const std::uint64_t& variable, unsigned bits, std::string_view name) override;
  void enumeration(const std::uint64_t& variable, std::string_view name,
                   const std::vector<std::string>& names) override;

 private:
  /// If it is wanted.
  void add(WaveSignal signal);

  std::vector<std::string> patterns_;
  std::vector<WaveSignal> signals_;
  /// What enter() finds, for leave().
  struct Outside {
    std::size_t scope_length;
    const std::uint64_t* version;
  };

  std::string scope_;
  const std::uint64_t* version_ = nullptr;  ///< of the present scope
  std::vector<Outside> outside_;
};

}  // namespace heddle
