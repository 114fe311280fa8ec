#include "workloads/ptx/program/pressure.h"

#include <algorithm>

#include "workloads/ptx/isa/limits.h"
#include "workloads/ptx/program/cfg.h"
#include "workloads/ptx/program/liveness.h"
#include "workloads/ptx/program/register_uses.h"
#include "workloads/ptx/text/ptx_error.h"

namespace heddle::ptx {

namespace {

struct Alive {
  std::uint64_t slots = 0;  ///< 32-bit registers
  std::uint64_t predicates = 0;
};

/// What is alive, operation by operation.
class Pressure {
 public:
  explicit Pressure(const VirtualCode& code)
      : code_(code), graph_(flow_of(code)), uses_(uses_of(code)), live_(code.registers.size()) {}

  /// False when the ends of blocks alone have too many.
  bool run() {
    const auto out = live_out(code_.registers.size(), uses_, graph_,
                              limits::kLiveRegisters + limits::kLivePredicates, limits::kLiveSum);
    if (out.empty()) return false;
    for (const std::uint32_t block : graph_.reachable()) {
      clear();
      for (const std::uint32_t i : out[block]) insert(i);
      look();
      for (std::uint32_t i = graph_.blocks()[block].end; i-- > graph_.blocks()[block].first;) step(uses_[i]);
    }
    return true;
  }

  Alive most() const { return most_; }
  std::uint64_t neighbours() const { return neighbours_; }

 private:
  void step(const RegisterUse& use) {
    for (const std::uint32_t written : use.writes) insert(written);
    look();
    neighbours_ += use.writes.size() * live_.members().size();
    for (const std::uint32_t written : use.writes) erase(written);
    for (const std::uint32_t read : use.reads) insert(read);
    look();
  }

  std::uint64_t& count_of(std::uint32_t i) { return code_.registers[i] == 1 ? now_.predicates : now_.slots; }
  std::uint64_t size_of(std::uint32_t i) const { return code_.registers[i] == 64 ? 2 : 1; }
  void insert(std::uint32_t i) {
    if (!live_.contains(i)) count_of(i) += size_of(i);
    live_.insert(i);
  }
  void erase(std::uint32_t i) {
    if (live_.contains(i)) count_of(i) -= size_of(i);
    live_.erase(i);
  }
  void clear() {
    live_.clear();
    now_ = {};
  }
  void look() {
    most_.slots = std::max(most_.slots, now_.slots);
    most_.predicates = std::max(most_.predicates, now_.predicates);
  }

  const VirtualCode& code_;
  ControlFlowGraph graph_;
  std::vector<RegisterUse> uses_;
  LiveSet live_;
  Alive now_;
  Alive most_;
  std::uint64_t neighbours_ = 0;  ///< registers alive beside each that is written, summed
};

}  // namespace

void check_pressure(const std::string& file, const ast::Function& kernel, const VirtualCode& code) {
  const auto refuse = [&](const std::string& what) {
    throw PtxError(file, kernel.position.line, kernel.position.column,
                   "kernel '" + kernel.name + "' keeps " + what);
  };
  const auto check = [&](std::uint64_t found, const std::string& what, std::uint64_t most) {
    if (found > most)
      refuse(std::to_string(found) + " " + what + ", expected at most " + std::to_string(most));
  };
  Pressure pressure(code);
  if (!pressure.run()) {
    refuse("more than " + std::to_string(limits::kLiveRegisters + limits::kLivePredicates) +
           " registers and predicates alive at once, or " + std::to_string(limits::kLiveSum) +
           " summed over its blocks");
  }
  const Alive alive = pressure.most();
  check(alive.slots, "32-bit registers alive at once", limits::kLiveRegisters);
  check(alive.predicates, "predicates alive at once", limits::kLivePredicates);
  check(pressure.neighbours(), "registers alive, summed over its instructions", limits::kLiveSum);
}

}  // namespace heddle::ptx
