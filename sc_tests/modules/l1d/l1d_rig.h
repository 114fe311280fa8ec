#pragma once

#include <map>
#include <memory>
#include <string>

#include "modules/l1d/l1d.h"
#include "modules/mshr/mshr.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/stat_values.h"
#include "tlm/protocol_checker.h"

namespace heddle::test {

/// stub LD/ST unit - L1D - MSHR - stub memory, a checker on every hop.
class Rig : public sc_core::sc_module {
 public:
  struct Shape {
    L1dConfig config;
    unsigned l1_latency = 4;
    Cycle memory_latency = 10;
    bool sleeping = true;
    bool reversed = false;
    Shape() {
      config.cache = {4, 2, kLineBytes, SetIndex::kLinear};
      config.mshr = {4, 3, 2};
    }
  };

  Rig(const sc_core::sc_module_name& name, const Shape& shape)
      : sc_module(name),
        clock("clock", ns(1), shape.sleeping),
        top("top_hop"),
        middle("middle_hop"),
        bottom("bottom_hop") {
    const auto build_cpu = [&] { cpu = std::make_unique<StubInitiator>("cpu", clock); };
    const auto build_l1d = [&] {
      l1d = std::make_unique<L1d>("l1d", clock, shape.config, shape.l1_latency, std::uint16_t{2});
    };
    const auto build_mshr = [&] {
      mshr = std::make_unique<Mshr>("mshr", clock, shape.config.mshr, shape.config.cache.line_bytes);
    };
    const auto build_memory = [&] {
      memory = std::make_unique<StubTarget>("memory", clock, shape.memory_latency);
    };
    if (shape.reversed) {
      build_memory();
      build_mshr();
      build_l1d();
      build_cpu();
    } else {
      build_cpu();
      build_l1d();
      build_mshr();
      build_memory();
    }
    cpu->port.socket.bind(top.from_initiator);
    top.to_target.bind(l1d->cpu.socket);
    l1d->mshr.socket.bind(middle.from_initiator);
    middle.to_target.bind(mshr->cache.socket);
    mshr->memory.socket.bind(bottom.from_initiator);
    bottom.to_target.bind(memory->port.socket);
  }

  std::size_t in_flight() const { return top.in_flight() + middle.in_flight() + bottom.in_flight(); }
  double stat(const std::string& name) const { return stats().at(name); }
  std::map<std::string, double> stats() const {
    StatValues values;
    l1d->report(values);
    return values.values;
  }

  ClockDomain clock;
  ProtocolChecker top;
  ProtocolChecker middle;
  ProtocolChecker bottom;
  std::unique_ptr<StubInitiator> cpu;
  std::unique_ptr<L1d> l1d;
  std::unique_ptr<Mshr> mshr;
  std::unique_ptr<StubTarget> memory;
};

}  // namespace heddle::test
