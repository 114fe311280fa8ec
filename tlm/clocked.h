#pragma once

#include <memory>
#include <string>

#include "tlm/clock_domain.h"
#include "tlm/tick_process.h"

namespace heddle {

/// At one edge blocks of lower order tick first; those of this order and higher tick after all pipelines
/// (ClockDomain::begin_pipeline). Blocks of equal order must not depend on which of them ticks first.
constexpr int kAfterPipelines = 64;

/// Something that does a cycle's work at every edge at which it is awake: its clock domain calls it, or its
/// own SystemC process does (ClockTree::tick_by_processes).
///
/// tick() does one cycle's work and returns whether the block must tick at the next edge too; when it returns
/// false the block sleeps until wake(), wake_in() or an arriving message. A tick with nothing to do must
/// change nothing that is observable (with sleeping off it is called at every edge).
class Clocked {
 public:
  /// What the domain calls for a tick.
  using Tick = bool (*)(Clocked& block);
  /// `tick_this` is tick_of<B> for a block that is a B and nothing derived from it. It saves the way through
  /// the block's table of virtual functions, which the processor may have to fetch before it knows what to
  /// call. `name` is that of the block's module, if it is one.
  Clocked(ClockDomain& domain, int order, std::string name, Tick tick_this = &tick_of_any);
  virtual ~Clocked();
  Clocked(const Clocked&) = delete;
  Clocked& operator=(const Clocked&) = delete;

  virtual bool tick() = 0;
  /// Charges per-cycle statistics for the cycles slept, up to and including domain().cycle_now(). Called
  /// before statistics are read.
  virtual void settle() {}

  /// Of its module, if it is one.
  const std::string& block_name() const { return place_->name; }
  ClockDomain& domain() const { return domain_; }
  int order() const { return order_; }

  /// Ticks at the first edge strictly after the present time.
  void wake() { domain_.wake_next(id_); }
  /// For a neighbour of lower order in the same domain, in its tick: ticks at the present edge. As wake(), or
  /// earlier, when another calls it.
  void wake_this_edge() { domain_.wake_this_edge(id_); }
  /// Another block of the domain ticks, and this one's turn at the edge comes after it.
  bool still_to_tick() const { return domain_.still_to_tick(id_); }
  /// Ticks `cycles` >= 1 edges after the present one (as well as at any earlier wake).
  void wake_in(Cycle cycles) { domain_.wake_in(id_, cycles); }
  /// Ticks at the first edge strictly after `time`.
  void wake_after(Ticks time) { domain_.wake_after(id_, time); }

 protected:
  template <class Block>
  static bool tick_of(Clocked& block) {
    return static_cast<Block&>(block).Block::tick();
  }

 private:
  friend class ClockDomain;
  static bool tick_of_any(Clocked& block) { return block.tick(); }

  /// What the order of the blocks is made of. Apart, so that what a tick needs lies together.
  struct Place {
    std::string name;
    unsigned pipeline = 0;  ///< its number + 1; 0 outside of any
    Tick tick = nullptr;
    bool enrolled = true;                  ///< its domain, which is still there, knows it
    std::unique_ptr<TickProcess> process;  ///< when blocks tick by processes
  };
  ClockDomain& domain_;
  ClockDomain::Id id_ = 0;
  int order_;
  std::unique_ptr<Place> place_;
};

}  // namespace heddle
