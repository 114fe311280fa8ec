#include "tlm/clock_strands.h"

#include <algorithm>

#include "tlm/clock_domain.h"
#include "tlm/foreign_modules.h"

namespace heddle {

namespace {

/// Strands tick on threads while those beside the busiest thread's have so many blocks awake, on average:
/// below, the threads' meeting at every edge (a tenth of a microsecond and what it wakes) costs more than it
/// saves. An average, since what a strand works on has to come to its thread's processor first. It is looked
/// at once in so many edges; a prime, since kernels repeat themselves.
constexpr unsigned kWorthBlocks = 6;
constexpr unsigned kLookEdges = 7;
constexpr unsigned kAveragedLooks = 9;

/// Threads that were late, since other programs have the processors, rest for so many edges, twice as many
/// each time up to the most, until they were on time for as many as the most: what a late one costs,
/// milliseconds, is as much as hundreds of edges.
constexpr unsigned kRestEdges = 512;
constexpr unsigned kMostRestEdges = 8192;

/// Edges on threads after which it is looked whether one has more to do than another: twice as many each time
/// up to the most. A strand that moves leaves the caches of a processor.
constexpr unsigned kDealEdges = 64;
constexpr unsigned kMostDealEdges = 4096;

}  // namespace

ClockStrands::ClockStrands(Domains domains, unsigned threads, std::function<void()> done)
    : domains_(std::move(domains)),
      done_(std::move(done)),
      next_rest_edges_(kRestEdges),
      deal_(domains_.strands.size(), threads),
      deal_edges_(kDealEdges),
      edges_to_deal_(kDealEdges),
      work_(domains_.strands.size(), 0),
      threads_(threads),
      team_(threads, [this](unsigned thread) { work(thread); }) {
  for (ClockDomain* domain : domains_.beside) {
    domain->beside_strands_ = true;
    domain->hand_over_ = &threads_.front().hand_over;
    domain->running_time_ = &beside_now_;
  }
  gather();
}

/// Gives each thread the strands that are dealt to it.
void ClockStrands::gather() {
  for (unsigned t = 0; t < threads_.size(); ++t) {
    Thread& thread = threads_[t];
    thread.strands.clear();
    thread.dues.assign(deal_.strands_of(t).size(), ClockTree::kNever);
    thread.due = ClockTree::kNever;
    for (const std::size_t strand : deal_.strands_of(t)) {
      ClockDomain* const domain = domains_.strands[strand];
      Ticks& due = thread.dues[thread.strands.size()];
      due = domain->due_;
      thread.due = std::min(thread.due, due);
      domain->due_of_strand_ = &due;
      domain->due_of_thread_ = &thread.due;
      domain->due_of_strands_ = &due_;
      domain->hand_over_ = &thread.hand_over;
      thread.strands.push_back(domain);
    }
  }
  find_due();
}

void ClockStrands::find_due() {
  due_ = ClockTree::kNever;
  for (const Thread& thread : threads_) due_ = std::min(due_, thread.due);
}

bool ClockStrands::may_be_late(Ticks now, Ticks time) const {
  return std::all_of(domains_.beside.begin(), domains_.beside.end(), [now, time](const ClockDomain* domain) {
    return !domain->hears_strands_ || domain->edge_after(now) >= time;
  });
}

/// At the present edge.
unsigned ClockStrands::blocks_awake(const Thread& thread) const {
  unsigned awake = 0;
  for (std::size_t s = 0; s < thread.dues.size(); ++s) {
    if (thread.dues[s] == now_) awake += thread.strands[s]->blocks_awake();
  }
  return awake;
}

void ClockStrands::look_at_work() {
  unsigned busiest = 0;
  unsigned awake = 0;
  for (const ClockDomain* domain : domains_.beside) busiest += domain->blocks_awake();  // on the first thread
  for (const Thread& thread : threads_) {
    const unsigned of_thread = blocks_awake(thread) + (&thread == &threads_.front() ? busiest : 0);
    awake += of_thread;
    busiest = std::max(busiest, of_thread);
  }
  beside_busiest_ -= beside_busiest_ / kAveragedLooks;
  beside_busiest_ += awake - busiest;
}

bool ClockStrands::worth_threads() {
  if (edges_to_look_ == 0) {
    edges_to_look_ = kLookEdges;
    look_at_work();
  }
  --edges_to_look_;
  if (rest_edges_ != 0) {
    --rest_edges_;
    return false;
  }
  return beside_busiest_ >= kWorthBlocks * kAveragedLooks;
}

void ClockStrands::tick_beside_at(Ticks time) {
  beside_now_ = time;
  for (ClockDomain* domain : domains_.beside) {
    if (domain->due_ != time) continue;
    domain->edge();
    if (!domain->faulted()) continue;
    threads_.front().faulted = true;
    return;
  }
}

void ClockStrands::tick_beside() {
  Ticks due = 0;
  do {
    due = now_;
    for (const ClockDomain* domain : domains_.beside) due = std::min(due, domain->due_);
    tick_beside_at(due);
  } while (due != now_ && !threads_.front().faulted);
}

void ClockStrands::tick_strands(Thread& thread) const {
  if (thread.due != now_) return;
  Ticks earliest = ClockTree::kNever;
  for (std::size_t s = 0; s < thread.dues.size(); ++s) {
    Ticks due = thread.dues[s];
    if (due == now_) {
      ClockDomain& domain = *thread.strands[s];
      domain.edge();
      due = domain.due_;
      thread.dues[s] = due;
      thread.faulted = thread.faulted || domain.faulted();
    }
    earliest = std::min(earliest, due);
  }
  thread.due = earliest;
}

void ClockStrands::work(unsigned thread) {
  if (thread == 0) tick_beside();
  tick_strands(threads_[thread]);
}

void ClockStrands::tick_on_threads() {
  running_ = true;
  const bool on_time = team_.round();
  running_ = false;
  find_due();
  for (Thread& thread : threads_) thread.hand_over.say_all();
  if (!on_time) {
    rest_edges_ = next_rest_edges_;
    next_rest_edges_ = std::min(2 * next_rest_edges_, kMostRestEdges);
    rounds_on_time_ = 0;
  } else if (++rounds_on_time_ == kMostRestEdges) {
    next_rest_edges_ = kRestEdges;
  }
  if (--edges_to_deal_ == 0) share_out();
}

/// By the ticks of their blocks, which cost about the same.
void ClockStrands::share_out() {
  std::vector<std::uint64_t> work;
  for (std::size_t s = 0; s < domains_.strands.size(); ++s) {
    const std::uint64_t ticks = domains_.strands[s]->ticks_executed();
    work.push_back(ticks - work_[s]);
    work_[s] = ticks;
  }
  std::uint64_t beside = 0;
  for (const ClockDomain* domain : domains_.beside) beside += domain->ticks_executed();
  if (deal_.deal(work, beside - work_beside_)) gather();
  work_beside_ = beside;
  deal_edges_ = std::min(2 * deal_edges_, kMostDealEdges);
  edges_to_deal_ = deal_edges_;
}

/// False when a domain beside the strands failed, so that these did not tick.
bool ClockStrands::tick_on_one() {
  tick_beside();
  if (threads_.front().faulted) return false;
  for (Thread& thread : threads_) tick_strands(thread);
  find_due();
  return true;
}

bool ClockStrands::tick(Ticks now) {
  now_ = now;
  // Other threads may not call a foreign module.
  const bool on_threads = worth_threads() && !socket_peers().need_kernel_time;
  if (on_threads) {
    tick_on_threads();
  } else if (!tick_on_one()) {
    return false;
  }
  try {
    done_();
  } catch (...) {
    fault_ = std::current_exception();
  }
  return on_threads;
}

bool ClockStrands::faulted() const {
  return fault_ != nullptr ||
         std::any_of(threads_.begin(), threads_.end(), [](const Thread& thread) { return thread.faulted; });
}

void ClockStrands::rethrow_fault() const {
  if (fault_) std::rethrow_exception(fault_);
}

}  // namespace heddle
