#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include "base/ticks.h"
#include "tlm/strands/hand_over.h"
#include "tlm/strands/strand_deal.h"
#include "tlm/strands/strand_team.h"

namespace heddle {

class ClockDomain;

/// Clock domains of one period whose blocks tick at the same time, on several threads, and those that tick
/// beside them; see ClockTree::make_strands.
class ClockStrands {
 public:
  struct Domains {
    std::vector<ClockDomain*> beside;  ///< tick on the caller's thread, before its strands
    std::vector<ClockDomain*> strands;
  };

  /// The domains must live as long. `done` is called behind all of them. `threads` >= 1.
  ClockStrands(Domains domains, unsigned threads, std::function<void()> done);

  /// The earliest edge of any strand.
  Ticks due() const { return due_; }
  /// What is beside the strands may be late for its edges after `now` and before `time`, up to which the
  /// strands have none: those that hear them have none either, whatever the others do.
  bool may_be_late(Ticks now, Ticks time) const;
  /// Handles the edge at `now`, which some strand has, of all these domains, and what those beside are late
  /// for. Returns whether several threads did, so that wake-ups are noted which domains behind them have not
  /// heard.
  bool tick(Ticks now);
  /// Another edge than the strands' is handled.
  void pass(Ticks now) { beside_now_ = now; }
  /// Blocks tick at the moment, on several threads.
  bool running() const { return running_; }

  /// Something was thrown at the last edge, by a block (ClockDomain::rethrow_fault) or by `done`.
  bool faulted() const;
  /// Rethrows what `done` threw, if anything.
  void rethrow_fault() const;

  std::size_t size() const { return domains_.strands.size(); }

 private:
  /// What a thread knows of its strands, so that the others need not look at these.
  struct alignas(64) Thread {
    std::vector<ClockDomain*> strands;
    std::vector<Ticks> dues;  ///< their next edges
    Ticks due = 0;            ///< the earliest of them, when they have ticked
    bool faulted = false;     ///< some domain of the thread is
    HandOver hand_over;       ///< of all its domains
  };

  void work(unsigned thread);
  void tick_beside();
  void tick_beside_at(Ticks time);
  void find_due();
  /// Those of them that have the edge.
  void tick_strands(Thread& thread) const;
  void tick_on_threads();
  bool tick_on_one();
  bool worth_threads();
  void look_at_work();
  unsigned blocks_awake(const Thread& thread) const;
  void share_out();
  void gather();

  Domains domains_;
  std::function<void()> done_;
  std::exception_ptr fault_;
  Ticks now_ = 0;
  Ticks due_;
  Ticks beside_now_ = 0;  ///< of the edge that is handled beside the strands
  bool running_ = false;
  unsigned beside_busiest_ = 0;  ///< blocks awake on other threads than the busiest; a sum with weights
  unsigned edges_to_look_ = 0;   ///< at it
  unsigned rest_edges_ = 0;      ///< edges to come on one thread, since others were late
  unsigned next_rest_edges_;     ///< when they are late again
  unsigned rounds_on_time_ = 0;  ///< since then
  StrandDeal deal_;
  unsigned deal_edges_;              ///< edges on threads from one look at the deal to the next
  unsigned edges_to_deal_;           ///< until the next
  std::vector<std::uint64_t> work_;  ///< each strand's ticks when they were looked at last
  std::uint64_t work_beside_ = 0;    ///< likewise
  std::vector<Thread> threads_;
  StrandTeam team_;
};

}  // namespace heddle
