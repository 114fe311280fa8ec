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

unsigned entries_of(const GpuConfig& gpu) {
  return gpu.scheduler.settings.of(ipaws_parameters).counters == IpawsCounters::kTb ? gpu.core.tb_slots
                                                                                    : gpu.core.warps;
}

/// Charges that can come in a cycle.
unsigned stalls_a_cycle(const GpuConfig& gpu) {
  const bool per_sm = gpu.scheduler.settings.of(ipaws_parameters).stall_scope == IpawsStallScope::kSm;
  return per_sm ? 1 : gpu.core.schedulers;
}

hw::TimingPath step_path(const GpuConfig& gpu, const char* label, double fo4) {
  hw::TimingPath path;
  path.through("age order", hw::gates::mux_fo4(entries_of(gpu), hw::index_bits(entries_of(gpu))));
  path.through("counter", hw::gates::mux_fo4(entries_of(gpu), kCounterBits));
  path.through(label, fo4);
  path.through("enable", hw::gates::enable_fo4());
  return path;
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
  shape.select_ports = stalls_a_cycle(gpu);
  return shape;
}

// A warp's score grows by one a cycle at most, a TB's by its warps at the barrier and one issue per
// scheduler; a warp is charged by its one scheduler, a TB by all that can stall on their own.
IssuePattern::IssuePattern(const hw::Owner& owner, const GpuConfig& gpu)
    : per_tb_(gpu.scheduler.settings.of(ipaws_parameters).counters == IpawsCounters::kTb),
      warps_of_interest_(gpu.scheduler.settings.of(ipaws_parameters).warps_of_interest),
      convex_eighths_(gpu.scheduler.settings.of(ipaws_parameters).convex_eighths),
      score_(owner, "iscore", counters(gpu, per_tb_ ? kCountBits : 1), hw::PaperCount::kBits),
      stall_(owner, "stall", counters(gpu, per_tb_ ? hw::index_bits(stalls_a_cycle(gpu) + 1) : 1),
             hw::PaperCount::kBits),
      order_(owner, "age_order", order(gpu)),
      comparator_(owner, "comparator", {kSumBits, 1, 0, false}),
      adder_(owner, "adder", sum_adder()),
      best_stall_(owner, "best_stall", of_bits(kCounterBits)),
      best_position_(owner, "best_position", of_bits(kCountBits)),
      sum_(owner, "sum", of_bits(kSumBits)),
      max_(owner, "max", of_bits(kCounterBits)) {
  owner.note("age_order", "who is older, which the greedy scheduler has to know as well");
  for (const char* part : {"best_stall", "best_position", "sum", "max"}) {
    owner.note(part, "a register of the judgement, once per kernel; the paper counts the counters only");
  }
  const hw::TimingPath compare = step_path(gpu, "comparator", hw::gates::comparator_fo4(kCounterBits));
  const hw::TimingPath add = step_path(gpu, "adder", hw::gates::adder_fo4(kSumBits, kSumBits));
  owner.declare_path("stall step", compare);
  owner.declare_path("score step", add);
  compare_cycles_ = owner.cycles(compare);
  add_cycles_ = owner.cycles(add);
}

void IssuePattern::clear() {
  score_.clear();
  stall_.clear();
  while (order_.size() != 0) order_.remove(order_.at(order_.size() - 1));
}

void IssuePattern::start(std::uint64_t cycle, WarpSlot warp, TbSlot tb_slot) {
  const unsigned added = member(warp, tb_slot);
  if (!per_tb_) leave(added);
  if ((order_.present() >> added & 1U) != 0) return;
  // The warps of a TB come at once; the order takes one a cycle, in time before any of them can stall.
  append_at_ = std::max(append_at_ + 1, cycle);
  order_.append(append_at_, added);
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
  const unsigned charged = order_.oldest(cycle, members_of(among, table), cycles);
  if (charged != hw::kNoInput) stall_.count(charged, 1, cycles);
}

/// The position of the member with the most stalls; of equals the oldest. When none was ever stalled all had
/// their chance, and the last position is returned.
unsigned IssuePattern::last_of_interest(std::uint64_t& cycle) {
  if (!warps_of_interest_) return order_.size() - 1;
  best_stall_.write(cycle, stall_.read(cycle, order_.at(0)));
  best_position_.write(cycle, 0);
  cycle += compare_cycles_;
  for (unsigned position = 1; position < order_.size(); ++position) {
    const std::uint64_t stalls = stall_.read(cycle, order_.at(position));
    const bool more = comparator_.less(cycle, best_stall_.value(), stalls);
    cycle += compare_cycles_;
    if (!more) continue;
    best_stall_.write(cycle, stalls);
    best_position_.write(cycle, position);
  }
  if (best_stall_.value() == 0) return order_.size() - 1;
  return static_cast<unsigned>(best_position_.value());
}

void IssuePattern::add_scores(std::uint64_t& cycle, unsigned last, Verdict& verdict) {
  sum_.write(cycle, 0);
  max_.write(cycle, 0);
  for (unsigned position = 0; position <= last; ++position) {
    const std::uint64_t score = score_.read(cycle, order_.at(position));
    const std::uint64_t sum = adder_.add(cycle, sum_.value(), score);
    const bool more = comparator_.less(cycle, max_.value(), score);
    cycle += std::max(add_cycles_, compare_cycles_);
    sum_.write(cycle, sum);
    if (more) max_.write(cycle, score);
  }
  verdict.score_sum = sum_.value();
  verdict.score_max = max_.value();
}

/// By shifted additions, one per bit of `b`.
std::uint64_t IssuePattern::multiply(std::uint64_t& cycle, std::uint64_t a, unsigned b) {
  std::uint64_t product = 0;
  for (unsigned bit = 0; bit < kCountBits; ++bit) {
    const std::uint64_t row = (b >> bit & 1U) != 0 ? a << bit : 0;
    product = adder_.add(cycle, product, row);
    cycle += adder_.cycles();
  }
  return product;
}

/// The W x score_max that makes up Algorithm 1's threshold, with what convex_eighths adds to it: shifted
/// additions, one per bit of the further eighths. It stays below 2 x W x score_max.
std::uint64_t IssuePattern::threshold(std::uint64_t& cycle, std::uint64_t half_sum) {
  std::uint64_t result = half_sum;
  for (unsigned eighth = kEighthsOfOne / 2, shift = 1; eighth != 0; eighth /= 2, ++shift) {
    if ((convex_eighths_ & eighth) == 0) continue;
    result = adder_.add(cycle, result, half_sum >> shift);
    cycle += adder_.cycles();
  }
  return result;
}

IssuePattern::Verdict IssuePattern::judge(std::uint64_t cycle) {
  Verdict verdict;
  verdict.members = order_.size();
  if (verdict.members == 0) return verdict;
  std::uint64_t now = cycle;
  const unsigned last = last_of_interest(now);
  verdict.of_interest = last + 1;
  add_scores(now, last, verdict);
  verdict.half_sum = multiply(now, verdict.score_max, verdict.of_interest);
  // sum >= W x max / 2, without the fraction.
  const std::uint64_t least = threshold(now, verdict.half_sum);
  verdict.convex = !comparator_.less(now, verdict.score_sum << 1, least);
  now += comparator_.cycles();
  verdict.time_cycles = now - cycle;
  return verdict;
}

void IssuePattern::trace(WaveSink& sink) const {
  score_.trace(sink);
  stall_.trace(sink);
  order_.trace(sink);
}

}  // namespace heddle
