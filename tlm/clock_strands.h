#pragma once

#include <exception>
#include <functional>
#include <vector>

#include "base/ticks.h"
#include "tlm/strand_team.h"

namespace heddle {

class ClockDomain;

/// Clock domains of one period whose blocks tick at the same time, a thread each; see
/// ClockTree::make_strands.
class ClockStrands {
 public:
  /// References are kept.
  ClockStrands(std::vector<ClockDomain*> domains, std::function<void()> done);

  bool due(Ticks now) const;
  /// Handles the edge at `now`, which some of them have. Returns whether several threads did, so that
  /// wake-ups are noted which other domains have not heard.
  bool tick(Ticks now);
  /// Their blocks tick at the moment, on several threads.
  bool running() const { return running_; }

  /// Something was thrown at the last edge, by a block (ClockDomain::rethrow_fault) or by `done`.
  bool faulted() const;
  /// Rethrows what `done` threw, if anything.
  void rethrow_fault() const;

  const std::vector<ClockDomain*>& domains() const { return domains_; }

 private:
  bool worth_threads(Ticks now);
  void tick_on_threads();

  std::vector<ClockDomain*> domains_;
  std::function<void()> done_;
  std::exception_ptr fault_;
  Ticks now_ = 0;
  bool running_ = false;
  unsigned beside_busiest_ = 0;  ///< blocks awake in other strands than the busiest; a sum with weights
  unsigned rest_edges_ = 0;      ///< edges to come on one thread, since others were late
  unsigned next_rest_edges_;     ///< when they are late again
  unsigned rounds_on_time_ = 0;  ///< since then
  StrandTeam team_;
};

}  // namespace heddle
