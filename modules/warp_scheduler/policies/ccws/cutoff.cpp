#include "modules/warp_scheduler/policies/ccws/cutoff.h"

#include <algorithm>

#include "hw/pricing/gates.h"
#include "modules/warp_scheduler/policies/ccws/parameters.h"

namespace heddle {
namespace {

hw::DecayingCountersShape score_shape(unsigned warps, std::uint64_t base) {
  hw::DecayingCountersShape shape;
  shape.entries = warps;
  shape.bits = CcwsCutoff::kScoreBits;
  shape.floor = base;
  shape.clamps = false;
  shape.tells_above = true;
  return shape;
}

unsigned sum_bits(unsigned warps) { return CcwsCutoff::kScoreBits + hw::index_bits(warps); }

/// The bits of the base that are 0 below its lowest one are 0 in its multiples.
unsigned zeros_of(std::uint64_t base) { return static_cast<unsigned>(__builtin_ctzll(base)); }

unsigned cutoff_bits(unsigned warps, std::uint64_t base) {
  return hw::index_bits(static_cast<unsigned>(warps * (base >> zeros_of(base))) + 1);
}

hw::RegisterShape cutoff_shape(unsigned warps, std::uint64_t base) {
  hw::RegisterShape shape;
  shape.bits = cutoff_bits(warps, base);
  shape.reset = base >> zeros_of(base);
  return shape;
}

/// One adder less than the factor has bits set.
unsigned multiple_adders(std::uint64_t factor) {
  return static_cast<unsigned>(__builtin_popcountll(factor)) - 1;
}

hw::AdderShape multiple_shape(unsigned bits, std::uint64_t factor) {
  hw::AdderShape shape;
  shape.bits = bits;
  shape.count = std::max(1U, multiple_adders(factor));
  return shape;
}

hw::InPlaceSorterShape sorter_shape(const CoreConfig& core) {
  hw::InPlaceSorterShape shape;
  shape.entries = std::max(2U, core.warps);
  shape.key_bits = CcwsCutoff::kScoreBits;
  shape.keys = hw::SortKeys::kLatched;
  shape.buffered = shape.dynamic = false;  // nothing reads the order during a sort
  return shape;
}

hw::AdderShape sum_shape(unsigned warps) {
  hw::AdderShape shape;
  shape.bits = sum_bits(warps);
  shape.amount_bits = CcwsCutoff::kScoreBits;
  return shape;
}

hw::ComparatorShape comparator_shape(unsigned warps) {
  hw::ComparatorShape shape;
  shape.bits = sum_bits(warps);
  return shape;
}

/// Of the throttled cutoff.
unsigned throttled_bits(unsigned warps, std::uint64_t base, std::uint64_t throttle) {
  return hw::index_bits(static_cast<unsigned>(warps * base * throttle) + 1);
}

/// Of these, the lowest ones that need no flip-flop: those that are 0 in every multiple of base and throttle,
/// and then those of the cutoff itself, up to the place at which the first further copy of it is added.
unsigned throttled_wires(unsigned warps, std::uint64_t base, std::uint64_t throttle) {
  const unsigned zeros = zeros_of(throttle);
  const unsigned copied = zeros_of((throttle >> zeros) - 1);
  return zeros_of(base) + zeros + std::min(copied, cutoff_bits(warps, base));
}

bool has_one_bit(std::uint64_t value) { return (value & (value - 1)) == 0; }

}  // namespace

CcwsCutoff::CcwsCutoff(const hw::Owner& owner, const GpuConfig& gpu)
    : base_(gpu.scheduler.settings.of(ccws_parameters).base_score),
      throttle_(gpu.scheduler.settings.of(ccws_parameters).k_throttle),
      warps_(gpu.core.warps),
      hardware_(owner.timing == hw::Timing::kHardware),
      scores_(owner, "scores", score_shape(warps_, base_)),
      active_(owner, "active_warps", warps_),
      active_count_(owner, "active_count", warps_),
      base_multiple_(owner, "base_multiple", multiple_shape(cutoff_bits(warps_, base_), base_)),
      cutoff_(owner, "cutoff", cutoff_shape(warps_, base_)),
      sorter_(owner, "score_sorter", sorter_shape(gpu.core)),
      walk_order_(owner, "walk_order", {std::max(2U, warps_), hw::index_bits(warps_)}),
      walk_score_(owner, "walk_score", {warps_, kScoreBits + 1}),
      walk_place_(owner, "walk_place", {hw::index_bits(warps_)}),
      next_place_(owner, "walk_next", {hw::index_bits(warps_), hw::Overflow::kWrap, 1, 0, 1}),
      walk_sum_(owner, "walk_sum", {sum_bits(warps_)}),
      sum_(owner, "score_sum", sum_shape(warps_)),
      reached_(owner, "cutoff_reached", comparator_shape(warps_)),
      found_(owner, "walk_found", warps_),
      eligible_(owner, "eligible", warps_),
      unsorted_(owner, "unsorted", 1),
      phase_(owner, "phase", 2) {
  if (!has_one_bit(throttle_)) {
    const unsigned bits = throttled_bits(warps_, base_, throttle_);
    throttle_multiple_ =
        std::make_unique<hw::Adder>(owner, "throttle_multiple", multiple_shape(bits, throttle_));
    throttled_wires_ = throttled_wires(warps_, base_, throttle_);
    throttled_cutoff_ =
        std::make_unique<hw::Register>(owner, "throttled_cutoff", hw::RegisterShape{bits - throttled_wires_});
  }
  const hw::TimingPath settle = cutoff_path();
  owner.declare_path("cutoff from the warps", settle);
  settle_cycles_ = owner.cycles(settle);
  const hw::TimingPath step = walk_path();
  owner.declare_path("walk step", step);
  walk_cycles_ = owner.cycles(step);
  if (!hardware_) return;
  settling_ = std::make_unique<hw::Register>(owner, "settling",
                                             hw::RegisterShape{hw::index_bits(settle_cycles_ + 1)});
  if (walk_cycles_ > 1) {
    walk_wait_ =
        std::make_unique<hw::Register>(owner, "walk_wait", hw::RegisterShape{hw::index_bits(walk_cycles_)});
  }
}

/// From the warps through their count and one addition after the other.
hw::TimingPath CcwsCutoff::cutoff_path() const {
  hw::TimingPath path = active_count_.structure().path;
  for (unsigned i = 0; i < multiple_adders(base_); ++i) path.then(base_multiple_.structure().path);
  for (unsigned i = 0; throttle_multiple_ && i < multiple_adders(throttle_); ++i)
    path.then(throttle_multiple_->structure().path);
  return path.through("enable", hw::gates::enable_fo4());
}

/// From the place through who stands there and its score to the sum.
hw::TimingPath CcwsCutoff::walk_path() const {
  hw::TimingPath path = walk_order_.structure().path;
  path.then(walk_score_.structure().path);
  path.through("counts", hw::gates::kGateFo4).then(sum_.structure().path);
  return path.through("enable", hw::gates::enable_fo4());
}

void CcwsCutoff::enter(State state) {
  state_ = state;
  phase_.load(static_cast<unsigned>(state));
}

void CcwsCutoff::start(std::uint64_t cycle, unsigned warp) {
  change(cycle);
  scores_.reset(warp);
  if (state_ != State::kIdle) found_.set_bits(warp_bit(warp));  // whatever the scores of the copy say
  active_.set_bits(warp_bit(warp));
  eligible_.set_bits(warp_bit(warp));
  changed(cycle);
}

void CcwsCutoff::finish(std::uint64_t cycle, unsigned warp) {
  change(cycle);
  active_.clear_bits(warp_bit(warp));
  eligible_.clear_bits(warp_bit(warp));
  changed(cycle);
}

/// The warps are about to change: what happens in `cycle` is of those before.
void CcwsCutoff::change(std::uint64_t cycle) {
  if (hardware_ && state_ == State::kWalking) make_up_walk(cycle + 1);
  if (cutoff_at_ != cycle + 1) return;
  cutoff_at_ = kNever;
  counted_at_ = cycle + 1;
  counted_warps_ = active_.value();
}

/// The warps have changed. In hardware timing what is under way goes on: warps could come and go faster than
/// a sort ends, so that the set would never be found again.
void CcwsCutoff::changed(std::uint64_t cycle) {
  unsorted_.set_bits(1);
  unsorted_from_ = std::min(unsorted_from_, cycle + 1);
  idle_from_ = std::max(idle_from_, cycle + 1);
  if (!hardware_) {
    enter(State::kIdle);
    due_ = kNever;
    return;
  }
  if (state_ == State::kWalking && due_ > cycle + 1) plan_walk(cycle + 1);
  const std::uint64_t cutoff_at = cycle + 1 + settle_cycles_;
  if (cutoff_at == cutoff_at_) return;
  cutoff_at_ = cutoff_at;
  settling_->write(cycle, settle_cycles_);
}

void CcwsCutoff::set_score(std::uint64_t cycle, unsigned warp, std::uint64_t score) {
  scores_.write(cycle, warp, score);
  unsorted_.set_bits(1);
  unsorted_from_ = std::min(unsorted_from_, cycle + 1);
  idle_from_ = std::max(idle_from_, cycle + 1);
}

void CcwsCutoff::load_cutoff(std::uint64_t cycle, WarpMask warps) {
  idle_from_ = std::max(idle_from_, cycle);
  const std::uint64_t count = std::max(1U, active_count_.count(warps));
  std::uint64_t multiple = 0;
  for (std::uint64_t left = base_ >> zeros_of(base_); left != 0; left &= left - 1) {
    const std::uint64_t shifted = count << static_cast<unsigned>(__builtin_ctzll(left));
    multiple = multiple == 0 ? shifted : base_multiple_.add(cycle, multiple, shifted);
  }
  if (multiple != cutoff_.value()) cutoff_.write(cycle, multiple);
  multiple <<= zeros_of(base_);
  if (!throttled_cutoff_) return;
  std::uint64_t throttled = 0;
  for (std::uint64_t left = throttle_; left != 0; left &= left - 1) {
    const std::uint64_t shifted = multiple << static_cast<unsigned>(__builtin_ctzll(left));
    throttled = throttled == 0 ? shifted : throttle_multiple_->add(cycle, throttled, shifted);
  }
  throttled_cutoff_->write(cycle, throttled >> throttled_wires_);
}

/// What is sorted as a score falls is old when the walk has ended: in hardware timing it is sorted again, the
/// last time with all scores at the base, so that nobody is held back for good.
void CcwsCutoff::copy_scores(std::uint64_t cycle) {
  if (hardware_ && scores_.any_above(cycle - 1)) {
    unsorted_from_ = cycle + 1;
  } else {
    unsorted_.clear_bits(1);
    unsorted_from_ = kNever;
  }
  for (unsigned w = 0; w < warps_; ++w) keys_[w] = scores_.value(cycle, w);
  found_.load(0);
}

void CcwsCutoff::start_sort(std::uint64_t cycle) {
  sorter_.start(cycle, keys_.data(), hw::SortDirection::kDescending);
  enter(State::kSorting);
  due_ = sorter_.busy() ? sorter_.done_at_cycle() : cycle;
}

/// Ideal timing.
void CcwsCutoff::walk_at_once(std::uint64_t cycle) {
  sorter_.advance(cycle);
  ++walks_;
  walk_length_ = 0;
  sum_reached_ = 0;
  while (walk_length_ < warps_ && sum_reached_ < cutoff()) {
    const unsigned warp = sorter_.order()[walk_length_++];
    sum_reached_ += counted(warp);
    found_.set_bits(warp_bit(warp));
  }
  enter(State::kWalking);
  count_walk(cycle);
  end_walk(cycle);
  due_ = next_change(cycle);
}

/// Hardware timing, of a walk whose first addition begins in `cycle`.
void CcwsCutoff::begin_walk(std::uint64_t cycle) {
  sorter_.advance(cycle);
  ++walks_;
  walk_from_ = cycle;
  walk_length_ = 0;
  sum_reached_ = 0;
  enter(State::kWalking);
  plan_walk(cycle);
}

/// When the set is in force: in the cycle after that in which, from `cycle` on, the sum is seen to have
/// reached the cutoff, or all warps are found. That is if neither the warps nor the cutoff change any more.
void CcwsCutoff::plan_walk(std::uint64_t cycle) {
  WarpMask found = found_.value();
  std::uint64_t sum = sum_reached_;
  std::uint64_t seen = cycle;
  for (unsigned place = walk_length_; sum < cutoff() && found != hw::low_bits(warps_); ++place) {
    const unsigned warp = sorter_.order()[place];
    sum += counted(warp);
    found |= warp_bit(warp);
    seen = walk_from_ + std::uint64_t{place - walk_length_ + 1} * walk_cycles_;
  }
  due_ = seen + 1;
}

/// Additions that have ended by `cycle`.
void CcwsCutoff::make_up_walk(std::uint64_t cycle) {
  const auto ends = [&] { return sum_reached_ >= cutoff() || found_.value() == hw::low_bits(warps_); };
  while (!ends() && walk_from_ + walk_cycles_ <= cycle) {
    const unsigned warp = sorter_.order()[walk_length_];
    walk_order_.read(walk_from_);
    walk_score_.read(walk_from_);
    sum_reached_ = sum_.add(walk_from_, sum_reached_, counted(warp));
    found_.set_bits(warp_bit(warp));
    walk_from_ += walk_cycles_;
    walk_sum_.write(walk_from_, sum_reached_);
    walk_place_.write(walk_from_, next_place_.add(walk_from_, walk_length_++, 1));
    static_cast<void>(reached_.less_equal(walk_from_, cutoff(), sum_reached_));
  }
}

/// The same of a whole walk at once, in ideal timing. No sum of scores is too large for the adder.
void CcwsCutoff::count_walk(std::uint64_t cycle) {
  const unsigned last = walk_length_ - 1;
  walk_order_.read(cycle, walk_length_);
  walk_score_.read(cycle, walk_length_);
  walk_sum_.write(cycle, sum_.add(cycle, sum_reached_, 0, walk_length_), walk_length_);
  walk_place_.write(cycle, next_place_.add(cycle, last, 1, walk_length_), walk_length_);
  static_cast<void>(reached_.less_equal(cycle, cutoff(), sum_reached_, walk_length_));
}

void CcwsCutoff::end_walk(std::uint64_t cycle) {
  if (hardware_) make_up_walk(cycle - 1);
  enter(State::kIdle);
  idle_from_ = std::max(idle_from_, cycle);
  due_ = kNever;
  eligible_.load(found_.value() & active_.value());
}

/// Ideal timing: of the warps walked over those above the base lose one a cycle each, until one arrives
/// there, which changes the order.
std::uint64_t CcwsCutoff::next_change(std::uint64_t cycle) const {
  if ((active_.value() & ~found_.value()) == 0) return kNever;  // the sum only falls
  std::uint64_t next = kNever;
  unsigned above = 0;
  for (unsigned i = 0; i < warps_; ++i) {
    const unsigned warp = sorter_.order()[i];
    const std::uint64_t floor_at = scores_.floor_at(warp);
    if (floor_at <= cycle) break;
    if ((active_.value() & warp_bit(warp)) == 0) continue;
    next = std::min(next, floor_at);
    if (i < walk_length_) ++above;
  }
  if (above != 0) next = std::min(next, cycle + (sum_reached_ - cutoff()) / above + 1);
  return next;
}

std::uint64_t CcwsCutoff::next_sort() const {
  if (active_.value() == 0 || unsorted_from_ == kNever) return kNever;
  const std::uint64_t earliest = cutoff_at_ == kNever ? idle_from_ : std::max(idle_from_, cutoff_at_);
  return std::max(earliest, unsorted_from_);
}

std::uint64_t CcwsCutoff::next() const {
  return std::min({due_, counted_at_, cutoff_at_, state_ == State::kIdle ? next_sort() : kNever});
}

void CcwsCutoff::advance(std::uint64_t cycle) {
  for (std::uint64_t at = next(); at <= cycle; at = next()) {
    if (counted_at_ == at || cutoff_at_ == at) {
      if (state_ == State::kWalking) make_up_walk(due_ == at ? at - 1 : at);
      load_cutoff(at, counted_at_ == at ? counted_warps_ : active_.value());
      (counted_at_ == at ? counted_at_ : cutoff_at_) = kNever;
      if (state_ == State::kWalking && due_ != at) plan_walk(at);
    }
    if (due_ != at) {
      if (state_ != State::kIdle || next_sort() != at) continue;
      copy_scores(at);
      start_sort(at + 1);
    } else if (state_ == State::kSorting) {
      begin_walk(at + 1);
    } else {
      end_walk(at);
    }
  }
}

std::uint64_t CcwsCutoff::update(std::uint64_t cycle) {
  if (unsorted_.value() == 0 && due_ > cycle) return due_;
  load_cutoff(cycle, active_.value());
  copy_scores(cycle);
  start_sort(cycle);
  walk_at_once(cycle);
  return due_;
}

void CcwsCutoff::trace(WaveSink& sink) const {
  scores_.trace(sink);
  cutoff_.trace(sink);
  active_.trace(sink);
  eligible_.trace(sink);
}

}  // namespace heddle
