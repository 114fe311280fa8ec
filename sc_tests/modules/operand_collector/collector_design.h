#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "modules/operand_collector/operand_collector.h"
#include "sc_tests/modules/operand_collector/pipeline_bench.h"

namespace heddle::bench {

struct Variant {
  std::string prefix = "design";
  bool sleeping = true;
  bool reversed = false;  ///< constructed in the opposite order
  int scheduler_order = tick_order::kIssue;
};

/// A collector between two senders (schedulers 0 and 1) and stub units that complete after `latency`.
struct Design {
  explicit Design(const OperandCollectorConfig& config = {}, const Variant& variant = {})
      : domain((variant.prefix + "_domain").c_str(), sc_core::sc_time(1, sc_core::SC_NS), variant.sleeping) {
    const auto build_collector = [&] {
      collector = std::make_unique<OperandCollector>((variant.prefix + "_collector").c_str(), domain, config,
                                                     ExecutionConfig{}, 2);
    };
    if (!variant.reversed) build_collector();
    for (unsigned n = 0; n < 4; ++n) {
      const unsigned i = variant.reversed ? 3 - n : n;
      unit[i] = std::make_unique<StubUnit>((variant.prefix + "_unit" + std::to_string(i)).c_str(), domain);
    }
    for (unsigned n = 0; n < 2; ++n) {
      const unsigned i = variant.reversed ? 1 - n : n;
      scheduler[i] = std::make_unique<Sender>((variant.prefix + "_scheduler" + std::to_string(i)).c_str(),
                                              domain, variant.scheduler_order);
    }
    if (variant.reversed) build_collector();
    for (unsigned i = 0; i < 2; ++i) {
      scheduler[i]->socket.bind(collector->issue[i]);
      collector->sp[i].bind(unit[i]->socket);
    }
    collector->sfu[0].bind(unit[2]->socket);
    collector->mem.bind(unit[3]->socket);
  }

  WarpInstruction& issue(Cycle cycle, const Instruction& decoded, unsigned warp = 0, unsigned from = 0) {
    WarpInstruction& made = instructions.make(decoded, warp, from);
    scheduler[from]->at(cycle, made);
    return made;
  }
  WarpInstruction& issue_fma(Cycle cycle, std::vector<unsigned> sources, unsigned target = 20,
                             unsigned warp = 0, unsigned from = 0) {
    return issue(cycle, alu(OpClass::kFp32Mad, std::move(sources), {target}), warp, from);
  }
  Cycle dispatched(const WarpInstruction& instruction) const {
    for (const auto& stub : unit) {
      if (stub->offered(instruction) != 0) return stub->offered(instruction);
    }
    return 0;
  }
  std::map<std::string, std::uint64_t> statistics() const { return bench::statistics(*collector).values; }

  ClockDomain domain;
  Instructions instructions;
  std::unique_ptr<OperandCollector> collector;
  std::unique_ptr<StubUnit> unit[4];  ///< sp0, sp1, sfu0, mem
  std::unique_ptr<Sender> scheduler[2];
};

}  // namespace heddle::bench
