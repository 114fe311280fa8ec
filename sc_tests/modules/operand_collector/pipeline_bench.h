#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/observe.h"
#include "modules/messages/tick_order.h"
#include "modules/messages/warp_instruction.h"
#include "sc_tests/support/stat_table.h"
#include "tlm/clocked.h"

/// Stand-ins for the neighbours of the blocks of the execution pipeline, and helpers to feed them.
namespace heddle::bench {

using test::statistics;
using test::StatTable;

inline Instruction alu(OpClass op, const std::vector<unsigned>& sources,
                       const std::vector<unsigned>& destinations, Unit unit = Unit::kSp) {
  Instruction made;
  made.unit = unit;
  made.op_class = op;
  for (const unsigned source : sources) made.add_source(static_cast<std::uint16_t>(source));
  for (const unsigned target : destinations) made.add_destination(static_cast<std::uint16_t>(target));
  return made;
}

/// Owns static and dynamic instructions for the length of a test.
class Instructions {
 public:
  WarpInstruction& make(const Instruction& decoded, unsigned warp = 0, unsigned scheduler = 0) {
    decoded_.push_back(decoded);
    dynamic_.emplace_back();
    WarpInstruction& made = dynamic_.back();
    made.instruction = &decoded_.back();
    made.warp = static_cast<std::uint16_t>(warp);
    made.scheduler = static_cast<std::uint8_t>(scheduler);
    made.active = kAllLanes;
    return made;
  }

 private:
  std::deque<Instruction> decoded_;
  std::deque<WarpInstruction> dynamic_;
};

/// Sends instructions at given cycles into a socket and notes when they are accepted and complete. An
/// instruction whose turn comes while another is withheld waits. Sleeps when all are sent.
class Sender : public sc_core::sc_module, public Clocked, private IssueInitiator {
 public:
  Sender(const sc_core::sc_module_name& name, ClockDomain& domain, int order)
      : sc_module(name),
        Clocked(domain, order, this->name()),
        IssueInitiator(static_cast<const Clocked&>(*this)),
        socket("socket") {
    socket.bind(*this);
  }

  IssueInitiatorSocket socket;

  void at(Cycle cycle, WarpInstruction& instruction) { plan_.emplace(cycle, &instruction); }
  Cycle sent(const WarpInstruction& instruction) const { return look_up(sent_, instruction); }
  Cycle accepted(const WarpInstruction& instruction) const { return look_up(accepted_, instruction); }
  /// Edge of its result (BEGIN_RESP, or the one announced), 0 when it has not come.
  Cycle completed(const WarpInstruction& instruction) const {
    const Cycle cycle = look_up(completed_, instruction);
    return cycle <= domain().cycle_now() ? cycle : 0;
  }
  /// Called in each tick.
  std::function<void(Cycle)> observe;

  bool tick() override {
    const Cycle now = domain().cycle();
    if (observe) observe(now);
    while (!plan_.empty() && plan_.begin()->first <= now && withheld_ == nullptr) {
      WarpInstruction& instruction = *plan_.begin()->second;
      plan_.erase(plan_.begin());
      withheld_ = &instruction;
      sent_[&instruction] = now;
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      const tlm::tlm_sync_enum status = socket->nb_transport_fw(instruction, phase, delay);
      if (status == tlm::TLM_COMPLETED) completed_[&instruction] = now + instruction.due_in_cycles;
      if (status != tlm::TLM_ACCEPTED) {
        withheld_ = nullptr;
        accepted_[&instruction] = now;
      }
    }
    return !plan_.empty() || observe;
  }

 private:
  using Times = std::map<const WarpInstruction*, Cycle>;
  static Cycle look_up(const Times& times, const WarpInstruction& instruction) {
    const auto found = times.find(&instruction);
    return found == times.end() ? 0 : found->second;
  }

  tlm::tlm_sync_enum nb_transport_bw(WarpInstruction& instruction, tlm::tlm_phase& phase,
                                     sc_core::sc_time& /*delay*/) override {
    if (phase == tlm::END_REQ) {
      accepted_[&instruction] = domain().cycle();
      withheld_ = nullptr;
      return tlm::TLM_ACCEPTED;
    }
    completed_[&instruction] = domain().cycle() + instruction.due_in_cycles;
    return tlm::TLM_COMPLETED;
  }

