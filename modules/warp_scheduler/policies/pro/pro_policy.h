#pragma once

#include <array>
#include <memory>
#include <vector>

#include "hw/logic/adder.h"
#include "hw/logic/comparator.h"
#include "hw/storage/pipeline.h"
#include "hw/storage/register.h"
#include "modules/warp_scheduler/policies/pro/order.h"
#include "modules/warp_scheduler/policies/pro/parameters.h"
#include "modules/warp_scheduler/shared_policy.h"

namespace heddle {

/// What the schedulers of an SM share under PRO, "Progress Aware GPU Warp Scheduling" (Anantpur,
/// Govindarajan). Follows Algorithm 1, and the text where the two differ; docs/schedulers/pro.md says where.
class ProPolicy final : public SharedPolicy {
 public:
  /// Throws std::invalid_argument when a parameter of scheduler.pro is out of range.
  explicit ProPolicy(const SmContext& context);

  void on_grid_dispatched(const GridDispatched& event) override;
  void on_tb_start(const TbEvent& event) override;
  void on_tb_end(const TbEvent& event) override;
  void on_issue(const IssueEvent& event) override;
  void on_barrier_arrive(const BarrierEvent& event) override;
  void on_barrier_release(const BarrierEvent& event) override;
  void on_warp_start(const WarpEvent& event) override;
  void on_warp_finish(const WarpEvent& event) override;
  std::uint64_t update(std::uint64_t cycle) override;
  std::uint64_t show(std::uint64_t cycle) override;
  bool restless(std::uint64_t cycle) const override { return order_.restless(cycle); }

  const ProBlocks& blocks() const { return blocks_; }
  const ProOrder& order() const { return order_; }

  void report(StatSink& sink) const override;
  void settle(std::uint64_t cycle) override;
  void trace(WaveSink& sink) override;
  void trace_state(WaveSink& sink) override;

 private:
  /// A row of PRO table IV: linear TB indices, highest priority first.
  struct LoggedSort {
    std::uint64_t cycle = 0;
    std::vector<std::uint64_t> tbs;
  };
  void advance(std::uint64_t cycle);
  void drop_ended(std::uint64_t cycle, unsigned warp);
  void sort_everything(std::uint64_t cycle);
  /// Low bits of the cycle of the next sort of all.
  std::uint64_t sort_due() const { return sort_due_.value() << due_zero_bits_; }
  std::uint64_t cycles_to_sort(std::uint64_t cycle) const;
  void log_when_sorted();
  void report_log(StatSink& sink) const;
  void trace_states(WaveSink& sink);
  void show_states();

  const ProParameters config_;
  const unsigned due_zero_bits_;  ///< of sort_due(), which are 0 for ever
  ProBlocks blocks_;
  ProOrder order_;
  hw::Register sort_due_;  ///< sort_due(), without those
  hw::Adder next_sort_;
  hw::Comparator sort_is_due_;  ///< against the SM's cycle counter
  hw::Pipeline phase_way_;      ///< from the TB dispatcher: that a kernel has no TBs left, and which kernel

  std::array<std::uint64_t, kNumProStates> issues_{};  ///< by state of the TB
  std::uint64_t tb_stale_issues_ = 0;
  std::uint64_t warp_stale_issues_ = 0;
  std::uint64_t threshold_sorts_ = 0;
  std::vector<LoggedSort> log_;
  std::uint64_t log_from_ = kNever;          ///< cycle of the sort that is to be logged
  std::vector<std::uint64_t> shown_states_;  ///< by TB slot
  bool traced_ = false;                      ///< they are shown at every change
  bool shows_state_ = false;                 ///< when they are settled
};

}  // namespace heddle
