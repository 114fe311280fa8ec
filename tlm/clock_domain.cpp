#include "tlm/clock_domain.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <tuple>

#include "tlm/clocked.h"

namespace heddle {

ClockDomain::ClockDomain(const sc_core::sc_module_name& name, const sc_core::sc_time& period, bool sleeping,
                         ClockTree* tree)
    : sc_module(name),
      period_(period),
      period_ticks_(period.value()),
      sleeping_(sleeping),
      own_tree_(tree == nullptr ? std::make_unique<ClockTree>("tree") : nullptr),
      tree_(tree == nullptr ? *own_tree_ : *tree),
      running_time_(&tree_.now_) {
  if (period_ticks_ == 0) {
    throw std::invalid_argument(
        fmt::format("{}: expected a period of at least the time resolution ({}), found {}", this->name(),
                    sc_core::sc_get_time_resolution().to_string(), period.to_string()));
  }
  tree_.join(*this);
}

ClockDomain::~ClockDomain() {
  for (Clocked* block : blocks_) block->place_->enrolled = false;
}

void ClockDomain::enroll(Clocked& block) {
  blocks_.push_back(&block);
  block.place_->pipeline = open_pipeline_;
}

void ClockDomain::leave(const Clocked& block) {
  blocks_.erase(std::find(blocks_.begin(), blocks_.end(), &block));
}

std::size_t ClockDomain::index_of(const Clocked& block) const { return block.id_; }

void ClockDomain::sort_blocks() {
  const bool by_levels = tree_.ticks_by_processes();
  const auto level = [by_levels](const Clocked* block) {
    const unsigned pipeline = block->place_->pipeline;
    return std::make_tuple(block->order_ >= kAfterPipelines, by_levels ? std::min(pipeline, 1U) : pipeline,
                           block->order_);
  };
  const auto place = [&level](const Clocked* block) {
    return std::make_tuple(level(block), block->place_->pipeline, std::string_view(block->place_->name));
  };
  std::sort(blocks_.begin(), blocks_.end(),
            [&place](const Clocked* a, const Clocked* b) { return place(a) < place(b); });
  if (!by_levels) return;
  levels_ = std::make_unique<TickLevels>();
  for (Id id = 0; id < blocks_.size(); ++id) {
    const bool last = id + 1 == blocks_.size() || level(blocks_[id]) != level(blocks_[id + 1]);
    if (last) levels_->add(id + 1);
  }
}

void ClockDomain::make_processes() {
  for (Clocked* block : blocks_) {
    block->place_->process =
        std::make_unique<TickProcess>(block->place_->name, [this, block] { tick_as_process(*block); });
  }
}

void ClockDomain::start_of_simulation() {
  sort_blocks();
  if (tree_.ticks_by_processes()) make_processes();
  words_ = (blocks_.size() + kWordBits - 1) / kWordBits;
  all_.assign(words_, 0);
  current_.assign(words_, 0);
  next_.assign(words_, 0);
  on_edge_.assign(words_, 0);
  wheel_.assign(kWheelSlots * words_, 0);
  woken_by_strands_ = std::make_unique<std::atomic<std::uint64_t>[]>(words_);
  for (Id id = 0; id < blocks_.size(); ++id) {
    blocks_[id]->id_ = id;
    turns_.push_back({blocks_[id]->place_->tick, blocks_[id]});
    all_[id / kWordBits] |= std::uint64_t{1} << (id % kWordBits);
  }
  if (blocks_.empty()) return;
  next_ = all_;
  next_any_ = true;
  schedule(1);
}

void ClockDomain::schedule(Cycle cycle) {
  pending_cycle_ = cycle;
  due_ = cycle * period_ticks_;
  if (due_of_strand_ != nullptr) {
    *due_of_strand_ = due_;
    *due_of_thread_ = std::min(*due_of_thread_, due_);
    *due_of_strands_ = std::min(*due_of_strands_, due_);
  }
  tree_.expect(due_);
}

void ClockDomain::set_other_timer(Id id, Cycle cycle) {
  if (next_.empty()) return;  // before the start of simulation: every block is awake at the first edge
  const std::uint64_t bit = std::uint64_t{1} << (id % kWordBits);
  // A pending edge later than the next one may still be brought forward, so only the next one counts here.
  if (cycle <= cycle_ + 1 && (ticking_ || due_ == now_ + period_ticks_)) {
    next_[id / kWordBits] |= bit;
    next_any_ = true;
    return;
  }
  if (cycle - cycle_ < kWheelSlots) {
    put_on_wheel(id, cycle);
  } else {
    far_timers_.emplace(cycle, id);
  }
  if (!ticking_ && cycle * period_ticks_ < due_) schedule(cycle);
}

void ClockDomain::wake_from_strand(Id id, Ticks time) {
  if (next_.empty()) return;
  if (time == tree_.time()) {
    std::atomic<std::uint64_t>& word = woken_by_strands_[id / kWordBits];
    const std::uint64_t bit = std::uint64_t{1} << (id % kWordBits);
    if ((word.load(std::memory_order_relaxed) & bit) == 0) word.fetch_or(bit, std::memory_order_relaxed);
  } else {
    const std::lock_guard<std::mutex> lock(strands_mutex_);
    later_wakes_of_strands_.emplace_back(id, time);
  }
  strands_spoke_.store(true, std::memory_order_relaxed);
}

void ClockDomain::take_wakes_of_strands() {
  strands_spoke_.store(false, std::memory_order_relaxed);
  for (std::size_t w = 0; w < words_; ++w) {
    std::uint64_t woken = woken_by_strands_[w].load(std::memory_order_relaxed);
    if (woken == 0) continue;
    woken_by_strands_[w].store(0, std::memory_order_relaxed);
    for (; woken != 0; woken &= woken - 1) {
      wake_next(static_cast<Id>(w * kWordBits) + static_cast<Id>(__builtin_ctzll(woken)));
    }
  }
  for (const auto& [id, time] : later_wakes_of_strands_) wake_after(id, time);
  later_wakes_of_strands_.clear();
}

void ClockDomain::begin_edge() {
  cycle_ = pending_cycle_;
  now_ = due_;
  due_ = ClockTree::kNever;
  choose_blocks();
}

void ClockDomain::edge() {
  begin_edge();
  ticking_ = true;
  try {
    tick_awake_blocks();
  } catch (...) {
    note_fault(*blocks_[turn_]);
    tick_after_fault();
  }
  ticking_ = false;
  if (!faulted()) schedule_next_edge();
}

void ClockDomain::note_fault(const Clocked& block) { faults_.push_back({&block, std::current_exception()}); }

bool ClockDomain::ticks_after_fault(const Clocked& block) const {
  return std::all_of(faults_.begin(), faults_.end(), [&block](const Fault& fault) {
    const unsigned pipeline = fault.block->place_->pipeline;
    if (block.place_->pipeline == pipeline) return block.order_ == fault.block->order_;
    return pipeline != 0 && block.order_ < kAfterPipelines;
  });
}

/// The blocks whose turn comes after that of the one that threw.
void ClockDomain::tick_after_fault() {
  while ((turn_ = first_awake(turn_ + 1)) < blocks_.size()) {
    if (!ticks_after_fault(*blocks_[turn_])) continue;
    ++ticks_executed_;
    try {
      blocks_[turn_]->tick();
    } catch (...) {
      note_fault(*blocks_[turn_]);
    }
  }
}

/// Of this edge's blocks from `id` on; the number of blocks when there is none.
ClockDomain::Id ClockDomain::first_awake(Id id) const {
  std::uint64_t to_come = ~std::uint64_t{0} << (id % kWordBits);
  for (std::size_t w = id / kWordBits; w < words_; ++w) {
    const std::uint64_t awake = current_[w] & to_come;
    if (awake != 0) return static_cast<Id>(w * kWordBits) + static_cast<Id>(__builtin_ctzll(awake));
    to_come = ~std::uint64_t{0};
  }
  return static_cast<Id>(blocks_.size());
}

bool ClockDomain::step_edge() {
  if (!stepping_) {
    begin_edge();
    levels_->restart();
    stepping_ = true;
  }
  while (levels_->next()) {
    if (start_processes()) return true;
  }
  stepping_ = false;
  if (!faulted()) schedule_next_edge();
  return false;
}

/// Of the present level's blocks that are awake; returns whether there are any.
bool ClockDomain::start_processes() {
  bool any = false;
  bool any_on_edge = false;
  for (Id id = first_awake(levels_->begin()); id < levels_->end(); id = first_awake(id + 1)) {
    any = true;
    if ((on_edge_[id / kWordBits] >> (id % kWordBits) & 1U) != 0) {
      any_on_edge = true;
    } else {
      blocks_[id]->place_->process->wake_up();
    }
  }
  if (any_on_edge) levels_->edge().notify();
  return any;
}

void ClockDomain::tick_as_process(Clocked& block) {
  ++ticks_executed_;
  if (faulted() && !ticks_after_fault(block)) return;
  const Id id = block.id_;
  turn_ = levels_->end() - 1;
  ticking_ = true;
  bool again = !sleeping_;
  try {
    again = turns_[id].tick(block) || again;
  } catch (...) {
    note_fault(block);
  }
  ticking_ = false;
  const std::uint64_t bit = std::uint64_t{1} << (id % kWordBits);
  if (again) {
    on_edge_[id / kWordBits] |= bit;
    tick_next(id);
    sc_core::next_trigger(levels_->edge());
  } else {  // waits for its wake-up, to which its process is sensitive
    on_edge_[id / kWordBits] &= ~bit;
  }
}

/// Those that are awake, and those whose timers are due.
void ClockDomain::choose_blocks() {
  const std::size_t words = words_;
  std::uint64_t* const current = current_.data();
  std::uint64_t* const next = next_.data();
  for (std::size_t w = 0; w < words; ++w) {
    current[w] = next[w];
    next[w] = 0;
  }
  next_any_ = false;
  const unsigned slot = cycle_ % kWheelSlots;
  if ((wheel_used_ >> slot & 1U) != 0) {
    wheel_used_ &= ~(std::uint64_t{1} << slot);
    std::uint64_t* const due = &wheel_[slot * words];
    for (std::size_t w = 0; w < words; ++w) {
      current[w] |= due[w];
      due[w] = 0;
    }
  }
  while (!far_timers_.empty() && far_timers_.top().first <= cycle_) {
    const Id id = far_timers_.top().second;
    current[id / kWordBits] |= std::uint64_t{1} << (id % kWordBits);
    far_timers_.pop();
  }
  if (!sleeping_) current_ = all_;
}

void ClockDomain::tick_awake_blocks() {
  const std::size_t words = words_;
  std::uint64_t* const current = current_.data();
  std::uint64_t* const next = next_.data();
  const Turn* const turns = turns_.data();
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t to_come = ~std::uint64_t{0};
    // Read anew after each tick, which may have woken blocks that come after it.
    while (const std::uint64_t awake = current[w] & to_come) {
      const auto bit = static_cast<unsigned>(__builtin_ctzll(awake));
      to_come = ~std::uint64_t{1} << bit;
      turn_ = static_cast<Id>(w * kWordBits + bit);
      ++ticks_executed_;
      const Turn& turn = turns[turn_];
      if (turn.tick(*turn.block)) {
        next[w] |= std::uint64_t{1} << bit;
        next_any_ = true;
      }
    }
  }
}

