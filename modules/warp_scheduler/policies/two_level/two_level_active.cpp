#include <algorithm>
#include <array>
#include <string>

#include "hw/logic/population_count.h"
#include "hw/order/age_order.h"
#include "hw/pricing/gates.h"
#include "hw/storage/bit_vector.h"
#include "modules/warp_scheduler/policies/basic/round_robin.h"
#include "modules/warp_scheduler/policies/two_level/marked_active_set.h"
#include "modules/warp_scheduler/policies/two_level/parameters.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {
namespace {

/// Two-level scheduling with an active set (gtx480.md, "Schedulers"): at most N warps are active, loose round
/// robin among them. An active warp that waits long (pending load, barrier, membar) goes to the tail of the
/// pending queue at the cycle at which that is seen; the first pending warp that does not wait long takes its
/// place at the same cycle. A wait ends when the data is back, and empty slots are not part of the queue,
/// other than in MarkedActiveSet. The queue is an age matrix: in hardware timing one warp of it becomes
/// active per cycle, and of those that join it at once the lower slot is the first.
class TwoLevelActive final : public Prioritizer {
 public:
  explicit TwoLevelActive(const PolicyContext& context)
      : table_(context.table),
        capacity_(context.values_of(two_level_active_parameters).active_warps),
        one_a_cycle_(context.hardware.timing == hw::Timing::kHardware),
        hardware_(context.hardware.child("two_level_active")),
        active_(hardware_, "active" + std::to_string(context.scheduler), hw::Wires{OwnWarps(context).mask()}),
        active_count_(hardware_, "active_count" + std::to_string(context.scheduler),
                      OwnWarps(context).count()),
        pending_(hardware_, "pending" + std::to_string(context.scheduler), queue_of(context)),
        turns_(hardware_, std::to_string(context.scheduler), OwnWarps(context)) {
    hardware_.note("active*", kBaselineNote);
    hardware_.note("pending*", kBaselineNote);
  }

  std::uint64_t update(std::uint64_t cycle) override {
    for (unsigned i = 0; i < num_started_; ++i) pending_.append(cycle, started_[i]);
    num_started_ = 0;
    const WarpMask waits = table_.waits_long();
    demote(cycle, active_.value() & waits);
    while (size_ < capacity_ && (pending_.present() & ~waits) != 0) {
      if (one_a_cycle_ && promoted_at_ == cycle) return cycle + 1;
      promoted_at_ = cycle;
      const unsigned promoted = pending_.oldest(cycle, ~waits);
      if (promoted == hw::kNoInput) break;
      pending_.remove(promoted);
      active_.set_bits(warp_bit(promoted));
      count_active();
    }
    return kNever;
  }

  unsigned select(std::uint64_t /*cycle*/, WarpMask issuable) override {
    return turns_.select(issuable & active_.value());
  }

  hw::TimingPath choice_path() const override {
    return hw::TimingPath().through("active", hw::gates::kGateFo4).then(turns_.choice_path());
  }
  void on_start(unsigned warp) override { started_[num_started_++] = static_cast<std::uint8_t>(warp); }
  void on_finish(unsigned warp) override {
    std::uint8_t* const end = started_.data() + num_started_;
    num_started_ = static_cast<unsigned>(std::remove(started_.data(), end, warp) - started_.data());
    pending_.remove(warp);
    if (!active_.test(warp)) return;
    active_.clear_bits(warp_bit(warp));
    count_active();
  }
  void on_issue(const IssueEvent& event) override { turns_.issued(event.warp, event.cycle); }
  bool pass_over(std::uint64_t cycle, WarpMask held) override {
    demote(cycle, active_.value() & held);
    return size_ < capacity_;
  }
  bool keeps_active_set() const override { return true; }
  WarpMask active() const override { return active_.value(); }
  void trace(WaveSink& sink) override {
    active_.trace(sink);
    pending_.trace(sink);
    turns_.trace(sink);
  }
  void trace_state(WaveSink& sink) override { active_.trace(sink); }

 private:
  static hw::AgeOrderShape queue_of(const PolicyContext& context) {
    const OwnWarps own(context);
    hw::AgeOrderShape shape;
    shape.entries = own.count();
    shape.first = own.warp(0);
    shape.stride = own.stride();
    return shape;
  }
  void count_active() { size_ = active_count_.count(active_.value()); }
  void demote(std::uint64_t cycle, WarpMask warps) {
    if (warps == 0) return;
    active_.clear_bits(warps);
    count_active();
    for (; warps != 0; warps &= warps - 1) pending_.append(cycle, lowest_warp(warps));
  }

  const WarpTable& table_;
  unsigned capacity_;
  bool one_a_cycle_;  ///< becomes active
  hw::Owner hardware_;
  hw::BitVector active_;
  hw::PopulationCount active_count_;
  hw::AgeOrder pending_;
  RoundRobin turns_;
  unsigned size_ = 0;  ///< active warps: active_count_'s output
  /// Since the last update, in the cycle of the next one: they join the queue with those that it demotes.
  std::array<std::uint8_t, kMaxWarps> started_{};
  unsigned num_started_ = 0;
  std::uint64_t promoted_at_ = kNever;  ///< the last warp
};

std::unique_ptr<Prioritizer> create_two_level_active(const PolicyContext& context) {
  const LongWait long_wait = context.values_of(two_level_active_parameters).long_wait;
  if (long_wait == LongWait::kMarked) return std::make_unique<MarkedActiveSet>(context);
  return std::make_unique<TwoLevelActive>(context);
}

}  // namespace

const ParametersOf<TwoLevelActiveParameters> two_level_active_parameters{
    "two_level_active",
    {parameter::whole(&TwoLevelActiveParameters::active_warps, "active_warps", 1, 64, "warps",
                      "Active warps of a scheduler"),
     parameter::choice(
         &TwoLevelActiveParameters::long_wait, "long_wait", {"until_data", "marked"},
         "Which warps make room: those whose data is not back, or, as on the reference machine, all "
         "that read a register which a load has filled, and empty slots")}};

extern const PrioritizerEntry two_level_active_entry;
const PrioritizerEntry two_level_active_entry{
    "two_level_active", "N active warps, round robin; a warp that waits long makes room for a pending one",
    &create_two_level_active, &long_marks_entry, &two_level_active_parameters};

}  // namespace heddle
