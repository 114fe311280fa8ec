#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/observe.h"
#include "hw/pricing/owner.h"
#include "hw/pricing/ports.h"
#include "hw/pricing/structure.h"

namespace heddle::hw {

/// What a part was used for since it was built.
struct Activity {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t compares = 0;
  std::uint64_t adds = 0;
  std::uint64_t selects = 0;
  std::uint64_t overflows = 0;       ///< results that wrapped or saturated
  std::uint64_t port_conflicts = 0;  ///< hardware timing: uses beyond the ports of a cycle

  std::uint64_t accesses() const { return reads + writes + compares + adds + selects; }
};

/// A piece of priced hardware. It is bit-true, counts its use, knows what it is made of, and is listed in the
/// inventory of its owner for as long as it lives. Values written are seen by calls made after the write, in
/// the same cycle too (a bypass). Parts can't be copied or moved: a row of the inventory is one object.
class Part {
 public:
  virtual ~Part();
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  const std::string& owner() const { return identity_->owner; }
  const std::string& name() const { return identity_->name; }
  PaperCount paper_count() const { return identity_->paper; }
  const Activity& activity() const { return activity_; }
  /// Cycles an operation takes: 0 in ideal timing, at least 1 in hardware timing.
  unsigned cycles() const { return cycles_; }

  virtual Structure structure() const = 0;
  /// Counts of use, in a scope of the part's name.
  void report(StatSink& sink) const;
  /// Contents as waves, in a scope of the part's name; parts without contents show nothing.
  virtual void trace(WaveSink& sink) const;

 protected:
  Part(const Owner& owner, std::string_view name, PaperCount paper);

  bool hardware() const { return timing_ == Timing::kHardware; }
  /// Takes one of `ports`; counts (strict: throws) a conflict when none is free.
  void use(Ports& ports, Cycle cycle, const char* what) {
    if (!ports.use(cycle)) conflict(ports, cycle, what);
  }
  /// Something was used twice in a cycle which can be used once: counts it (strict: throws).
  void conflict(Cycle cycle, const char* what);
  /// `cycles` as configured (0: from the depth of `path`) in hardware timing, 0 in ideal timing.
  unsigned operation_cycles(unsigned configured, const TimingPath& path) const;
  void set_cycles(unsigned cycles) { cycles_ = cycles; }
  /// Throws std::invalid_argument naming the part when `value` is outside [low, high].
  void expect_range(const char* what, std::uint64_t value, std::uint64_t low, std::uint64_t high) const;
  /// Throws std::logic_error: the owner uses a part against its declaration.
  [[noreturn]] void misuse(const std::string& what) const;

 private:
  void conflict(const Ports& ports, Cycle cycle, const char* what);

  /// Kept on the heap, so that what an operation needs lies together.
  struct Identity {
    std::string owner;
    std::string name;
    PaperCount paper;
    Inventory* inventory;
    double clock_fo4;
    bool strict;
  };

  std::unique_ptr<const Identity> identity_;
  Timing timing_;
  unsigned cycles_ = 0;

 protected:
  Activity activity_;  ///< last: beside what the part holds
};

}  // namespace heddle::hw
