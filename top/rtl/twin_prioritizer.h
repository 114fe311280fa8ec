#pragma once

#include "modules/warp_scheduler/prioritizer.h"
#include "top/rtl/sm_twin.h"

namespace heddle {

/// Stands between a warp scheduler and its prioritizer: tells the SM's twin what may be chosen, and what was;
/// or has the twin choose. The model's policy hears everything either way, since statistics and wake-ups are
/// its own.
class TwinPrioritizer final : public Prioritizer {
 public:
  /// Model and twin outlive this.
  TwinPrioritizer(Prioritizer& model, WarpMask supervised, SmTwin& twin)
      : model_(model), supervised_(supervised), twin_(twin) {}

  std::uint64_t update(std::uint64_t cycle) override {
    twin_.begin(cycle, supervised_);
    if (begun_at_ != cycle && twin_.hears(TwinInput::kWaits)) twin_.make_room(model_.waiting(supervised_));
    begun_at_ = cycle;
    return model_.update(cycle);
  }
  unsigned select(std::uint64_t cycle, WarpMask issuable) override {
    const bool first = cycle != asked_at_;
    asked_at_ = cycle;
    if (first) twin_.offer(cycle, issuable);
    const unsigned warp = model_.select(cycle, issuable);  // its parts count what they do
    if (twin_.decides()) return select_by_twin(first, issuable);
    if (warp != kNoWarp) twin_.model_chose(warp);
    return warp;
  }
  hw::TimingPath choice_path() const override { return model_.choice_path(); }
  bool pass_over(std::uint64_t cycle, WarpMask held) override { return model_.pass_over(cycle, held); }
  std::uint64_t rest(std::uint64_t cycle, WarpMask issuable, std::uint64_t next) override {
    return model_.rest(cycle, issuable, next);
  }
  WarpMask waiting(WarpMask slots) const override { return model_.waiting(slots); }
  bool keeps_active_set() const override { return model_.keeps_active_set(); }
  WarpMask active() const override { return model_.active(); }
  std::uint64_t cycles_with_active(WarpMask among, std::uint64_t first, std::uint64_t last) const override {
    return model_.cycles_with_active(among, first, last);
  }
  void on_start(unsigned warp) override { model_.on_start(warp); }
  void on_finish(unsigned warp) override { model_.on_finish(warp); }
  void on_issue(const IssueEvent& event) override { model_.on_issue(event); }

 private:
  /// First the stale warps that it passes, then the one that it grants.
  unsigned select_by_twin(bool first, WarpMask issuable) {
    if (first) choice_ = twin_.choose(issuable);
    const WarpMask passed = choice_.passed & issuable;
    if (passed != 0) return lowest_warp(passed);
    return (choice_.grant & issuable) != 0 ? lowest_warp(choice_.grant) : kNoWarp;
  }

  Prioritizer& model_;
  WarpMask supervised_;
  SmTwin& twin_;
  std::uint64_t begun_at_ = kNever;
  std::uint64_t asked_at_ = kNever;
  SmTwin::Choice choice_;
};

}  // namespace heddle
