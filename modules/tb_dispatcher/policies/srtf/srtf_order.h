#pragma once

#include <memory>
#include <vector>

#include "modules/tb_dispatcher/policies/srtf/runtime_predictor.h"

namespace heddle {

/// Shortest remaining time first (SRTF 5.1.1): a kernel that arrives beside others is sampled on one SM, one
/// kernel at a time in the order of arrival, while the other SMs go on; as soon as there is a prediction of
/// it, each SM gives its places to the kernel that it predicts to end first. Running TBs are never taken
/// away.
class SrtfOrder {
 public:
  /// `sample`: false when the predictor knows everything from the start.
  SrtfOrder(const DispatchContext& context, std::unique_ptr<RuntimePredictor> predictor, bool sample);

  /// The launch whose TBs `sm` should take, of those with TBs that wait: the one that is sampled on this SM,
  /// otherwise the one that ends first; launches of which nothing is known come last, in the order of their
  /// arrival. nullptr when no TB waits. With `after`, the one that follows it in this order.
  LaunchRecord* first(const DispatchView& view, unsigned sm) const;
  /// Notes that `launch` should have `sm` next, but has neither room nor a TB there: it waits until TBs of
  /// others end (hand-off), from when it has come to go first. What waits to be sampled there is the sampling
  /// delay's, and no hand-off (SRTF 5.1.1).
  void waits_for_room(const DispatchView& view, const LaunchRecord& launch, unsigned sm);
  /// Of all launches with TBs that wait, in the order described.
  std::vector<LaunchRecord*> order(const DispatchView& view, unsigned sm) const;

  const RuntimePredictor& predictor() const { return *predictor_; }
  RuntimePredictor& predictor() { return *predictor_; }

  /// See DispatchPolicy.
  bool advance(const DispatchView& view);
  std::uint64_t next_change() const { return predictor_->next_change(); }

  void on_launch(const DispatchView& view, const LaunchRecord& launch);
  void on_end(const DispatchView& view, const LaunchRecord& launch);
  void on_tb_start(const DispatchEvent& event);
  void on_tb_end(const DispatchEvent& event);
  void report(StatSink& sink) const;
  void trace(WaveSink& sink) const;

 private:
  /// The launch that is sampled on `sm`, or nullptr.
  LaunchRecord* sampled_on(const DispatchView& view, unsigned sm) const;
  /// It is a TB of the launch that is sampled, on the SM that samples.
  bool is_sampled(const DispatchEvent& event) const;
  void end_hand_off(const DispatchEvent& event);
  void tell(PolicyInterval::Kind kind, const LaunchRecord& launch, unsigned sm, std::uint64_t start,
            std::uint64_t end) const;
  bool before(const DispatchView& view, const LaunchRecord& a, const LaunchRecord& b, unsigned sm) const;
  LaunchRecord* first_of_known(const DispatchView& view, unsigned sm) const;
  void end_sampling(const LaunchRecord& launch, std::uint64_t cycle);

  unsigned sampling_sm_;
  bool sample_;
  Probe<const PolicyInterval&>* spent_;
  std::unique_ptr<RuntimePredictor> predictor_;
  struct Sample {
    const LaunchRecord* launch;
    std::uint64_t since;        ///< it could have been sampled
    std::uint64_t started = 0;  ///< first TB of it on the SM
  };
  std::vector<Sample> to_sample_;  ///< the first is sampled now
  std::uint64_t samples_ = 0;
  std::uint64_t sampling_delay_cycles_ = 0;
  std::uint64_t sampling_cycles_ = 0;
  struct HandOff {
    const LaunchRecord* launch = nullptr;
    std::uint64_t since = 0;
  };
  std::vector<HandOff> hand_offs_under_way_;  ///< by SM
  std::vector<std::uint64_t> known_;          ///< launches, while they are looked at
  std::uint64_t hand_offs_ = 0;
  std::uint64_t hand_off_cycles_ = 0;
};

}  // namespace heddle
