#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "modules/tb_dispatcher/dispatch_policy.h"
#include "sc_tests/support/stat_values.h"

namespace heddle {

/// A policy of one SM that is told of kernels and thread blocks without a simulation, so that what it
/// predicts of each is known to the cycle.
class ToldSrtfTest : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kNow = 20000;
  static constexpr std::uint64_t kBlockCycles = 100;

  /// What is predicted at kNow, when a block of each kernel ends that lasted kBlockCycles: so that it will
  /// take `left` * kBlockCycles / `residency` cycles, and alone as many more as it has been `active`.
  struct Told {
    std::uint64_t left;  ///< blocks
    unsigned residency;
    std::uint64_t elapsed = kBlockCycles;  ///< cycles since its arrival
    std::uint64_t active = kBlockCycles;   ///< cycles with a block; more than kBlockCycles: one still runs
    unsigned threads = 32;                 ///< of a block
  };

  class View final : public DispatchView {
   public:
    const Launches& launches() const override { return running; }
    const Launches& coming() const override { return none; }
    bool can_start(const LaunchRecord& launch, unsigned /*sm*/) const override {
      return room && launch.tbs_waiting() != 0;
    }
    std::uint64_t cycle() const override { return now; }

    Launches running;
    Launches none;
    bool room = true;
    std::uint64_t now = 0;
  };

  void build(const std::string& policy, hw::Timing timing = hw::Timing::kIdeal) {
    core_.sms = 1;
    dispatch_.policy = policy;
    dispatch_.mixed_sms = true;
    hw::Owner owner;
    owner.timing = timing;
    policy_ = make_dispatch_policy({core_, dispatch_, owner});
  }
  /// In the order of their arrival.
  void tell(const std::vector<Told>& kernels) {
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      at(kNow - kernels[k].elapsed, [this, k, told = kernels[k]] { launch(static_cast<unsigned>(k), told); });
      const auto slot = static_cast<unsigned>(2 * k);
      if (kernels[k].active != kBlockCycles) at(kNow - kernels[k].active, [=] { start(k, slot); });
      at(kNow - kBlockCycles, [=] { start(k, slot + 1); });
      at(kNow, [=] { end(k, slot + 1); });
    }
    std::stable_sort(events_.begin(), events_.end(),
                     [](const Event& a, const Event& b) { return a.cycle < b.cycle; });
    for (const Event& event : events_) {
      view_.now = event.cycle;
      event.happens();
    }
    events_.clear();
  }
  void launch(unsigned number, const Told& told) {
    auto record = std::make_unique<LaunchRecord>();
    record->launch_id = number;
    record->kernel_slot = number;
    record->launched_at = view_.now;
    record->tbs = told.left + 1;
    record->resident.resize(1);
    record->occupancy.resident_limit = told.residency;
    record->occupancy.demand.threads = told.threads;
    record->occupancy.demand.warps = told.threads / 32;
    view_.running.push_back(std::move(record));
    policy_->on_launch(view_, kernel(number));
  }
  void start(std::size_t number, unsigned tb_slot) {
    LaunchRecord& record = kernel(number);
    ++record.tbs_started;
    ++record.resident[0];
    policy_->on_tb_start(view_, {record, SmId(0), TbSlot(tb_slot), view_.now});
  }
  void end(std::size_t number, unsigned tb_slot) {
    LaunchRecord& record = kernel(number);
    --record.resident[0];
    ++record.tbs_ended;
    policy_->on_tb_end(view_, {record, SmId(0), TbSlot(tb_slot), view_.now});
  }
  LaunchRecord& kernel(std::size_t number) { return *view_.running.at(number); }
  /// Number of the kernel that the SM's next block is taken from; -1 for none.
  int next() {
    const LaunchRecord* launch = policy_->select(view_, 0);
    return launch == nullptr ? -1 : static_cast<int>(launch->launch_id);
  }
  double value(const std::string& name) const {
    test::StatValues values;
    policy_->report(values);
    return values.values.at(name);
  }

  CoreConfig core_;
  TbDispatcherConfig dispatch_;
  std::unique_ptr<DispatchPolicy> policy_;
  View view_;

 private:
  struct Event {
    std::uint64_t cycle;
    std::function<void()> happens;
  };
  void at(std::uint64_t cycle, std::function<void()> happens) {
    events_.push_back({cycle, std::move(happens)});
  }
  std::vector<Event> events_;
};

}  // namespace heddle