void ClockDomain::schedule_next_edge() {
  Cycle next = std::numeric_limits<Cycle>::max();
  if (next_any_ || !sleeping_) {
    next = cycle_ + 1;
  } else {
    if (wheel_used_ != 0) {
      // Rotate so that bit 0 stands for the next edge's slot.
      const unsigned shift = (cycle_ + 1) % kWheelSlots;
      const std::uint64_t rotated =
          shift == 0 ? wheel_used_ : (wheel_used_ >> shift | wheel_used_ << (kWheelSlots - shift));
      next = cycle_ + 1 + static_cast<unsigned>(__builtin_ctzll(rotated));
    }
    if (!far_timers_.empty()) next = std::min(next, far_timers_.top().first);
  }
  if (next == std::numeric_limits<Cycle>::max()) return;
  pending_cycle_ = next;
  due_ = next * period_ticks_;
}

unsigned ClockDomain::order_of_fault() const {
  unsigned lowest = ~0U;
  for (const Fault& fault : faults_) lowest = std::min(lowest, fault.block->place_->pipeline);
  return lowest;
}

void ClockDomain::rethrow_fault() const {
  const auto place = [](const Fault& fault) {
    return std::make_pair(fault.block->place_->pipeline, std::string_view(fault.block->place_->name));
  };
  const auto first = std::min_element(faults_.begin(), faults_.end(),
                                      [&](const Fault& a, const Fault& b) { return place(a) < place(b); });
  if (first != faults_.end()) std::rethrow_exception(first->exception);
}

Clocked::Clocked(ClockDomain& domain, int order, std::string name, Tick tick_this)
    : domain_(domain), order_(order), place_(std::make_unique<Place>()) {
  place_->name = std::move(name);
  place_->tick = tick_this;
  domain.enroll(*this);
}

/// Also while its module is constructed, when that throws.
Clocked::~Clocked() {
  if (place_->enrolled) domain_.leave(*this);
}

}  // namespace heddle
