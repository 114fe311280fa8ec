#pragma once

#include <string>

#include "hw/logic/comparator.h"
#include "hw/logic/minimum_tree.h"
#include "hw/logic/request_groups.h"
#include "modules/warp_scheduler/policies/basic/own_warps.h"
#include "modules/warp_scheduler/policies/pro/pro_policy.h"
#include "modules/warp_scheduler/prioritizer.h"

namespace heddle {

/// One scheduler's part of PRO: of the TBs in their order the first with a warp that may issue, and of that
/// TB's warps in theirs the first (PRO III.E). Ranks are kept by TB slot and warp, so that the first is the
/// least: a tree each finds it. Comparators with those two tell which stale warps come before it.
class Pro final : public Prioritizer {
 public:
  explicit Pro(const PolicyContext& context);

  unsigned select(std::uint64_t cycle, WarpMask issuable) override;
  hw::TimingPath choice_path() const override;

 private:
  static unsigned own_warps(const PolicyContext& context) { return OwnWarps(context).count(); }

  const ProPolicy& shared_;
  hw::RequestGroups requests_;  ///< TBs with a warp that may issue
  hw::MinimumTree tb_selector_;
  hw::MinimumTree warp_selector_;
  hw::Comparator tbs_passed_over_;
  hw::Comparator warps_passed_over_;
  unsigned tb_slots_;
  std::uint64_t asked_at_ = kNever;
  bool passed_ = false;  ///< who comes before the choice of `asked_at_` has been found
};

}  // namespace heddle
