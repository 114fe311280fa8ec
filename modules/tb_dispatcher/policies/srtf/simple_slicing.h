#pragma once

#include <memory>
#include <vector>

#include "modules/tb_dispatcher/policies/srtf/runtime_predictor.h"
#include "modules/tb_dispatcher/policies/srtf/slicing_machines.h"
#include "modules/tb_dispatcher/policies/srtf/slicing_table.h"

namespace heddle {

/// The Simple Slicing predictor (SRTF 4): a table per SM. A slice ends when a kernel is launched or ends; the
/// first TB that ends in a slice gives the duration t of all. The first prediction of a kernel on any SM is
/// the first of all others too (5.1.1). In hardware timing a prediction takes its time.
class SimpleSlicing final : public RuntimePredictor {
 public:
  /// `slices`: false for the paper's slice-unaware mode, which figure 11 compares: each SM predicts a kernel
  /// once, when its first TB there has ended.
  explicit SimpleSlicing(const DispatchContext& context, bool slices = true);

  bool known(const LaunchRecord& launch, unsigned sm) const override;
  std::uint64_t remaining_cycles(const LaunchRecord& launch, unsigned sm) const override;
  bool ends_before(const DispatchView& view, const LaunchRecord& a, const LaunchRecord& b,
                   unsigned sm) override;
  std::uint64_t total_cycles(const LaunchRecord& launch, unsigned sm) const override;
  std::uint64_t tb_cycles(const LaunchRecord& launch, unsigned sm) const override;
  std::uint64_t tbs_left(const LaunchRecord& launch, unsigned sm) const override;

  unsigned first(std::uint64_t cycle, std::uint64_t kernels, unsigned sm) override;
  void advance(std::uint64_t cycle, std::vector<std::uint64_t>& known) override;
  std::uint64_t next_change() const override;
  SlicingMachines* machines() override { return machines_.get(); }

  /// In ideal timing.
  const SlicingTable& table(unsigned sm) const { return *sms_[sm]; }

  void on_launch(std::uint64_t cycle, const LaunchRecord& launch) override;
  void on_end(std::uint64_t cycle, const LaunchRecord& launch) override;
  void on_tb_start(const DispatchEvent& event) override;
  void on_tb_end(const DispatchEvent& event) override;
  void report(StatSink& sink) const override;
  void trace(WaveSink& sink) override;

 private:
  void tell(std::uint64_t cycle, const LaunchRecord& launch, unsigned sm) const;
  void step_until(std::uint64_t cycle);

  SampleBus bus_;
  std::vector<std::unique_ptr<SlicingTable>> sms_;  ///< in ideal timing
  std::unique_ptr<SlicingMachines> machines_;       ///< in hardware timing
  std::vector<std::uint64_t> launches_;             ///< by kernel slot: who runs, or was the last one
  std::vector<std::uint64_t> landed_;               ///< launches of which advance() has to tell
  Probe<const RuntimePrediction&>* predicted_;
  std::uint64_t predictions_ = 0;
};

}  // namespace heddle
