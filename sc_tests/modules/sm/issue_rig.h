#pragma once

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "modules/messages/tick_order.h"
#include "modules/sm/issue_stage.h"
#include "modules/tb_dispatcher/tb_dispatcher.h"
#include "sc_tests/support/fake_kernel.h"
#include "sc_tests/support/stub_memory.h"

namespace heddle::testing {

/// Stands for operand collector, units and write-back: an instruction that issues at t leaves the input
/// register at t + 1 and completes at t + 5 + latency.
class FakeCollector : public sc_core::sc_module, public Clocked, public IssueReady {
 public:
  FakeCollector(const sc_core::sc_module_name& name, ClockDomain& domain, const ExecutionConfig& execution,
                unsigned schedulers)
      : sc_module(name),
        Clocked(domain, tick_order::kOperandCollector, this->name()),
        issue("issue", schedulers),
        input_(*this),
        execution_(execution) {
    for (IssueTargetSocket& socket : issue) socket.bind(input_);
  }

  sc_core::sc_vector<IssueTargetSocket> issue;
  Cycle memory_latency = 40;
  Cycle closed_until = 0;  ///< before this cycle the LD/ST input register does not empty

  unsigned free_slots(Unit unit) const override {
    constexpr std::array<unsigned, kNumUnits> kSlots{2, 1, 1};
    const auto u = static_cast<unsigned>(unit);
    return kSlots[u] - queued_[u];
  }

  bool tick() override {
    const Cycle cycle = domain().cycle();
    queued_[0] = queued_[1] = 0;
    if (cycle >= closed_until) queued_[2] = 0;
    while (!pending_.empty() && pending_.begin()->first <= cycle) {
      WarpInstruction& instruction = *pending_.begin()->second;
      pending_.erase(pending_.begin());
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      issue[instruction.scheduler]->nb_transport_bw(instruction, phase, delay);
    }
    return !pending_.empty() || queued_[2] != 0;
  }

 private:
  class Input : public IssueTarget {
   public:
    explicit Input(FakeCollector& owner) : IssueTarget(owner), owner_(owner) {}
    tlm::tlm_sync_enum nb_transport_fw(WarpInstruction& instruction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& /*delay*/) override {
      owner_.take(instruction);
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    }

   private:
    FakeCollector& owner_;
  };

  void take(WarpInstruction& instruction) {
    EXPECT_GT(free_slots(instruction.instruction->unit), 0U);
    ++queued_[static_cast<unsigned>(instruction.instruction->unit)];
    const bool load = instruction.instruction->mem == MemOp::kLoad;
    const auto op_class = static_cast<unsigned>(instruction.instruction->op_class);
    const Cycle latency = load ? memory_latency : execution_.timing[op_class].latency_cycles;
    pending_.emplace(domain().cycle() + 5 + latency, &instruction);
    wake();
  }

  Input input_;
  const ExecutionConfig& execution_;
  std::array<unsigned, kNumUnits> queued_{};
  std::multimap<Cycle, WarpInstruction*> pending_;
};

/// An SM without its back end, a dispatcher, and a memory for its instruction cache.
class IssueRig : private StoreCounts {
 public:
  struct Options {
    bool sleeping = true;
    bool reversed = false;  ///< order of construction
  };

  IssueRig(const std::string& name, const GpuConfig& gpu, Options options)
      : config(gpu), clock(name.c_str(), sc_core::sc_time(1, sc_core::SC_NS), options.sleeping) {
    config.core.sms = 1;
    const std::string prefix = name + "_";
    const auto make_memory = [&] {
      memory = std::make_unique<StubMemory>((prefix + "memory").c_str(), clock, 10);
      dispatcher = std::make_unique<TbDispatcher>((prefix + "dispatcher").c_str(), clock, config.core,
                                                  config.tb_dispatcher);
    };
    const auto make_collector = [&] {
      collector = std::make_unique<FakeCollector>((prefix + "collector").c_str(), clock, config.execution,
                                                  config.core.schedulers);
    };
    if (options.reversed) {
      make_memory();
      make_collector();
    }
    fetch =
        std::make_unique<FetchUnit>((prefix + "fetch").c_str(), clock, config.fetch, 0, config.core.warps);
    issue = std::make_unique<IssueStage>((prefix + "issue").c_str(), clock, config, SmId(0), *fetch,
                                         static_cast<StoreCounts&>(*this));
    if (!options.reversed) {
      make_collector();
      make_memory();
    }
    fetch->icache.memory.socket.bind(memory->port.socket);
    dispatcher->sm[0].bind(issue->tb);
    for (unsigned s = 0; s < issue->issuer.schedulers(); ++s) {
      issue->issuer.scheduler(s).issue.bind(collector->issue[s]);
      issue->issuer.scheduler(s).ready.bind(*collector);
    }
    issue->issuer.issued.listen([this](const WarpInstruction& instruction) {
      issues.push_back({instruction.issued_at, instruction.warp, instruction.index});
    });
    issue->residency.tb_finished.listen(
        [this](const TbTransaction& tb, Cycle cycle) { ended.emplace_back(tb.tb, cycle); });
  }
  explicit IssueRig(const GpuConfig& gpu = {}) : IssueRig("clock", gpu, Options()) {}

  struct Issue {
    Cycle cycle;
    unsigned warp;
    std::uint32_t index;
    bool operator==(const Issue& other) const {
      return std::tie(cycle, warp, index) == std::tie(other.cycle, other.warp, other.index);
    }
  };

  /// Runs up to and including clock edge `cycle`.
  void run_to(Cycle cycle) {
    const sc_core::sc_time end = sc_core::sc_time(static_cast<double>(cycle) + 0.5, sc_core::SC_NS);
    sc_core::sc_start(end - sc_core::sc_time_stamp());
    clock.rethrow_fault();
    issue->settle();
  }

  /// Issue cycles of `warp`, as differences from its first one.
  std::vector<Cycle> relative_issues(unsigned warp = 0) const {
    std::vector<Cycle> cycles;
    Cycle first = 0;
    for (const Issue& i : issues) {
      if (i.warp != warp) continue;
      if (cycles.empty()) first = i.cycle;
      cycles.push_back(i.cycle - first);
    }
    return cycles;
  }
  /// Cycle at which `warp` issued instruction `index` for the last time; 0 when it did not.
  Cycle issue_cycle(unsigned warp, std::uint32_t index) const {
    Cycle cycle = 0;
    for (const Issue& i : issues) {
      if (i.warp == warp && i.index == index) cycle = i.cycle;
    }
    return cycle;
  }
  std::uint64_t cycles_of_cause(unsigned scheduler, IssueCause cause) const {
    return issue->issuer.scheduler(scheduler).cycles()[static_cast<unsigned>(cause)];
  }

  GpuConfig config;
  ClockDomain clock;
  std::unique_ptr<StubMemory> memory;
  std::unique_ptr<TbDispatcher> dispatcher;
  std::unique_ptr<FakeCollector> collector;
  std::unique_ptr<FetchUnit> fetch;
  std::unique_ptr<IssueStage> issue;
  std::vector<Issue> issues;
  std::vector<std::pair<std::uint64_t, Cycle>> ended;  ///< TB, cycle
  unsigned stores_left = 0;                            ///< of every warp

 private:
  unsigned outstanding_stores(unsigned /*warp*/) const override { return stores_left; }
};

}  // namespace heddle::testing
