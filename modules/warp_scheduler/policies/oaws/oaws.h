#pragma once

#include <array>
#include <memory>

#include "modules/warp_scheduler/policies/oaws/classifier.h"
#include "modules/warp_scheduler/policies/oaws/locality.h"
#include "modules/warp_scheduler/policies/oaws/parameters.h"
#include "modules/warp_scheduler/policies/oaws/predictor.h"
#include "modules/warp_scheduler/policies/oaws/room.h"

namespace heddle {

/// Memory-occlusion-aware scheduling (OAWS, PACT 2016): a load may issue when the MSHR entries that it is
/// predicted to take are free and not claimed (equation 1). What the schedulers of an SM share.
///
/// In hardware timing the loads that may issue are a register: it follows the MSHRs, the loads in flight and
/// the predictions by the cycles of a subtraction and a comparison.
class Oaws : public SharedPolicy {
 public:
  Oaws(const SmContext& context, OawsPrediction kind);

  void on_kernel_start(const KernelEvent& event) override;
  void on_warp_start(const WarpEvent& event) override;
  void on_warp_finish(const WarpEvent& event) override;
  void on_issue(const IssueEvent& event) override;
  void on_load_coalesced(const LoadCoalesced& event) override;
  void on_load_looked_up(const LoadLookedUp& event) override;
  void on_mshr_room(const MshrRoom& event) override;
  /// When a prediction or a sum may change, or the loads that may issue.
  bool calls_for_run() override;
  std::uint64_t update(std::uint64_t cycle) override;
  void report(StatSink& sink) const override;
  void trace(WaveSink& sink) override;
  void trace_state(WaveSink& sink) override;

  /// Rooms with which the same loads fit: at least what each that fits needs, and less than what any other
  /// does.
  struct Rooms {
    unsigned least = 0;
    unsigned too_many = ~0U;
    bool have(unsigned room) const { return least <= room && room < too_many; }
    void narrow(const Rooms& other);
  };
  /// Which of some loads fitted when they were last looked at: it holds for as long as their predictions do.
  struct Look {
    WarpMask loads = 0;
    WarpMask fit = 0;
    std::uint64_t predictions = 0;  ///< MissPredictor::version()
    Rooms rooms;
  };

  /// The warps of `issuable` that would not occlude the LD/ST unit, now. `last`: of the scheduler that asks.
  WarpMask qualify(std::uint64_t cycle, WarpMask issuable, Look& last);
  WarpMask qualify(std::uint64_t cycle, WarpMask issuable) {
    Look none;
    return qualify(cycle, issuable, none);
  }

  const MissPredictor& predictor() const { return predictor_; }
  const MshrForecast& forecast() const { return forecast_; }
  const DivergentLoadClassifier& classifier() const { return classifier_; }
  /// Of dynamic OAWS; nullptr in static OAWS.
  LocalityWarps* locality() { return locality_.get(); }
  /// From a change of what decides to the loads that may issue.
  unsigned decision_cycles() const { return decision_cycles_; }

 private:
  struct Counters {
    std::uint64_t loads = 0;
    std::uint64_t predicted = 0, misses = 0;
    std::uint64_t too_low = 0, too_high = 0;
    std::uint64_t held = 0, held_cycles = 0;
  };
  struct Wave {
    std::uint64_t occlude = 0;
    std::uint64_t locality = 0;
  };

  /// All predictions, of loads that wait too: a scheduler that rests has to look at them.
  void make_again();
  WarpMask fitting(std::uint64_t cycle, WarpMask loads, Look& last);
  void look(WarpMask loads, unsigned room, Look& look) const;
  std::uint64_t decide(std::uint64_t cycle);
  void update_wave();

  const SmContext context_;
  ServedWarps served_;
  const OawsParameters config_;
  DivergentLoadClassifier classifier_;
  std::unique_ptr<LocalityWarps> locality_;
  MissPredictor predictor_;
  MshrForecast forecast_;
  std::unique_ptr<hw::BitVector> fits_;  ///< hardware timing: loads that may issue
  unsigned decision_cycles_ = 0;
  WarpMask decision_ = 0;  ///< what fits_ becomes at decided_at_
  std::uint64_t decided_at_ = kNever;
  Rooms asked_;  ///< those with which the loads that were asked about since the last update() would get the
                 ///< same
  bool calls_for_run_ = false;  ///< since it was asked
  WarpMask held_ = 0;           ///< loads held back, until they issue
  std::array<std::uint64_t, kMaxWarps> held_since_{};
  Counters counters_;
  std::unique_ptr<Wave> wave_;
};

/// Of a fixed share of a load's lanes (OAWS 4.2).
class OawsStatic : public Oaws {
 public:
  explicit OawsStatic(const SmContext& context)
      : Oaws(context.child("oaws_static"), OawsPrediction::kStatic) {}
};

/// By the warp's rank and the estimated number of cached warps (OAWS 4.3), which it learns at the L1D.
class OawsDynamic : public Oaws {
 public:
  explicit OawsDynamic(const SmContext& context)
      : Oaws(context.child("oaws_dynamic"), OawsPrediction::kDynamic) {}
  void on_l1d_access(const L1dAccess& event) override;
};

}  // namespace heddle
