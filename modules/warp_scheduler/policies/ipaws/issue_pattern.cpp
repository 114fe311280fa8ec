#include "modules/warp_scheduler/policies/ipaws/issue_pattern.h"

#include <algorithm>

#include "hw/pricing/gates.h"
#include "modules/warp_scheduler/policies/ipaws/parameters.h"

namespace heddle {

namespace {

constexpr unsigned kCounterBits = 32;  // iPAWS 3.5
constexpr unsigned kCountBits = 7;     // W is at most 64
/// Twice a sum of up to 64 scores.
constexpr unsigned kSumBits = kCounterBits + kCountBits;
constexpr unsigned kOperands = 3;  // that adder and comparator are used with

unsigned entries_of(const GpuConfig& gpu) {
  return gpu.scheduler.settings.of(ipaws_parameters).counters == IpawsCounters::kTb ? gpu.core.tb_slots
                                                                                    : gpu.core.warps;
}

bool per_tb(const GpuConfig& gpu) {
  return gpu.scheduler.settings.of(ipaws_parameters).counters == IpawsCounters::kTb;
}

/// Charges that can come in a cycle.
unsigned stalls_a_cycle(const GpuConfig& gpu) {
  const bool per_sm = gpu.scheduler.settings.of(ipaws_parameters).stall_scope == IpawsStallScope::kSm;
  return per_sm ? 1 : gpu.core.schedulers;
}

/// A step's halves, one behind the other in steps that follow each other: a member's counter is read into a
/// register, and compared or added.
hw::TimingPath read_path(const GpuConfig& gpu) {
  hw::TimingPath path;
  path.through("age order", hw::gates::mux_fo4(entries_of(gpu), hw::index_bits(entries_of(gpu))));
  path.through("counter", hw::gates::mux_fo4(entries_of(gpu), kCounterBits));
  path.through("stalls or score", hw::gates::one_hot_mux_fo4(2));
  return path.through("enable", hw::gates::enable_fo4());
}
hw::TimingPath work_path(const char* label, const hw::Depth& depth) {
  hw::TimingPath path;
  path.through("operands", hw::gates::one_hot_mux_fo4(kOperands));
  path.through(label, depth);
  return path.through("enable", hw::gates::enable_fo4());
}
hw::TimingPath compare_path() { return work_path("comparator", hw::gates::comparator_fo4(kSumBits)); }
hw::TimingPath add_path() { return work_path("adder", hw::gates::adder_fo4(kSumBits, kSumBits)); }

/// Selections in the order in a cycle: who of those that run is the oldest. As long as the oldest one of all
/// runs it is found without (KernelEnds, of the Recover phase): the Adapt phase ends with it at the latest,
/// unless it lasts until a TB ends.
unsigned selections(const GpuConfig& gpu) {
  const IpawsParameters& own = gpu.scheduler.settings.of(ipaws_parameters);
  const bool of_any = own.stall_of == IpawsStallOf::kOldest || own.stall_of == IpawsStallOf::kFirstTried;
  const bool known = of_any && own.stall_scope == IpawsStallScope::kSm && own.recover &&
                     own.judge_at != IpawsJudgeAt::kFirstTb;
  return known && !per_tb(gpu) ? 0 : stalls_a_cycle(gpu);
}

/// Bits of a number of members; the eighths are counted in them, too.
unsigned number_bits(const GpuConfig& gpu) { return std::max(2U, hw::index_bits(entries_of(gpu) + 1)); }

/// The threshold's additions work on a copy of the product, in the maximum's place.
unsigned max_bits(const GpuConfig& gpu) {
  return gpu.scheduler.settings.of(ipaws_parameters).convex_eighths > kEighthsOfOne ? kSumBits : kCounterBits;
}

/// Of the longest step.
unsigned wait_bits(const GpuConfig& gpu) {
  const hw::TimingPath longest = hw::TimingPath::longer(read_path(gpu), add_path());
  return hw::index_bits(longest.cycles(gpu.scheduler.clock_fo4));
}

hw::AdderShape sum_adder() {
  hw::AdderShape shape;
  shape.bits = kSumBits;
  return shape;
}

hw::RegisterShape of_bits(unsigned bits) {
  hw::RegisterShape shape;
  shape.bits = bits;
  return shape;
}

}  // namespace

hw::CounterArrayShape IssuePattern::counters(const GpuConfig& gpu, unsigned amount_bits) {
  hw::CounterArrayShape shape;
  shape.entries = entries_of(gpu);
  shape.bits = kCounterBits;
  shape.write_ports = 0;
  shape.adders = 0;
  shape.clear = true;
  shape.counts_in_place = true;
  shape.amount_bits = amount_bits;
  return shape;
}

hw::AgeOrderShape IssuePattern::order(const GpuConfig& gpu) {
  hw::AgeOrderShape shape;
  shape.entries = entries_of(gpu);
  shape.form = hw::AgeForm::kList;
  shape.select_ports = selections(gpu);
  shape.clear = true;
  return shape;
}

// A warp's score grows by one a cycle at most, a TB's by its warps at the barrier and one issue per
// scheduler; a warp is charged by its one scheduler, a TB by all that can stall on their own.
IssuePattern::IssuePattern(const hw::Owner& owner, const GpuConfig& gpu)
    : per_tb_(gpu.scheduler.settings.of(ipaws_parameters).counters == IpawsCounters::kTb),
      warps_of_interest_(gpu.scheduler.settings.of(ipaws_parameters).warps_of_interest),
      convex_eighths_(gpu.scheduler.settings.of(ipaws_parameters).convex_eighths),
      hardware_(owner.timing == hw::Timing::kHardware),
      product_steps_(hardware_ ? number_bits(gpu) : kCountBits),
      score_(owner, "iscore", counters(gpu, per_tb_ ? kCountBits : 1), hw::PaperCount::kBits),
      stall_(owner, "stall", counters(gpu, per_tb_ ? hw::index_bits(stalls_a_cycle(gpu) + 1) : 1),
             hw::PaperCount::kBits),
      order_(owner, "age_order", order(gpu)),
      place_(owner, "place", {entries_of(gpu), hw::index_bits(entries_of(gpu)) + 1, 1}),
      comparator_(owner, "comparator", {kSumBits, 1, 0, false}),
      compared_(owner, "compared", {kOperands, 2 * kSumBits, 1}),
      adder_(owner, "adder", sum_adder()),
      added_(owner, "added", {kOperands, 2 * kSumBits, 1}),
      read_(owner, "read", of_bits(kCounterBits)),
      read_of_(owner, "read_of", {2, kCounterBits, 1}),
      work_(owner, "work", of_bits(kSumBits)),
      of_interest_(owner, "of_interest", of_bits(number_bits(gpu))),
      sum_(owner, "sum", of_bits(kSumBits)),
      max_(owner, "max", of_bits(max_bits(gpu))),
      position_(owner, "position", of_bits(number_bits(gpu))),
      wait_(owner, "wait", of_bits(wait_bits(gpu))),
      state_(owner, "judge_state", of_bits(3)) {
  if (!per_tb_) arrivals_.emplace(owner, gpu.core.warps, true);
  owner.note("age_order", "who is older, which the greedy scheduler has to know as well");
  for (const char* part : {"read", "work", "of_interest", "sum", "max", "position", "wait", "judge_state"}) {
    owner.note(part, "a register of the judgement, once per kernel; the paper counts the counters only");
  }
  owner.declare_path("read of a step", read_path(gpu));
  owner.declare_path("comparison of a step", compare_path());
  owner.declare_path("addition of a step", add_path());
  add_cycles_ = owner.cycles(add_path());
  decide_cycles_ = owner.cycles(compare_path());
  stall_cycles_ = std::max<std::uint64_t>(owner.cycles(read_path(gpu)), decide_cycles_);
  score_cycles_ = std::max(stall_cycles_, add_cycles_);
}

IssuePattern::StepCycles IssuePattern::step_cycles() const {
  return {static_cast<unsigned>(stall_cycles_), static_cast<unsigned>(score_cycles_),
          static_cast<unsigned>(add_cycles_), static_cast<unsigned>(decide_cycles_)};
}

void IssuePattern::clear() {
  score_.clear();
  stall_.clear();
  order_.clear();
  if (arrivals_) arrivals_->clear();
}

void IssuePattern::start(std::uint64_t cycle, WarpSlot warp, TbSlot tb_slot) {
  const unsigned added = member(warp, tb_slot);
  if (arrivals_ && hardware_) {
    // It leaves the place that it may have had in the order when it enters it anew.
    score_.clear(added);
    stall_.clear(added);
    arrivals_->start(cycle, warp_bit(added),
                     [this](std::uint64_t at, unsigned entering) { append(at, entering); });
    return;
  }
  if (!per_tb_) leave(added);
  if ((order_.present() >> added & 1U) != 0) return;
  // The warps of a TB are one member: whatever comes first.
  append_at_ = std::max(append_at_ + 1, cycle);
  order_.append(append_at_, added);
}

/// Makes up who is in the order in `cycle`.
void IssuePattern::enter(std::uint64_t cycle) {
  if (!arrivals_ || !hardware_) return;
  arrivals_->advance(cycle, [this](std::uint64_t at, unsigned entering) { append(at, entering); });
}

void IssuePattern::append(std::uint64_t at, unsigned entering) {
  order_.append(at, entering);
  in_order_from_[entering] = last_entry_ = at + 1;
}

/// Of `members`, those that were in the order in `cycle`: it may have gone on since, for another scheduler.
std::uint64_t IssuePattern::in_order(std::uint64_t cycle, std::uint64_t members) const {
  if (cycle >= last_entry_) return members;
  std::uint64_t result = 0;
  for (; members != 0; members &= members - 1) {
    if (in_order_from_[lowest_warp(members)] <= cycle) result |= members & -members;
  }
  return result;
}

void IssuePattern::leave(unsigned member) {
  if ((order_.present() >> member & 1U) == 0) return;
  order_.remove(member);
  score_.clear(member);
  stall_.clear(member);
}

std::uint64_t IssuePattern::members_of(WarpMask warps, const WarpTable& table) const {
  if (!per_tb_) return warps;
  std::uint64_t members = 0;
  for (; warps != 0; warps &= warps - 1) members |= std::uint64_t{1} << table.tb_slot[lowest_warp(warps)];
  return members;
}

void IssuePattern::count_barrier(WarpMask waiting, const WarpTable& table) {
  for (; waiting != 0; waiting &= waiting - 1) {
    const unsigned warp = lowest_warp(waiting);
    score_.count(member(WarpSlot(warp), TbSlot(table.tb_slot[warp])));
  }
}

void IssuePattern::count_stall(std::uint64_t cycle, std::uint64_t cycles, WarpMask among,
                               const WarpTable& table) {
  const std::uint64_t members = members_of(among, table);
  // As long as warps enter, the oldest one may be another in the next cycle.
  std::uint64_t left = cycles;
  const auto entering = [&] { return arrivals_->waiting() != 0 || cycle - left + 1 < last_entry_; };
  for (; left > 1 && arrivals_ && entering(); --left) {
    const std::uint64_t at = cycle - left + 1;
    enter(at);
    const unsigned charged = oldest_of(in_order(at, members));
    if (charged != hw::kNoInput) stall_.count(charged, 1);
  }
  enter(cycle);
  const unsigned charged = order_.oldest(cycle, in_order(cycle, members), cycles);
  if (charged != hw::kNoInput) stall_.count(charged, 1, left);
}

/// Without the selector, whose uses are counted with the span's last.
unsigned IssuePattern::oldest_of(std::uint64_t members) const {
  for (unsigned place = 0; place < order_.size(); ++place) {
    if ((members >> order_.at(place) & 1U) != 0) return order_.at(place);
  }
  return hw::kNoInput;
}

/// The position of the member with the most stalls; of equals the oldest. When none was ever stalled all had
/// their chance, and the last position is returned.
unsigned IssuePattern::last_of_interest(std::uint64_t& cycle) {
  if (!warps_of_interest_) return order_.size() - 1;
  std::uint64_t most = 0;
  unsigned last = 0;
  state_.write(cycle, kStalls);
  for (unsigned position = 0; position < order_.size(); ++position) {
    const std::uint64_t stalls = read(cycle, position, stall_);
    cycle += stall_cycles_;
    compared_.read(cycle);
    const bool more = comparator_.less(cycle, most, stalls);
    if (!more && most != 0) continue;
    most = stalls;
    last = position;
    work_.write(cycle, most);
    of_interest_.write(cycle, position + 1);
  }
  cycle += stall_cycles_;
  return last;
}

/// The counter of the member at `position`, which is worked on in the step after the one that begins at
/// `cycle`.
std::uint64_t IssuePattern::read(std::uint64_t cycle, unsigned position, hw::CounterArray& counters) {
  position_.write(cycle, position);
  place_.read(cycle);
  const std::uint64_t value = counters.read(cycle, order_.at(position));
  read_of_.read(cycle);
  read_.write(cycle, value);
  return value;
}

void IssuePattern::add_scores(std::uint64_t& cycle, unsigned last, Verdict& verdict) {
  std::uint64_t sum = 0;
  std::uint64_t most = 0;
  state_.write(cycle, kScores);
  for (unsigned position = 0; position <= last; ++position) {
    const std::uint64_t score = read(cycle, position, score_);
    cycle += score_cycles_;
    compared_.read(cycle);
    added_.read(cycle);
    sum = adder_.add(cycle, sum, score);
    if (comparator_.less(cycle, most, score)) {
      most = score;
      max_.write(cycle, most);
    }
    sum_.write(cycle, sum);
  }
  cycle += score_cycles_;
  verdict.score_sum = sum;
  verdict.score_max = most;
}

/// By shifted additions, one per bit of `b`.
std::uint64_t IssuePattern::multiply(std::uint64_t& cycle, std::uint64_t a, unsigned b) {
  std::uint64_t product = 0;
  state_.write(cycle, kProduct);
  for (unsigned bit = 0; bit < product_steps_; ++bit) {
    const std::uint64_t row = (b >> bit & 1U) != 0 ? a << bit : 0;
    added_.read(cycle);
    product = adder_.add(cycle, product, row);
    cycle += add_cycles_;
    work_.write(cycle, product);
  }
  return product;
}

/// The W x score_max that makes up Algorithm 1's threshold, with what convex_eighths adds to it: shifted
/// additions, one per bit of the further eighths. It stays below 2 x W x score_max.
std::uint64_t IssuePattern::threshold(std::uint64_t& cycle, std::uint64_t half_sum) {
  std::uint64_t result = half_sum;
  for (unsigned eighth = kEighthsOfOne / 2, shift = 1; eighth != 0; eighth /= 2, ++shift) {
    if ((convex_eighths_ & eighth) == 0) continue;
    added_.read(cycle);
    result = adder_.add(cycle, result, half_sum >> shift);
    cycle += add_cycles_;
    work_.write(cycle, result);
  }
  return result;
}

IssuePattern::Verdict IssuePattern::judge(std::uint64_t cycle) {
  Verdict verdict;
  enter(cycle + 1);
  if (arrivals_) arrivals_->clear();
  verdict.members = order_.size();
  if (verdict.members == 0) return verdict;
  std::uint64_t now = cycle;
  const unsigned last = last_of_interest(now);
  verdict.of_interest = last + 1;
  add_scores(now, last, verdict);
  verdict.half_sum = multiply(now, verdict.score_max, verdict.of_interest);
  // sum >= W x max / 2, without the fraction.
  const std::uint64_t least = threshold(now, verdict.half_sum);
  compared_.read(now);
  verdict.convex = !comparator_.less(now, verdict.score_sum << 1, least);
  now += decide_cycles_;
  verdict.time_cycles = now - cycle;
  return verdict;
}

void IssuePattern::trace(WaveSink& sink) const {
  score_.trace(sink);
  stall_.trace(sink);
  order_.trace(sink);
}

}  // namespace heddle
