#include "modules/warp_scheduler/policies/ccws/scoring.h"

#include <algorithm>

#include "hw/pricing/gates.h"
#include "modules/warp_scheduler/policies/ccws/parameters.h"

namespace heddle {
namespace {

constexpr unsigned kTotalBits = 32;

hw::CounterArrayShape total_shape(unsigned most) {
  hw::CounterArrayShape shape;
  shape.entries = 1;
  shape.bits = kTotalBits;
  shape.overflow = hw::Overflow::kSaturate;
  shape.read_ports = shape.write_ports = shape.adders = 0;
  shape.amount_bits = hw::index_bits(most + 1);
  shape.counts_in_place = true;
  shape.clear = true;
  return shape;
}

hw::RatioUnitShape ratio_shape(const GpuConfig& gpu) {
  const std::uint64_t largest = std::uint64_t{gpu.core.warps} *
                                gpu.scheduler.settings.of(ccws_parameters).base_score *
                                gpu.scheduler.settings.of(ccws_parameters).k_throttle;
  hw::RatioUnitShape shape;
  shape.factor_bits = kTotalBits;
  shape.multiplier_bits = hw::index_bits(static_cast<unsigned>(largest) + 1);
  shape.divisor_bits = kTotalBits;
  shape.result_bits = CcwsCutoff::kScoreBits;
  return shape;
}

hw::ComparatorShape base_shape() {
  hw::ComparatorShape shape;
  shape.bits = CcwsCutoff::kScoreBits;
  return shape;
}

// Of scoring_.
constexpr std::uint64_t kUnitWorks = 1;
constexpr std::uint64_t kWarpUnfinished = 2;
constexpr std::uint64_t kSetsScore = 4;

}  // namespace

CcwsScoring::CcwsScoring(const hw::Owner& owner, const GpuConfig& gpu, CcwsCutoff& cutoff)
    : base_(gpu.scheduler.settings.of(ccws_parameters).base_score),
      hardware_(owner.timing == hw::Timing::kHardware),
      cutoff_(cutoff),
      hits_(owner, "vta_hits", total_shape(1)),
      issues_(owner, "issues", gpu.core.schedulers),
      issued_(owner, "instructions", total_shape(gpu.core.schedulers)),
      any_issued_(owner, "any_instruction", 1),
      hit_(owner, "hit_warps", gpu.core.warps),
      next_hit_(owner, "next_hit", gpu.core.warps, hw::SelectorForm::kFixed),
      ratio_(owner, "score_ratio", ratio_shape(gpu)),
      scored_warp_(owner, "scored_warp", {hw::index_bits(gpu.core.warps)}),
      scoring_(owner, "scoring", 3),
      finishes_(owner, "scored_finishes", {gpu.core.warps, 1}),
      below_base_(owner, "below_base", base_shape()),
      score_(owner, "score", {CcwsCutoff::kScoreBits}) {
  const unsigned own_warps = (gpu.core.warps + gpu.core.schedulers - 1) / gpu.core.schedulers;
  hw::TimingPath count;
  if (own_warps > 1) count.through("a warp of the scheduler issues", hw::gates::any_fo4(own_warps));
  owner.declare_path("count of instructions",
                     count.then(issues_.structure().path).then(issued_.structure().path));
}

void CcwsScoring::on_kernel_start() {
  hits_.clear();
  issued_.clear();
  any_issued_.load(0);
}

void CcwsScoring::on_finish(unsigned warp) {
  hit_.clear_bits(warp_bit(warp));
  if (!hardware_ || !unfinished_ || scored_warp_.value() != warp) return;
  unfinished_ = false;
  set_at_ = kNever;
  scoring_.clear_bits(kWarpUnfinished | kSetsScore);
}

std::uint64_t CcwsScoring::ratio(std::uint64_t cycle) {
  const std::uint64_t instructions = any_issued_.value() == 0 ? 1 : issued_.value(0);
  return ratio_.multiply_divide(cycle, hits_.value(0), cutoff_.throttled_cutoff(), instructions);
}

void CcwsScoring::lose(std::uint64_t cycle, unsigned warp) {
  if ((cutoff_.active() & warp_bit(warp)) == 0) return;
  hit_.set_bits(warp_bit(warp));
  hit_from_ = cycle;
  if (hardware_) return;
  hit_.clear_bits(warp_bit(next_hit_.select(hit_.value())));
  cutoff_.set_score(cycle, warp, std::max(base_, ratio(cycle)));
}

std::uint64_t CcwsScoring::next() const {
  const std::uint64_t begin =
      hit_.value() == 0 || quotient_at_ != kNever ? kNever : std::max(free_from_, hit_from_);
  return std::min({begin, quotient_at_, set_at_});
}

void CcwsScoring::step() {
  const std::uint64_t cycle = next();
  if (set_at_ == cycle) {
    cutoff_.set_score(cycle, static_cast<unsigned>(scored_warp_.value()), score_.value());
    set_at_ = kNever;
    scoring_.clear_bits(kSetsScore);
  }
  if (quotient_at_ == cycle) {
    const bool low = below_base_.less(cycle, quotient_, base_);
    score_.write(cycle, low ? base_ : quotient_);
    quotient_at_ = kNever;
    free_from_ = cycle + 1;
    if (unfinished_) set_at_ = cycle + 1;
    scoring_.load(unfinished_ ? kSetsScore : 0);
    return;
  }
  if (hit_.value() == 0 || std::max(free_from_, hit_from_) > cycle) return;
  const unsigned warp = next_hit_.select(hit_.value());
  hit_.clear_bits(warp_bit(warp));
  quotient_ = ratio(cycle);
  quotient_at_ = cycle + ratio_.cycles();
  scored_warp_.write(cycle, warp);
  unfinished_ = true;
  scoring_.set_bits(kUnitWorks | kWarpUnfinished);
}

}  // namespace heddle
