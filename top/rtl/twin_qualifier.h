#pragma once

#include "modules/warp_scheduler/choice_pipeline.h"
#include "modules/warp_scheduler/qualifier.h"
#include "top/rtl/sm_twin.h"

namespace heddle {

/// Stands between a warp scheduler and its qualifier as TwinPrioritizer does between it and its prioritizer.
class TwinQualifier final : public Qualifier {
 public:
  /// Model and twin outlive this, and so does `choice`, which is nullptr when a warp is chosen in one cycle.
  TwinQualifier(Qualifier& model, const ChoicePipeline* choice, SmTwin& twin)
      : model_(model), choice_(choice), twin_(twin) {}

  std::uint64_t update(std::uint64_t cycle) override { return model_.update(cycle); }
  WarpMask qualify(std::uint64_t cycle, WarpMask issuable) override {
    twin_.ask(cycle, issuable, choice_ == nullptr ? 0 : choice_->under_way());
    const WarpMask qualified = model_.qualify(cycle, issuable);  // its parts count what they do
    if (twin_.decides()) return twin_.qualify(issuable);
    twin_.model_qualified(qualified);
    return qualified;
  }
  hw::TimingPath qualify_path() const override { return model_.qualify_path(); }
  void on_start(unsigned warp) override { model_.on_start(warp); }
  void on_finish(unsigned warp) override { model_.on_finish(warp); }
  void on_issue(const IssueEvent& event) override { model_.on_issue(event); }

 private:
  Qualifier& model_;
  const ChoicePipeline* choice_;
  SmTwin& twin_;
};

}  // namespace heddle