  std::multimap<Cycle, WarpInstruction*> plan_;
  WarpInstruction* withheld_ = nullptr;
  Times sent_, accepted_, completed_;
};

/// A unit that accepts at once or `hold` cycles after each offer, and completes `latency` cycles after the
/// edge that follows the acceptance (latency 0: never).
class StubUnit : public sc_core::sc_module, public Clocked, private IssueTarget {
 public:
  StubUnit(const sc_core::sc_module_name& name, ClockDomain& domain)
      : sc_module(name),
        Clocked(domain, tick_order::kExecute, this->name()),
        IssueTarget(static_cast<const Clocked&>(*this)),
        socket("socket") {
    socket.bind(*this);
  }

  IssueTargetSocket socket;
  Cycle hold = 0;
  Cycle latency = 0;
  /// Instructions offered, with their cycles.
  std::vector<std::pair<Cycle, const WarpInstruction*>> offers;

  Cycle offered(const WarpInstruction& instruction) const {
    for (const auto& [cycle, offer] : offers) {
      if (offer == &instruction) return cycle;
    }
    return 0;
  }

  bool tick() override {
    const Cycle now = domain().cycle();
    while (!due_.empty() && due_.begin()->first <= now) {
      WarpInstruction& done = *due_.begin()->second;
      due_.erase(due_.begin());
      send_back(done, tlm::BEGIN_RESP);
    }
    if (waiting_ != nullptr && now >= accept_at_) {
      WarpInstruction& accepted = *waiting_;
      waiting_ = nullptr;
      send_back(accepted, tlm::END_REQ);
      if (latency != 0) due_.emplace(now + latency, &accepted);
    }
    return true;
  }

 private:
  void send_back(WarpInstruction& instruction, tlm::tlm_phase phase) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(instruction, phase, delay);
  }

  tlm::tlm_sync_enum nb_transport_fw(WarpInstruction& instruction, tlm::tlm_phase& phase,
                                     sc_core::sc_time& /*delay*/) override {
    const Cycle now = domain().cycle();
    offers.emplace_back(now, &instruction);
    if (hold != 0) {
      waiting_ = &instruction;
      accept_at_ = now + hold;
      return tlm::TLM_ACCEPTED;
    }
    if (latency != 0) due_.emplace(now + 1 + latency, &instruction);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }

  WarpInstruction* waiting_ = nullptr;
  Cycle accept_at_ = 0;
  std::multimap<Cycle, WarpInstruction*> due_;
};

/// The variables that a block shows in waves, by name.
class WaveTable : public WaveSink {
 public:
  explicit WaveTable(bool wanted = true) : wanted_(wanted) {}
  void enter(std::string_view /*scope*/) override {}
  void leave() override {}
  bool wanted() const override { return wanted_; }
  void signal(const std::uint64_t& variable, unsigned /*bits*/, std::string_view name) override {
    variables_[std::string(name)] = &variable;
  }
  void enumeration(const std::uint64_t& variable, std::string_view name,
                   const std::vector<std::string>& names) override {
    signal(variable, 64, name);
    names_[std::string(name)] = names;
  }

  std::uint64_t value(const std::string& name) const { return *variables_.at(name); }
  std::string text(const std::string& name) const { return names_.at(name).at(value(name)); }
  /// All values at this moment.
  std::map<std::string, std::uint64_t> values() const {
    std::map<std::string, std::uint64_t> result;
    for (const auto& [name, variable] : variables_) result[name] = *variable;
    return result;
  }

 private:
  bool wanted_;
  std::map<std::string, const std::uint64_t*> variables_;
  std::map<std::string, std::vector<std::string>> names_;
};

/// Runs to the end of edge `cycle` of `domain`.
inline void run_to(const ClockDomain& domain, Cycle cycle) {
  const sc_core::sc_time end = sc_core::sc_time::from_value(cycle * domain.period_ticks() + 1);
  sc_core::sc_start(end - sc_core::sc_time_stamp());
}

}  // namespace heddle::bench
