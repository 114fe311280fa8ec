#include "modules/warp_scheduler/policies/ccws/cutoff.h"

#include <algorithm>

#include "modules/warp_scheduler/policies/ccws/parameters.h"

namespace heddle {
namespace {

hw::DecayingCountersShape score_shape(unsigned warps, std::uint64_t base) {
  hw::DecayingCountersShape shape;
  shape.entries = warps;
  shape.bits = CcwsCutoff::kScoreBits;
  shape.floor = base;
  return shape;
}

unsigned sum_bits(unsigned warps) { return CcwsCutoff::kScoreBits + hw::index_bits(warps); }

hw::RegisterShape cutoff_shape(unsigned warps, std::uint64_t base) {
  hw::RegisterShape shape;
  shape.bits = sum_bits(warps);
  shape.reset = base;
  return shape;
}

/// One adder less than the base has bits set.
hw::AdderShape multiple_shape(unsigned warps, std::uint64_t base) {
  hw::AdderShape shape;
  shape.bits = sum_bits(warps);
  shape.count = std::max(1U, static_cast<unsigned>(__builtin_popcountll(base)) - 1);
  return shape;
}

hw::InPlaceSorterShape sorter_shape(const CoreConfig& core) {
  hw::InPlaceSorterShape shape;
  shape.entries = std::max(2U, core.warps);
  shape.removals = core.schedulers;  // each may issue a warp's exit
  shape.key_bits = CcwsCutoff::kScoreBits;
  shape.keys = hw::SortKeys::kLatched;
  return shape;
}

hw::AdderShape adder_shape(unsigned warps) {
  hw::AdderShape shape;
  shape.bits = sum_bits(warps);
  return shape;
}

hw::ComparatorShape comparator_shape(unsigned warps) {
  hw::ComparatorShape shape;
  shape.bits = sum_bits(warps);
  return shape;
}

}  // namespace

CcwsCutoff::CcwsCutoff(const hw::Owner& owner, const GpuConfig& gpu)
    : base_(gpu.scheduler.settings.of(ccws_parameters).base_score),
      hardware_(owner.timing == hw::Timing::kHardware),
      scores_(owner, "scores", score_shape(gpu.core.warps, base_)),
      active_(owner, "active_warps", gpu.core.warps),
      active_count_(owner, "active_count", gpu.core.warps),
      base_multiple_(owner, "base_multiple", multiple_shape(gpu.core.warps, base_)),
      cutoff_(owner, "cutoff", cutoff_shape(gpu.core.warps, base_)),
      arrivals_(owner, gpu.core.warps),
      sorter_(owner, "score_sorter", sorter_shape(gpu.core)),
      sum_(owner, "score_sum", adder_shape(gpu.core.warps)),
      reached_(owner, "cutoff_reached", comparator_shape(gpu.core.warps)),
      found_(owner, "walk_found", gpu.core.warps),
      eligible_(owner, "eligible", gpu.core.warps) {}

void CcwsCutoff::start(std::uint64_t cycle, unsigned warp) {
  scores_.reset(warp);
  active_.set_bits(warp_bit(warp));
  eligible_.set_bits(warp_bit(warp));
  arrivals_.start(cycle, warp_bit(warp), [this](auto at, auto arrived) { enter(at, arrived); });
  count_changed_ = true;
}

void CcwsCutoff::enter(std::uint64_t cycle, unsigned warp) {
  sorter_.append(cycle, warp);
  restart(cycle);
}

void CcwsCutoff::finish(std::uint64_t cycle, unsigned warp) {
  active_.clear_bits(warp_bit(warp));
  eligible_.clear_bits(warp_bit(warp));
  arrivals_.advance(cycle, [this](auto at, auto arrived) { enter(at, arrived); });
  if (!arrivals_.drop(warp)) sorter_.remove(cycle, warp);
  restart(cycle);
}

/// The members changed: what is under way is given up.
void CcwsCutoff::restart(std::uint64_t cycle) {
  if (state_ == State::kWalking) {
    sum_.give_up(cycle);
    reached_.give_up(cycle);
  }
  dirty_ = true;
  count_changed_ = true;
  state_ = State::kIdle;
  due_ = kNever;
}

void CcwsCutoff::set_score(std::uint64_t cycle, unsigned warp, std::uint64_t score) {
  scores_.write(cycle, warp, score);
  dirty_ = true;
}

/// The count goes through the adders one after the other; one product is under way at a time.
void CcwsCutoff::multiply(std::uint64_t cycle) {
  count_changed_ = false;
  const std::uint64_t count = std::max(1U, active_count_.count(active_.value()));
  std::uint64_t at = cycle + active_count_.cycles();
  multiple_ = 0;
  for (std::uint64_t left = base_; left != 0; left &= left - 1) {
    const std::uint64_t shifted = count << static_cast<unsigned>(__builtin_ctzll(left));
    if (multiple_ == 0) {
      multiple_ = shifted;
      continue;
    }
    multiple_ = base_multiple_.add(at, multiple_, shifted);
    at += base_multiple_.cycles();
  }
  multiple_at_ = at;
}

void CcwsCutoff::update_cutoff(std::uint64_t cycle) {
  while (count_changed_ || multiple_at_ != kNever) {
    if (multiple_at_ == kNever) multiply(cycle);
    if (multiple_at_ > cycle) return;
    if (multiple_ != cutoff_.value()) {
      cutoff_.write(multiple_at_, multiple_);
      dirty_ = true;  // what is under way went by the old one
    }
    multiple_at_ = kNever;
  }
}

void CcwsCutoff::start_sort(std::uint64_t cycle) {
  dirty_ = false;
  for (WarpMask left = active_.value(); left != 0; left &= left - 1) {
    keys_[lowest_warp(left)] = scores_.value(cycle, lowest_warp(left));
  }
  sorter_.start(cycle, keys_.data(), hw::SortDirection::kDescending);
  state_ = State::kSorting;
  due_ = sorter_.busy() ? sorter_.done_at_cycle() : cycle;
}

void CcwsCutoff::walk(std::uint64_t cycle) {
  sorter_.advance(cycle);
  ++walks_;
  found_.load(0);
  const unsigned step_cycles = std::max(sum_.cycles(), reached_.cycles());
  std::uint64_t step = cycle;
  std::uint64_t sum = 0;
  unsigned walked = 0;
  for (bool reached = false; walked < sorter_.size() && !reached; ++walked) {
    const unsigned warp = sorter_.order()[walked];
    sum = sum_.add(step, sum, keys_[warp]);
    reached = reached_.less_equal(step, cutoff_.value(), sum);
    found_.set_bits(warp_bit(warp));
    step += step_cycles;
  }
  state_ = State::kWalking;
  due_ = step;
  if (hardware_) return;
  end_walk();
  due_ = next_change(cycle, sum, walked);
}

void CcwsCutoff::end_walk() {
  state_ = State::kIdle;
  due_ = kNever;
  eligible_.load(found_.value() & active_.value());
}

/// Ideal timing: of the `walked` warps whose scores add up to `sum` those above the base lose one a cycle
/// each, until one arrives there, which changes the order.
std::uint64_t CcwsCutoff::next_change(std::uint64_t cycle, std::uint64_t sum, unsigned walked) const {
  if (walked == sorter_.size()) return kNever;  // the sum only falls
  std::uint64_t next = kNever;
  unsigned above = 0;
  for (unsigned i = 0; i < sorter_.size(); ++i) {
    const std::uint64_t floor_at = scores_.floor_at(sorter_.order()[i]);
    if (floor_at <= cycle) break;
    next = std::min(next, floor_at);
    if (i < walked) ++above;
  }
  if (above != 0) next = std::min(next, cycle + (sum - cutoff_.value()) / above + 1);
  return next;
}

std::uint64_t CcwsCutoff::update(std::uint64_t cycle) {
  arrivals_.advance(cycle, [this](auto at, auto arrived) { enter(at, arrived); });
  update_cutoff(cycle);
  if (!hardware_) {
    if (dirty_ || due_ <= cycle) {
      start_sort(cycle);
      walk(cycle);
    }
    return due_;
  }
  if (state_ == State::kIdle && sort_wanted(cycle)) start_sort(cycle);
  while (due_ <= cycle) {
    const std::uint64_t end = due_;
    if (state_ == State::kSorting) {
      walk(end);
    } else {
      end_walk();
      if (sort_wanted(end)) start_sort(end);
    }
  }
  return std::min({due_, multiple_at_, arrivals_.next()});
}

void CcwsCutoff::trace(WaveSink& sink) const {
  scores_.trace(sink);
  cutoff_.trace(sink);
  active_.trace(sink);
  eligible_.trace(sink);
}

}  // namespace heddle
