#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// What a block tells about itself. Blocks implement `void report(StatSink&) const`, calling the same members
/// in the same order every time; values are cumulative since the start unless they are levels.
class StatSink {
 public:
  virtual ~StatSink() = default;

  /// Opens a named scope ("sm0", "scheduler1"); scopes nest.
  virtual void enter(std::string_view scope) = 0;
  virtual void leave() = 0;
  /// A monotonic count. `unit` such as "cycles", "requests", "bytes". Launch figures are differences of it.
  virtual void count(std::string_view name, std::uint64_t value, std::string_view unit,
                     std::string_view description) = 0;
  /// A level or extreme (peak occupancy): reported as it stands, never subtracted.
  virtual void level(std::string_view name, double value, std::string_view unit,
                     std::string_view description) = 0;
};

/// Scope guard for StatSink::enter and leave.
class StatScope {
 public:
  StatScope(StatSink& sink, std::string_view name) : sink_(sink) { sink_.enter(name); }
  ~StatScope() { sink_.leave(); }
  StatScope(const StatScope&) = delete;
  StatScope& operator=(const StatScope&) = delete;

 private:
  StatSink& sink_;
};

/// Where a block registers the variables that waveforms show. Blocks implement `void trace(WaveSink&)`; they
/// keep such variables up to date only when trace() was called (one untaken branch otherwise), at the cycle
/// in which the value holds, also while they sleep.
class WaveSink {
 public:
  virtual ~WaveSink() = default;
  virtual void enter(std::string_view scope) = 0;
  virtual void leave() = 0;
  /// True when some signal of the present scope is wanted; a block may skip its set-up otherwise.
  virtual bool wanted() const = 0;
  /// Signals that come from here on in the present scope and in scopes inside it change only when `version`
  /// does, which must live as long as they: a sink need not look at them otherwise.
  virtual void change_with(const std::uint64_t& /*version*/) {}
  /// `variable` must live as long as the simulation. `bits` 1 to 64.
  virtual void signal(const std::uint64_t& variable, unsigned bits, std::string_view name) = 0;
  /// A signal whose bits stand for one thing each, a warp or a TB say.
  virtual void mask(const std::uint64_t& variable, unsigned bits, std::string_view name) {
    signal(variable, bits, name);
  }
  /// A signal with named values, as wide as they need: names[v] is shown for value v.
  virtual void enumeration(const std::uint64_t& variable, std::string_view name,
                           const std::vector<std::string>& names) = 0;
};

/// Scope guard for WaveSink::enter and leave.
class WaveScope {
 public:
  WaveScope(WaveSink& sink, std::string_view name) : sink_(sink) { sink_.enter(name); }
  /// Of signals that change only when `version` does.
  WaveScope(WaveSink& sink, std::string_view name, const std::uint64_t& version) : WaveScope(sink, name) {
    sink_.change_with(version);
  }
  ~WaveScope() { sink_.leave(); }
  WaveScope(const WaveScope&) = delete;
  WaveScope& operator=(const WaveScope&) = delete;

 private:
  WaveSink& sink_;
};

/// While one lives, probes take no listeners: with it a test sees that nothing but observation hangs on them.
class DeafProbes {
 public:
  DeafProbes() { ++count(); }
  ~DeafProbes() { --count(); }
  DeafProbes(const DeafProbes&) = delete;
  DeafProbes& operator=(const DeafProbes&) = delete;
  static bool any() { return count() != 0; }

 private:
  static unsigned& count() {
    static unsigned living = 0;
    return living;
  }
};

/// A point at which a block publishes an event to those who look on. Costs one untaken branch without a
/// listener. The model does the same with and without one: what acts on an event is bound to an EventPort.
template <class... Args>
class Probe {
 public:
  using Listener = std::function<void(Args...)>;
  void listen(Listener listener) {
    if (!DeafProbes::any()) listeners_.push_back(std::move(listener));
  }
  /// True when there is a listener: what fire() needs is worth computing.
  bool heard() const { return !listeners_.empty(); }
  void fire(Args... args) const {
    if (!listeners_.empty()) tell(args...);
  }

 private:
  /// Not inlined and marked cold, so that the code around fire() stays short.
  [[gnu::cold, gnu::noinline]] void tell(Args... args) const {
    for (const Listener& listener : listeners_) listener(args...);
  }

 protected:
  std::vector<Listener> listeners_;
};

/// A point at which a block tells an event to those who act on it, and to those who look on. The former are
/// called first, in the order in which they were bound.
template <class... Args>
class EventPort : public Probe<Args...> {
 public:
  using Receiver = typename Probe<Args...>::Listener;
  void bind(Receiver receiver) {
    this->listeners_.insert(this->listeners_.begin() + receivers_++, std::move(receiver));
  }

 private:
  std::ptrdiff_t receivers_ = 0;
};

}  // namespace heddle
