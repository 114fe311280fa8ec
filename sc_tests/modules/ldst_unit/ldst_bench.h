#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "modules/ldst_unit/ldst_unit.h"
#include "modules/messages/tick_order.h"
#include "sc_tests/modules/operand_collector/pipeline_bench.h"

namespace heddle::bench {

/// In the place of the L1D (or of the memory below a cache): notes accesses as it accepts them and answers
/// each `latency` edges after its acceptance, one an edge in order. Accepts nothing before edge
/// `refuse_until`, giving `reason`.
class StubMemory : public sc_core::sc_module, public Clocked, private TargetPort::Gate {
 public:
  struct Seen {
    Cycle cycle = 0;
    std::uint64_t address = 0;
    unsigned bytes = 0;
    bool write = false;
    MemoryRequest request;
  };

  StubMemory(const sc_core::sc_module_name& name, ClockDomain& domain)
      : sc_module(name),
        Clocked(domain, tick_order::kMemory, this->name()),
        port("port", *this, static_cast<TargetPort::Gate&>(*this)) {}

  TargetPort port;
  Cycle latency = 10;
  Cycle refuse_until = 0;
  Refusal reason = Refusal::kNone;
  /// Called for every request as it is answered.
  std::function<void(MemoryRequest&)> on_answer;
  std::vector<Seen> seen;

  bool tick() override {
    port.begin_tick();
    if (!pending_.empty() && pending_.front().first <= domain().cycle() && port.can_respond()) {
      tlm::tlm_generic_payload& payload = *pending_.front().second;
      pending_.pop_front();
      if (on_answer) on_answer(*request_of(payload));
      port.respond(payload);
    }
    return true;
  }

 private:
  Answer admit(tlm::tlm_generic_payload& payload) override {
    const Cycle now = domain().cycle();
    MemoryRequest& request = *request_of(payload);
    if (now < refuse_until) {
      const bool other_reason = request.refusal != reason;
      request.refusal = reason;
      return other_reason ? Answer::kOtherReason : Answer::kWithheld;
    }
    request.refusal = Refusal::kNone;
    request.enter(Stage::kL1d, domain().now());
    seen.push_back({now, payload.get_address(), payload.get_data_length(), payload.is_write(), request});
    pending_.emplace_back(now + latency, &payload);
    return Answer::kTaken;
  }

  std::deque<std::pair<Cycle, tlm::tlm_generic_payload*>> pending_;
};

/// A launch of which only the windows are asked for.
class Windows : public KernelLaunch {
 public:
  const Program& program() const override { return program_; }
  Dim3 grid() const override { return {}; }
  Dim3 block() const override { return {}; }
  unsigned registers_per_thread() const override { return 0; }
  unsigned shared_bytes() const override { return 0; }
  std::uint64_t code_base() const override { return 0; }
  std::uint64_t param_base() const override { return 0x10000; }
  std::uint64_t local_base() const override { return 0x40000000; }
  std::unique_ptr<ThreadBlock> start(std::uint64_t /*tb*/) override { return nullptr; }

 private:
  Program program_;
};

struct LdstVariant {
  std::string prefix = "design";
  bool sleeping = true;
  bool reversed = false;  ///< constructed in the opposite order
  int sender_order = tick_order::kOperandCollector;
};

/// An LD/ST unit (SM 2) between a sender and two stub memories.
struct LdstDesign {
  explicit LdstDesign(const GpuConfig& config = {}, const LdstVariant& variant = {})
      : domain((variant.prefix + "_domain").c_str(), sc_core::sc_time(1, sc_core::SC_NS), variant.sleeping) {
    const auto name = [&variant](const char* what) { return variant.prefix + "_" + what; };
    const auto build_unit = [&] {
      unit = std::make_unique<LdstUnit>(name("unit").c_str(), domain, config, 2, pool);
    };
    if (!variant.reversed) build_unit();
    collector = std::make_unique<Sender>(name("collector").c_str(), domain, variant.sender_order);
    constants = std::make_unique<StubMemory>(name("constants").c_str(), domain);
    l1d = std::make_unique<StubMemory>(name("l1d").c_str(), domain);
    texture = std::make_unique<StubMemory>(name("texture").c_str(), domain);
    if (variant.reversed) build_unit();
    collector->socket.bind(unit->dispatch);
    unit->l1d.socket.bind(l1d->port.socket);
    unit->texture.socket.bind(texture->port.socket);
    unit->constant_cache.memory.socket.bind(constants->port.socket);
  }

  /// An instruction whose lanes access base + stride * lane; offered at edge `cycle`.
  WarpInstruction& access(Cycle cycle, MemOp op, Space space, std::uint64_t base, std::uint64_t stride,
                          LaneMask lanes = kAllLanes, unsigned warp = 3) {
    Instruction decoded = alu(OpClass::kMemory, {}, {}, Unit::kLdst);
    decoded.mem = op;
    decoded.space = space;
    decoded.element_bytes = 4;
    decoded.bytes_per_lane = 4;
    WarpInstruction& made = instructions.make(decoded, warp);
    made.space = space;
    made.access = lanes;
    made.index = 7;
    made.pc = 56;
    made.launch = &launch;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) made.addresses.lane[lane] = base + stride * lane;
    collector->at(cycle, made);
    return made;
  }
  WarpInstruction& load(Cycle cycle, std::uint64_t stride = 4) {
    return access(cycle, MemOp::kLoad, Space::kGlobal, kGlobal, stride);
  }
  WarpInstruction& store(Cycle cycle, std::uint64_t stride = 4) {
    return access(cycle, MemOp::kStore, Space::kGlobal, kGlobal, stride);
  }
  WarpInstruction& shared(Cycle cycle, std::uint64_t stride = 4) {
    return access(cycle, MemOp::kLoad, Space::kShared, 0, stride);
  }
  WarpInstruction& param(Cycle cycle, std::uint64_t offset, std::uint64_t stride = 0) {
    return access(cycle, MemOp::kLoad, Space::kParam, offset, stride);
  }

  Cycle completed(const WarpInstruction& instruction) const { return collector->completed(instruction); }
  Cycle accepted(const WarpInstruction& instruction) const { return collector->accepted(instruction); }
  std::map<std::string, std::uint64_t> statistics() { return bench::statistics(*unit).values; }

  static constexpr std::uint64_t kGlobal = 0xC0000000;

  PayloadPool pool;
  Windows launch;
  ClockDomain domain;
  Instructions instructions;
  std::unique_ptr<LdstUnit> unit;
  std::unique_ptr<Sender> collector;
  std::unique_ptr<StubMemory> constants;
  std::unique_ptr<StubMemory> l1d;
  std::unique_ptr<StubMemory> texture;
};

}  // namespace heddle::bench
