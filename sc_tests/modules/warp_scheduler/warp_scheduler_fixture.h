#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "modules/warp_scheduler/warp_scheduler.h"

namespace heddle {

/// The scheduler alone: a warp table that the test writes, and a collector with as many slots as it says.
class WarpSchedulerTest : public ::testing::Test, private IssueHost {
 protected:
  explicit WarpSchedulerTest(const std::string& policies = "gto", unsigned choice_cycles = 1)
      : config_(scheduled_by(policies, choice_cycles)),
        scheduler_("scheduler", 0, table_, policies_, *this, 0x555555555555) {
    scheduler_.issue.bind(collector_.socket);
    scheduler_.ready.bind(collector_.ready);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // completes the bindings
  }

  static GpuConfig scheduled_by(const std::string& policies, unsigned choice_cycles) {
    GpuConfig config;
    config.scheduler.name = policies;
    config.scheduler.timing = choice_cycles == 1 ? hw::Timing::kIdeal : hw::Timing::kHardware;
    config.scheduler.choice_cycles = choice_cycles;
    return config;
  }

  static hw::Owner hardware_of(const GpuConfig& config) {
    hw::Owner owner;
    owner.timing = config.scheduler.timing;
    owner.strict = true;
    return owner;
  }

  void start(unsigned warp, Unit unit = Unit::kSp) {
    table_.resident |= warp_bit(warp);
    table_.valid |= warp_bit(warp);
    table_.needs[static_cast<unsigned>(unit)] |= warp_bit(warp);
    scheduler_.warp_started(warp);
  }
  /// Cause of the next cycle, with no slot free for `full` units.
  IssueCause cause(std::initializer_list<Unit> full = {}) {
    collector_.ready.slots = {1, 1, 1};
    for (const Unit unit : full) collector_.ready.slots[static_cast<unsigned>(unit)] = 0;
    scheduler_.settle(cycle_);
    const CauseCycles before = scheduler_.cycles();
    scheduler_.run(++cycle_);
    scheduler_.settle(cycle_);
    for (unsigned c = 0; c < kNumIssueCauses; ++c) {
      if (scheduler_.cycles()[c] != before[c]) return static_cast<IssueCause>(c);
    }
    ADD_FAILURE() << "the cycle was not charged";
    return IssueCause::kEmpty;
  }

  struct Ready : IssueReady {
    std::array<unsigned, kNumUnits> slots{1, 1, 1};
    unsigned free_slots(Unit unit) const override { return slots[static_cast<unsigned>(unit)]; }
  };
  struct Collector : sc_core::sc_module, tlm::tlm_fw_transport_if<IssueProtocol> {
    explicit Collector(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
      socket.bind(*this);
    }
    tlm::tlm_sync_enum nb_transport_fw(WarpInstruction& instruction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& /*delay*/) override {
      if (withholds) return tlm::TLM_ACCEPTED;
      taken.push_back(instruction.warp);
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    }
    void b_transport(WarpInstruction& /*instruction*/, sc_core::sc_time& /*delay*/) override {}
    bool get_direct_mem_ptr(WarpInstruction& /*instruction*/, tlm::tlm_dmi& /*dmi*/) override {
      return false;
    }
    unsigned transport_dbg(WarpInstruction& /*instruction*/) override { return 0; }
    IssueTargetSocket socket;
    Ready ready;
    std::vector<unsigned> taken;
    bool withholds = false;  ///< against the protocol
  };

  WarpTable table_;
  GpuConfig config_;
  SmPolicies policies_{{table_, config_, 0, nullptr, nullptr, hardware_of(config_)}};
  Collector collector_{"collector"};
  WarpScheduler scheduler_;
  std::uint64_t cycle_ = 0;
  WarpInstruction instruction_;
  Instruction decoded_;
  bool exits_ = false;
  std::vector<unsigned> flushes_;

 private:
  WarpInstruction& execute(unsigned warp) override {
    instruction_.instruction = &decoded_;
    instruction_.warp = static_cast<std::uint16_t>(warp);
    if (exits_) {
      table_.finished |= warp_bit(warp);
      table_.valid &= ~warp_bit(warp);
    }
    return instruction_;
  }
  void flush(unsigned warp) override {
    table_.stale &= ~warp_bit(warp);
    table_.off_path &= ~warp_bit(warp);
    flushes_.push_back(warp);
  }
  struct Answers : tlm::tlm_bw_transport_if<IssueProtocol> {
    tlm::tlm_sync_enum nb_transport_bw(WarpInstruction& /*instruction*/, tlm::tlm_phase& /*phase*/,
                                       sc_core::sc_time& /*delay*/) override {
      return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 /*start*/, sc_dt::uint64 /*end*/) override {}
  };
  tlm::tlm_bw_transport_if<IssueProtocol>& answers() override { return answers_; }

  Answers answers_;
};

}  // namespace heddle
