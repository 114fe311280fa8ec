#include <stdexcept>

#include "modules/warp_scheduler/policies/marked_active_set.h"
#include "modules/warp_scheduler/policy_registry.h"
#include "modules/warp_scheduler/warp_list.h"

namespace heddle {
namespace {

/// Two-level scheduling with an active set (gtx480.md, "Schedulers"): at most N warps are active, loose round
/// robin among them. An active warp that waits long (pending load, barrier, membar) goes to the tail of the
/// pending queue at the cycle at which that is seen; the first pending warp that does not wait long takes its
/// place at the same cycle. A wait ends when the data is back, and empty slots are not part of the queue,
/// other than in MarkedActiveSet.
class TwoLevelActive final : public Prioritizer {
 public:
  explicit TwoLevelActive(const PolicyContext& context)
      : table_(context.table), capacity_(context.config().two_level_active.active_warps) {}

  std::uint64_t update(std::uint64_t /*cycle*/) override {
    const WarpMask waits = table_.waits_long();
    demote(active_ & waits);
    while (size_ < capacity_) {
      const unsigned promoted = pending_.first_of(~waits);
      if (promoted == kNoWarp) break;
      pending_.remove(promoted);
      active_ |= warp_bit(promoted);
      ++size_;
    }
    return kNever;
  }

  unsigned select(WarpMask issuable) override {
    const WarpMask ready = issuable & active_;
    return ready == 0 ? kNoWarp : first_warp_from(ready, start_);
  }

  void on_start(unsigned warp) override { pending_.append(warp); }
  void on_finish(unsigned warp) override {
    pending_.remove(warp);
    if ((active_ >> warp & 1U) != 0) deactivate(warp);
  }
  void on_issue(const IssueEvent& event) override { start_ = (event.warp + 1) % kMaxWarps; }
  bool pass_over(WarpMask held) override {
    demote(active_ & held);
    return size_ < capacity_;
  }

 private:
  void demote(WarpMask warps) {
    for (; warps != 0; warps &= warps - 1) {
      deactivate(lowest_warp(warps));
      pending_.append(lowest_warp(warps));
    }
  }
  void deactivate(unsigned warp) {
    active_ &= ~warp_bit(warp);
    --size_;
  }

  const WarpTable& table_;
  unsigned capacity_;
  WarpMask active_ = 0;
  unsigned size_ = 0;  ///< warps in active_
  WarpList pending_;
  unsigned start_ = 0;
};

std::unique_ptr<Prioritizer> create(const PolicyContext& context) {
  const TwoLevelActiveConfig& config = context.config().two_level_active;
  if (config.active_warps == 0)
    throw std::invalid_argument("scheduler.two_level_active.active_warps: found 0, expected at least 1");
  if (config.long_wait == LongWait::kMarked) return std::make_unique<MarkedActiveSet>(context);
  return std::make_unique<TwoLevelActive>(context);
}

}  // namespace

extern const PrioritizerEntry two_level_active_entry;
const PrioritizerEntry two_level_active_entry{
    "two_level_active", "N active warps, round robin; a warp that waits long makes room for a pending one",
    &create, &long_marks_entry};

}  // namespace heddle
