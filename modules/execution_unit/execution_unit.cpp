#include "modules/execution_unit/execution_unit.h"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <string>

#include "modules/messages/tick_order.h"

namespace heddle {

namespace {

constexpr std::array<const char*, kNumOpClasses> kOpClassNames{
    "simple",   "int_add",      "int_min_max", "int_mul",        "int_mad",  "int_div",  "shuffle",
    "fp32_add", "fp32_min_max", "fp32_mul",    "fp32_mad",       "fp32_div", "fp64_add", "fp64_min_max",
    "fp64_mul", "fp64_mad",     "fp64_div",    "transcendental", "memory"};

/// Names of the counts by operation class, made once: statistics over time report them often.
const std::array<std::string, kNumOpClasses>& class_metrics() {
  static const auto kNames = [] {
    std::array<std::string, kNumOpClasses> names;
    for (unsigned i = 0; i < kNumOpClasses; ++i) names[i] = std::string("instructions_") + kOpClassNames[i];
    return names;
  }();
  return kNames;
}

unsigned index_of(const WarpInstruction& instruction) {
  return static_cast<unsigned>(instruction.instruction->op_class);
}

}  // namespace

ExecutionUnit::ExecutionUnit(const sc_core::sc_module_name& name, ClockDomain& domain,
                             const ExecutionConfig& config, ResultBus& bus, unsigned port)
    : sc_module(name),
      Clocked(domain, tick_order::execution_unit(port), this->name(), &tick_of<ExecutionUnit>),
      IssueTarget(static_cast<const Clocked&>(*this)),
      bus_(bus),
      port_(port),
      dispatch("dispatch") {
  bus_.claim(port_);
  for (unsigned i = 0; i < kNumOpClasses; ++i) {
    const OpTiming& timing = config.timing[i];
    constexpr unsigned kLongest = std::numeric_limits<std::uint16_t>::max();
    if (timing.latency_cycles == 0 || timing.initiation_cycles == 0 || timing.latency_cycles > kLongest ||
        timing.initiation_cycles > kLongest) {
      throw std::invalid_argument(
          std::string("execution timing of ") + kOpClassNames[i] + " is " +
          std::to_string(timing.latency_cycles) + "/" + std::to_string(timing.initiation_cycles) +
          "; expected a latency and an initiation interval of 1 to " + std::to_string(kLongest));
    }
    if (timing.latency_cycles + 2 > bus.horizon()) {
      throw std::invalid_argument(std::string("the latency of ") + kOpClassNames[i] +
                                  " is beyond the horizon of the result bus");
    }
    operations_[i].latency_cycles = static_cast<std::uint16_t>(timing.latency_cycles);
    operations_[i].initiation_cycles = static_cast<std::uint16_t>(timing.initiation_cycles);
  }
  dispatch.bind(*this);
}

void ExecutionUnit::end_of_elaboration() {
  collector_ = dispatch.operator->();
  foreign_ = dispatch.foreign_peer();
}

inline ResultBus::Reservation ExecutionUnit::try_start(WarpInstruction& instruction, Cycle start, Cycle now) {
  Operation& operation = operations_[index_of(instruction)];
  const Cycle done = start + operation.latency_cycles;
  const ResultBus::Reservation reservation = bus_.reserve(done, port_);
  if (reservation != ResultBus::Reservation::kDone) return reservation;
  instruction.due_in_cycles = static_cast<std::uint32_t>(done - now);
  ++operation.instructions;
  initiated_cycles_ += operation.initiation_cycles;
  free_at_ = start + operation.initiation_cycles;
  if (wave_ != nullptr) {  // otherwise nothing happens here at these edges
    ++wave_->started;
    started_at_ = start;
    started_warp_ = instruction.warp;
    wake_in(done - now);
    wake_in(free_at_ - now);
    if (start > now) wake_in(start - now);
  }
  return reservation;
}

tlm::tlm_sync_enum ExecutionUnit::nb_transport_fw(WarpInstruction& instruction, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ || offered_ != nullptr) {
    if (phase != tlm::BEGIN_REQ) {
      report_phase(phase);
    } else {
      report_wrong("a second instruction was offered before the first was accepted");
    }
    return tlm::TLM_ACCEPTED;
  }
  const Cycle now = foreign_ ? present(delay) : domain().cycle();
  if (free_at_ <= now + 1 && try_start(instruction, now + 1, now) == ResultBus::Reservation::kDone) {
    return tlm::TLM_COMPLETED;
  }
  offered_ = &instruction;
  const Cycle earliest = std::max(free_at_, now + 1);
  withheld_cycles_ += earliest - (now + 1);
  wake_in(earliest - now);
  return tlm::TLM_ACCEPTED;
}

bool ExecutionUnit::start_waiting(Cycle now) {
  if (offered_ == nullptr || free_at_ > now) return true;
  WarpInstruction& instruction = *offered_;
  switch (try_start(instruction, now, now)) {
    case ResultBus::Reservation::kPortTaken:
      ++port_blocked_cycles_;
      return false;
    case ResultBus::Reservation::kBusTaken:
      ++bus_blocked_cycles_;
      return false;
    case ResultBus::Reservation::kDone:
      break;
  }
  offered_ = nullptr;
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay;
  collector_->nb_transport_bw(instruction, phase, delay);
  phase = tlm::BEGIN_RESP;
  collector_->nb_transport_bw(instruction, phase, delay);
  return true;
}

bool ExecutionUnit::tick() {
  const Cycle now = domain().cycle();
  if (wave_ != nullptr && bus_.carries(now, port_)) --wave_->started;
  const bool blocked = !start_waiting(now);
  if (wave_ != nullptr) update_wave(now, blocked);
  return blocked;
}

void ExecutionUnit::settle() {
  const Cycle now = domain().cycle_now();
  const Cycle ahead = free_at_ > now + 1 ? free_at_ - (now + 1) : 0;
  busy_cycles_ = initiated_cycles_ - ahead;
  idle_cycles_ = now - busy_cycles_ - bus_blocked_cycles_ - port_blocked_cycles_;
}

void ExecutionUnit::report(StatSink& sink) const {
  sink.count("busy", busy_cycles_, "cycles", "within the initiation interval of an instruction");
  sink.count("blocked_result_bus", bus_blocked_cycles_, "cycles",
             "an instruction could not start: the result bus is taken when its result would come");
  sink.count("blocked_result_port", port_blocked_cycles_, "cycles",
             "an instruction could not start: the unit has another result in that cycle");
  sink.count("idle", idle_cycles_, "cycles", "nothing to start");
  sink.count("withheld", withheld_cycles_, "cycles",
             "part of busy: an instruction waits for the end of the initiation interval");
  for (unsigned i = 0; i < kNumOpClasses; ++i) {
    sink.count(class_metrics()[i], operations_[i].instructions, "instructions", "warp instructions started");
  }
}

void ExecutionUnit::trace(WaveSink& sink) {
  if (!sink.wanted()) return;
  wave_ = std::make_unique<Wave>();
  sink.enumeration(wave_->state, "state", {"idle", "busy", "blocked"});
  sink.signal(wave_->warp, 6, "warp");
  sink.signal(wave_->in_flight, 16, "in_flight");
}

void ExecutionUnit::update_wave(Cycle now, bool blocked) {
  const bool busy = started_at_ <= now && now < free_at_;
  wave_->state = static_cast<std::uint64_t>(blocked ? State::kBlocked : busy ? State::kBusy : State::kIdle);
  if (busy) wave_->warp = started_warp_;
  wave_->in_flight = wave_->started;
}

}  // namespace heddle
