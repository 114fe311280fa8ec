#include "modules/operand_collector/operand_collector.h"

#include <string>
#include <utility>

#include "modules/config/setting_error.h"
#include "modules/messages/tick_order.h"

namespace heddle {

namespace {

constexpr std::uint8_t kNoResultPort = 31;  ///< the LD/ST unit's: DueResults never has one there
constexpr unsigned kMaxCus = 64;
constexpr unsigned kMaxBanks = 64;

std::uint64_t bit_of(unsigned index) { return std::uint64_t{1} << index; }

unsigned lowest(std::uint64_t mask) { return static_cast<unsigned>(__builtin_ctzll(mask)); }

void require_positive(unsigned value, const char* key) {
  if (value == 0) throw SettingError(key, "expected at least 1, found 0");
}

unsigned checked_banks(unsigned banks) {
  if (banks == 0 || banks > kMaxBanks || (banks & (banks - 1)) != 0) {
    throw SettingError("operand_collector.banks",
                       "expected a power of two up to 64, found " + std::to_string(banks));
  }
  return banks;
}

unsigned checked_cus(const OperandCollectorConfig& config) {
  require_positive(config.sp_units, "operand_collector.sp_units");
  require_positive(config.sfu_units, "operand_collector.sfu_units");
  require_positive(config.mem_units, "operand_collector.mem_units");
  const unsigned cus = config.sp_units + config.sfu_units + config.mem_units;
  if (cus > kMaxCus) {
    throw SettingError(
        {"operand_collector.sp_units", "operand_collector.sfu_units", "operand_collector.mem_units"},
        "expected at most 64 collector units together, found " + std::to_string(cus));
  }
  return cus;
}

}  // namespace

OperandCollector::OperandCollector(const sc_core::sc_module_name& name, ClockDomain& domain,
                                   const OperandCollectorConfig& config, const ExecutionConfig& execution,
                                   unsigned schedulers)
    : sc_module(name),
      Clocked(domain, tick_order::kOperandCollector, this->name(), &tick_of<OperandCollector>),
      input_(*this),
      output_(*this),
      bank_mask_(checked_banks(config.banks) - 1),
      due_(execution.sp_units + execution.sfu_units),
      reads_(config.banks, checked_cus(config) * Instruction::kMaxSources),
      issue("issue", schedulers),
      sp("sp", execution.sp_units),
      sfu("sfu", execution.sfu_units),
      mem("mem") {
  if (schedulers == 0 || schedulers > kMaxSchedulers) {
    throw SettingError("core.schedulers", "expected 1 to " + std::to_string(kMaxSchedulers) + ", found " +
                                              std::to_string(schedulers));
  }
  require_positive(execution.sp_units, "execution.sp_units");
  require_positive(execution.sfu_units, "execution.sfu_units");
  for (unsigned i = 0; i < kNumOpClasses; ++i) {
    latency_[i] = static_cast<std::uint16_t>(execution.timing[i].latency_cycles);
    initiation_[i] = static_cast<std::uint16_t>(execution.timing[i].initiation_cycles);
  }
  build_kind(Unit::kSp, config.sp_units, config.sp_issue_slots);
  build_kind(Unit::kSfu, config.sfu_units, config.sfu_issue_slots);
  build_kind(Unit::kLdst, config.mem_units, config.mem_issue_slots);
  for (IssueInitiatorSocket& socket : sp) connect(Unit::kSp, socket);
  for (IssueInitiatorSocket& socket : sfu) connect(Unit::kSfu, socket);
  connect(Unit::kLdst, mem);
  for (IssueTargetSocket& socket : issue) socket.bind(input_);
}

void OperandCollector::build_kind(Unit unit, unsigned cus, unsigned slots) {
  require_positive(slots, "operand collector: issue slots of a kind of unit");
  Kind& kind = kinds_[static_cast<unsigned>(unit)];
  kind.slots = slots;
  kind.inputs.resize(slots);
  kind.num_cus = cus;
  for (unsigned i = 0; i < cus; ++i) kind.cus |= bit_of(static_cast<unsigned>(cus_.size()) + i);
  cus_.resize(cus_.size() + cus);
  kind.last_cu = static_cast<unsigned>(cus_.size()) - 1;
  free_cus_ |= kind.cus;
}

void OperandCollector::connect(Unit unit, IssueInitiatorSocket& socket) {
  socket.bind(output_);
  kinds_[static_cast<unsigned>(unit)].ports.emplace_back();
}

void OperandCollector::end_of_elaboration() {
  std::uint8_t result_port = 0;
  for (const Unit unit : {Unit::kSfu, Unit::kSp}) {
    for (UnitPort& port : kinds_[static_cast<unsigned>(unit)].ports) port.result_port = result_port++;
  }
  for (UnitPort& port : kinds_[static_cast<unsigned>(Unit::kLdst)].ports) port.result_port = kNoResultPort;
  for (unsigned i = 0; i < issue.size(); ++i) schedulers_[i] = issue[i].operator->();
  for (const IssueTargetSocket& socket : issue) foreign_ = foreign_ || socket.foreign_peer();
  const auto find = [this](Unit unit, unsigned number, IssueInitiatorSocket& socket) {
    foreign_ = foreign_ || socket.foreign_peer();
    kinds_[static_cast<unsigned>(unit)].ports[number].unit = socket.operator->();
  };
  for (unsigned i = 0; i < sp.size(); ++i) find(Unit::kSp, i, sp[i]);
  for (unsigned i = 0; i < sfu.size(); ++i) find(Unit::kSfu, i, sfu[i]);
  find(Unit::kLdst, 0, mem);
}

tlm::tlm_sync_enum OperandCollector::Input::nb_transport_fw(WarpInstruction& instruction,
                                                            tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) {
    report_phase(phase);
    return tlm::TLM_ACCEPTED;
  }
  owner_.take_issue(instruction, owner_.present(*this, delay));
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

tlm::tlm_sync_enum OperandCollector::Output::nb_transport_bw(WarpInstruction& instruction,
                                                             tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const Cycle now = owner_.present(*this, delay);
  if (phase == tlm::BEGIN_RESP) {
    owner_.take_result(instruction, now);
    return tlm::TLM_COMPLETED;
  }
  if (phase == tlm::END_REQ) {
    owner_.take_acceptance(instruction, now);
  } else {
    report_phase(phase);
  }
  return tlm::TLM_ACCEPTED;
}

// Foreign modules may call at any time: also while this sleeps, and at an edge before its tick.

void OperandCollector::take_issue(WarpInstruction& instruction, Cycle now) {
  Kind& kind = kinds_[static_cast<unsigned>(instruction.instruction->unit)];
  if (kind.queued == kind.slots) {
    input_.report_wrong(
        "an instruction was issued without a free input register; expected free_slots() to be read first");
    return;
  }
  kind.input_wait_balance -= now;
  unsigned last = kind.first + kind.queued;
  if (last >= kind.slots) last -= kind.slots;
  kind.inputs[last] = {&instruction, instruction.instruction, instruction.warp, now};
  if (++kind.queued == kind.slots)
    open_units_ &= ~(1U << static_cast<unsigned>(instruction.instruction->unit));
  wake();
}

inline bool OperandCollector::take_announced(WarpInstruction& instruction, Cycle now) {
  if (instruction.direct) return false;
  const Cycle ahead = std::exchange(instruction.due_in_cycles, 0);
  if (ahead == 0) return false;
  if (foreign_ && !may_announce(now, ahead, instruction.result_port)) return true;
  due_.put(now, ahead, instruction);
  wake_in(ahead + 1);
  return true;
}

void OperandCollector::take_result(WarpInstruction& instruction, Cycle now) {
  if (instruction.direct) {
    respond(instruction);
    return;
  }
  if (take_announced(instruction, now)) return;
  if (arrived_at_ != now) {
    writing_.append(arrived_);
    arrived_at_ = now;
  }
  instruction.unwritten =
      static_cast<std::uint16_t>((1U << instruction.instruction->num_general_destinations) - 1);
  arrived_.push(instruction);
  wake();
}

bool OperandCollector::may_announce(Cycle now, Cycle ahead, unsigned port) const {
  if (port == kNoResultPort) {
    output_.report_wrong("the LD/ST unit announced a result; expected BEGIN_RESP when it is there");
    return false;
  }
  if (due_.carries(now, ahead, port)) {
    output_.report_wrong("a unit announced two results for one cycle; expected one at most");
    return false;
  }
  return true;
}

void OperandCollector::take_acceptance(WarpInstruction& instruction, Cycle now) {
  Kind& kind = kinds_[static_cast<unsigned>(instruction.instruction->unit)];
  for (UnitPort& port : kind.ports) {
    if (port.offered != &instruction) continue;
    port.offered = nullptr;
    port.next_start = now + initiation_[static_cast<unsigned>(instruction.instruction->op_class)];
    wake_this_edge();
    return;
  }
  output_.report_wrong("a unit accepted an instruction that was not offered to it");
}

std::uint64_t OperandCollector::write_back(Cycle now) {
  if (arrived_at_ != now) writing_.append(arrived_);
  InstructionQueue announced;
  due_.take(now - 1, announced);
  std::uint64_t written = 0;
  while (!announced.empty()) written |= write_all(announced.pop());
  while (!writing_.empty()) {
    WarpInstruction& instruction = writing_.pop();
    if (instruction.instruction->unit != Unit::kLdst) {
      written |= write_all(instruction);
      continue;
    }
    written |= write_free(instruction, written);
    if (instruction.unwritten == 0) {
      respond(instruction);
    } else {
      still_writing_.push(instruction);
    }
  }
  writing_.append(still_writing_);
  return written;
}

/// gtx480.md, "FUs": write-back drains everything ready.
std::uint64_t OperandCollector::write_all(WarpInstruction& instruction) {
  const Instruction& decoded = *instruction.instruction;
  std::uint64_t banks = 0;
  for (unsigned i = 0; i < decoded.num_general_destinations; ++i) {
    banks |= bit_of(bank_of(decoded.destinations[i], instruction.warp));
  }
  writes_ += decoded.num_general_destinations;
  respond(instruction);
  return banks;
}

std::uint64_t OperandCollector::write_free(WarpInstruction& instruction, std::uint64_t taken) {
  std::uint64_t banks = 0;
  std::uint32_t left = 0;
  for (std::uint32_t unwritten = instruction.unwritten; unwritten != 0; unwritten &= unwritten - 1) {
    const std::uint64_t bank =
        bit_of(bank_of(instruction.instruction->destinations[lowest(unwritten)], instruction.warp));
    if (((taken | banks) & bank) != 0) {
      left |= unwritten & (~unwritten + 1);
      ++write_wait_cycles_;
    } else {
      banks |= bank;
      ++writes_;
    }
  }
  instruction.unwritten = static_cast<std::uint16_t>(left);
  return banks;
}

void OperandCollector::respond(WarpInstruction& instruction) {
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay;
  schedulers_[instruction.scheduler]->nb_transport_bw(instruction, phase, delay);
}

OperandCollector::UnitPort* OperandCollector::port_for(Kind& kind, OpClass operation, Cycle now) {
  const Cycle ahead = Cycle{1} + latency_[static_cast<unsigned>(operation)];  // of the result
  UnitPort* best = nullptr;
  for (UnitPort& port : kind.ports) {
    if (port.offered != nullptr || port.used_at == now) continue;
    if (port.next_start <= now + 1 && !due_.carries(now, ahead, port.result_port)) return &port;
    if (best == nullptr || port.next_start < best->next_start) best = &port;
  }
  return best;
}

void OperandCollector::dispatch_ready(Kind& kind, Cycle now) {
  std::uint64_t candidates = ready_cus_ & kind.cus;
  for (unsigned slot = 0; slot < kind.slots && candidates != 0; ++slot) {
    const std::uint64_t behind_last = candidates & (~std::uint64_t{1} << kind.last_cu);
    const unsigned cu = lowest(behind_last != 0 ? behind_last : candidates);
    UnitPort* port = port_for(kind, cus_[cu].instruction->instruction->op_class, now);
    if (port == nullptr) return;
    candidates &= ~bit_of(cu);
    dispatch(kind, cu, *port, now);
  }
}

void OperandCollector::dispatch(Kind& kind, unsigned cu, UnitPort& port, Cycle now) {
  CollectorUnit& unit = cus_[cu];
  WarpInstruction& instruction = *unit.instruction;
  ready_cus_ &= ~bit_of(cu);
  free_cus_ |= bit_of(cu);
  kind.last_cu = cu;
  ++kind.dispatched;
  kind.collecting_cycles += unit.ready_at + 1 - unit.allocated_at;
  kind.waiting_cycles += now - 1 - unit.ready_at;
  port.used_at = now;
  port.offered = &instruction;
  instruction.result_port = port.result_port;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  const tlm::tlm_sync_enum status = port.unit->nb_transport_fw(instruction, phase, delay);
  if (status == tlm::TLM_ACCEPTED) return;
  port.offered = nullptr;
  port.next_start = now + 1 + initiation_[static_cast<unsigned>(instruction.instruction->op_class)];
  if (status == tlm::TLM_COMPLETED && !take_announced(instruction, now)) take_result(instruction, now);
}

std::uint64_t OperandCollector::grant_reads(Cycle now, std::uint64_t written) {
  const std::uint64_t granted = reads_.waiting() & ~written;
  for (std::uint64_t banks = granted; banks != 0; banks &= banks - 1) {
    const unsigned cu = reads_.pop(lowest(banks));
    CollectorUnit& unit = cus_[cu];
    const Cycle waited = now - unit.allocated_at - 1;
    ++reads_granted_;
    if (waited != 0) {
      ++reads_delayed_;
      read_wait_cycles_ += waited;
    }
    if (--unit.reads_left == 0) {
      unit.ready_at = now;
      ready_cus_ |= bit_of(cu);
    }
  }
  return granted;
}

void OperandCollector::slot_opened(Unit unit) {
  open_units_ |= 1U << static_cast<unsigned>(unit);
  if (slot_listener_ != nullptr) slot_listener_->wake_this_edge();
}

void OperandCollector::allocate(Kind& kind, Cycle now) {
  while (kind.queued != 0 && (free_cus_ & kind.cus) != 0) {
    const unsigned cu = lowest(free_cus_ & kind.cus);
    const InputRegister input = kind.inputs[kind.first];
    if (input.arrived == now) break;
    if (++kind.first == kind.slots) kind.first = 0;
    if (kind.queued-- == kind.slots) slot_opened(input.decoded->unit);
    kind.input_wait_balance += now - 1;
    free_cus_ &= ~bit_of(cu);
    CollectorUnit& unit = cus_[cu];
    unit.instruction = input.instruction;
    unit.allocated_at = now;
    unit.reads_left = input.decoded->num_general_sources;
    for (unsigned i = 0; i < unit.reads_left; ++i) {
      reads_.push(bank_of(input.decoded->sources[i], input.warp), cu);
    }
    if (unit.reads_left == 0) {
      unit.ready_at = now;
      ready_cus_ |= bit_of(cu);
    }
  }
}

// Flattened: a call of wake_in() for each result would cost 1.5 % of the instructions of a run that computes.
[[gnu::flatten]] bool OperandCollector::tick() {
  const Cycle now = domain().cycle();
  std::uint64_t written = 0;
  if (!arrived_.empty() || !writing_.empty() || due_.any(now - 1)) written = write_back(now);
  if (ready_cus_ != 0) {
    for (Kind& kind : kinds_) {
      if ((ready_cus_ & kind.cus) != 0) dispatch_ready(kind, now);
    }
  }
  std::uint64_t read = 0;
  if (reads_.waiting() != 0) read = grant_reads(now, written);
  for (Kind& kind : kinds_) {
    if (kind.queued != 0) allocate(kind, now);
  }
  bool again = can_advance();
  if (wave_ != nullptr) {
    *wave_ = {~free_cus_ & (kinds_[0].cus | kinds_[1].cus | kinds_[2].cus), ready_cus_, read, written};
    again = again || read != 0 || written != 0;
  }
  return again;
}

bool OperandCollector::can_advance() const {
  if (reads_.waiting() != 0 || !writing_.empty() || !arrived_.empty()) return true;
  for (const Kind& kind : kinds_) {
    if (kind.queued != 0 && (free_cus_ & kind.cus) != 0) return true;
    if ((ready_cus_ & kind.cus) == 0) continue;
    for (const UnitPort& port : kind.ports) {
      if (port.offered == nullptr) return true;
    }
  }
  return false;
}

bool OperandCollector::idle() const {
  const std::uint64_t all = kinds_[0].cus | kinds_[1].cus | kinds_[2].cus;
  return free_cus_ == all && (kinds_[0].queued | kinds_[1].queued | kinds_[2].queued) == 0 &&
         writing_.empty() && arrived_.empty() && due_.empty();
}

void OperandCollector::settle() {
  const Cycle now = domain().cycle_now();
  for (unsigned i = 0; i < kNumUnits; ++i) {
    const Kind& kind = kinds_[i];
    Settled& settled = settled_[i];
    settled.input_wait = kind.input_wait_balance + kind.queued * now;
    settled.collecting = kind.collecting_cycles;
    settled.waiting = kind.waiting_cycles;
    for (std::uint64_t busy = kind.cus & ~free_cus_; busy != 0; busy &= busy - 1) {
      const unsigned cu = lowest(busy);
      const CollectorUnit& unit = cus_[cu];
      const bool ready = (ready_cus_ & bit_of(cu)) != 0;
      settled.collecting += (ready ? unit.ready_at : now) + 1 - unit.allocated_at;
      if (ready) settled.waiting += now - unit.ready_at;
    }
    settled.free = now * kind.num_cus - settled.collecting - settled.waiting;
  }
}

}  // namespace heddle
