#include "tlm/clock_strands.h"

#include <algorithm>

#include "tlm/clock_domain.h"
#include "tlm/foreign_modules.h"

namespace heddle {

namespace {

/// Strands tick on threads while those beside the busiest have so many blocks awake, on average: below, the
/// threads' meeting at every edge (a quarter of a microsecond) costs more than it saves. An average, since
/// what a strand works on has to come to its thread's processor first.
constexpr unsigned kWorthBlocks = 6;
constexpr unsigned kAveragedEdges = 64;

/// Threads that were late, since other programs have the processors, rest for so many edges, twice as many
/// each time up to the most, until they were on time for as many as the most: what a late one costs,
/// milliseconds, is as much as hundreds of edges.
constexpr unsigned kRestEdges = 512;
constexpr unsigned kMostRestEdges = 8192;

}  // namespace

ClockStrands::ClockStrands(std::vector<ClockDomain*> domains, std::function<void()> done)
    : domains_(std::move(domains)),
      done_(std::move(done)),
      next_rest_edges_(kRestEdges),
      team_(static_cast<unsigned>(domains_.size()), [this](unsigned strand) {
        if (domains_[strand]->due() == now_) domains_[strand]->edge();
      }) {}

bool ClockStrands::due(Ticks now) const {
  return std::any_of(domains_.begin(), domains_.end(),
                     [now](const ClockDomain* domain) { return domain->due() == now; });
}

bool ClockStrands::worth_threads(Ticks now) {
  unsigned awake = 0;
  unsigned busiest = 0;
  for (const ClockDomain* domain : domains_) {
    if (domain->due() != now) continue;
    const unsigned blocks = domain->blocks_awake();
    awake += blocks;
    busiest = std::max(busiest, blocks);
  }
  beside_busiest_ -= beside_busiest_ / kAveragedEdges;
  beside_busiest_ += awake - busiest;
  if (rest_edges_ != 0) {
    --rest_edges_;
    return false;
  }
  return beside_busiest_ >= kWorthBlocks * kAveragedEdges;
}

void ClockStrands::tick_on_threads() {
  running_ = true;
  const bool on_time = team_.round();
  running_ = false;
  if (!on_time) {
    rest_edges_ = next_rest_edges_;
    next_rest_edges_ = std::min(2 * next_rest_edges_, kMostRestEdges);
    rounds_on_time_ = 0;
  } else if (++rounds_on_time_ == kMostRestEdges) {
    next_rest_edges_ = kRestEdges;
  }
}

bool ClockStrands::tick(Ticks now) {
  now_ = now;
  // Other threads may not call a foreign module.
  const bool on_threads = worth_threads(now) && !socket_peers().need_kernel_time;
  if (on_threads) {
    tick_on_threads();
  } else {
    for (ClockDomain* domain : domains_) {
      if (domain->due() == now) domain->edge();
    }
  }
  try {
    done_();
  } catch (...) {
    fault_ = std::current_exception();
  }
  return on_threads;
}

bool ClockStrands::faulted() const {
  return fault_ != nullptr || std::any_of(domains_.begin(), domains_.end(),
                                          [](const ClockDomain* domain) { return domain->faulted(); });
}

void ClockStrands::rethrow_fault() const {
  if (fault_) std::rethrow_exception(fault_);
}

}  // namespace heddle
