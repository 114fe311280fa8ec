#include "modules/ldst_unit/ldst_unit.h"

#include <fmt/format.h>

#include "modules/config/setting_error.h"
#include "modules/messages/tick_order.h"

namespace heddle {

namespace {

constexpr const char* kLdstUnitReportId = "/heddle/ldst_unit";

const LdstConfig& checked(const LdstConfig& config) {
  if (config.constant_mshr_merges == 0) {
    throw SettingError("ldst.constant_mshr_merges", "expected at least 1, found 0");
  }
  if (config.shared_latency_cycles == 0) {
    throw SettingError("ldst.shared_latency_cycles", "expected at least 1, found 0");
  }
  return config;
}

LdstUnit::Cause cause_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::kMshrEntries:
    case Refusal::kMshrMerges:
    case Refusal::kLineReserved:
      return LdstUnit::Cause::kMshr;
    case Refusal::kInterconnect:
      return LdstUnit::Cause::kInterconnect;
    case Refusal::kReplay:
      return LdstUnit::Cause::kReplay;
    case Refusal::kBankBusy:
    case Refusal::kNone:
      break;
  }
  return LdstUnit::Cause::kCoalescing;
}

bool returns_value(const Instruction& instruction) {
  return instruction.mem == MemOp::kLoad || instruction.mem == MemOp::kAtomic;
}

bool is_atomic(const Instruction& instruction) {
  return instruction.mem == MemOp::kAtomic || instruction.mem == MemOp::kReduction;
}

}  // namespace

LdstUnit::LdstUnit(const sc_core::sc_module_name& name, ClockDomain& domain, const GpuConfig& config,
                   unsigned sm, PayloadPool& pool)
    : sc_module(name),
      Clocked(domain, tick_order::kExecute, this->name(), &tick_of<LdstUnit>),
      IssueTarget(static_cast<const Clocked&>(*this)),
      dispatch("dispatch"),
      l1d("l1d", *this),
      texture("texture", *this),
      constant_cache("constant_cache", domain, config.ldst.constant_cache, config.ldst.constant_mshr_entries,
                     {RequestKind::kConstant, Requester::kConstantCache, static_cast<std::uint16_t>(sm)},
                     *this, *this),
      pool_(pool),
      sm_(static_cast<std::uint16_t>(sm)),
      l1d_enabled_(config.l1d.enabled),
      threads_(std::uint64_t{config.core.warps} * kWarpSize),
      gpu_threads_(threads_ * config.core.sms),
      coalescer_(config.l1d.cache.line_bytes),
      banks_(config.ldst),
      constant_word_turns_(config.ldst.constant_word_turns),
      constant_reads_(config.ldst.constant_mshr_merges),
      texel_lines_(config.texture),
      shared_pipe_(checked(config.ldst).shared_latency_cycles),
      outstanding_stores_(config.core.warps) {
  dispatch.bind(*this);
}

tlm::tlm_sync_enum LdstUnit::nb_transport_fw(WarpInstruction& instruction, tlm::tlm_phase& phase,
                                             sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ || offered_ != nullptr) {
    if (phase != tlm::BEGIN_REQ) {
      report_phase(phase);
    } else {
      report_wrong("a second instruction was offered before the first was accepted");
    }
    return tlm::TLM_ACCEPTED;
  }
  if (delay.value() != 0) present(delay);
  if (register_ != nullptr) {
    offered_ = &instruction;
    return tlm::TLM_ACCEPTED;
  }
  register_ = &instruction;
  offered_at_ = domain().time();
  wake();
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void LdstUnit::start(WarpInstruction& instruction) {
  const Instruction& decoded = *instruction.instruction;
  ++counters_.by_op[static_cast<unsigned>(decoded.mem)];
  if (instruction.access == 0) {
    path_ = Path::kNothing;
    return;
  }
  switch (instruction.space) {
    case Space::kShared:
      path_ = Path::kShared;
      ++counters_.shared;
      bank_cycles_left_ = banks_.cycles(instruction.addresses, instruction.access, decoded);
      return;
    case Space::kConst:
    case Space::kParam:
      path_ = Path::kConstant;
      ++counters_.constant;
      start_constant(instruction);
      instruction.parts_awaited = 0;
      return;
    case Space::kGlobal:
    case Space::kLocal:
      path_ = Path::kGlobal;
      ++counters_.global;
      start_global(instruction);
      instruction.parts_awaited = static_cast<std::uint16_t>(returns_value(decoded) ? accesses_.size() : 0);
      return;
    case Space::kTexture:
      path_ = Path::kTexture;
      ++counters_.texture;
      start_texture(instruction);
      instruction.parts_awaited = static_cast<std::uint16_t>(texel_lines_.size());
      if (texel_lines_.size() == 0) path_ = Path::kNothing;
      return;
    case Space::kNone:
    case Space::kGeneric:
      break;
  }
  SC_REPORT_ERROR(kLdstUnitReportId, "a memory instruction without a resolved state space was dispatched");
  path_ = Path::kNothing;
}

void LdstUnit::start_global(const WarpInstruction& instruction) {
  const Instruction& decoded = *instruction.instruction;
  const bool cached_load = decoded.mem == MemOp::kLoad && decoded.cache == CacheOp::kAll && l1d_enabled_;
  const Coalescer::Shape shape = is_atomic(decoded) ? Coalescer::Shape::kAtomic
                                 : cached_load      ? Coalescer::Shape::kLines
                                                    : Coalescer::Shape::kTouched;
  if (instruction.space == Space::kLocal) {
    const LocalWindow window{instruction.launch->local_base(), gpu_threads_,
                             threads_ * sm_ + std::uint64_t{instruction.warp} * kWarpSize};
    coalescer_.coalesce_local(instruction.addresses, instruction.access, decoded, shape, window, accesses_);
  } else {
    coalescer_.coalesce(instruction.addresses, instruction.access, decoded, shape, accesses_);
  }
  next_access_ = 0;
  handing_over_ = false;
  generated_at_ = domain().now();
  counters_.accesses += accesses_.size();
  if (decoded.mem == MemOp::kLoad) load_coalesced.fire(instruction, accesses_, domain().cycle());
  counters_.access_lanes += static_cast<unsigned>(__builtin_popcount(instruction.access));
}

LdstUnit::Cause LdstUnit::serve(Cycle now) {
  switch (path_) {
    case Path::kGlobal:
      return serve_global(now);
    case Path::kShared:
      return serve_shared(now);
    case Path::kConstant:
      return serve_constant(now);
    case Path::kTexture:
      return serve_texture();
    case Path::kNothing:
    case Path::kNone:
      break;
  }
  return leave_with_nothing();
}

LdstUnit::Cause LdstUnit::serve_global(Cycle now) {
  if (!handing_over_) {
    if (!l1d.can_send()) return Cause::kCoalescing;
    send_access(now);
    handing_over_ = true;
  }
  // Combinational: the L1D has ticked already at this edge.
  if (tlm::tlm_generic_payload* withheld = l1d.awaiting_accept(); withheld != nullptr) {
    return cause_of(request_of(*withheld)->refusal);
  }
  return access_accepted();
}

LdstUnit::Cause LdstUnit::access_accepted() {
  handing_over_ = false;
  if (++next_access_ != accesses_.size()) return Cause::kCoalescing;
  WarpInstruction& instruction = *register_;
  leave();
  if (!returns_value(*instruction.instruction)) complete(instruction);
  return Cause::kProgress;
}

void LdstUnit::send_access(Cycle now) {
  const WarpInstruction& instruction = *register_;
  const Instruction& decoded = *instruction.instruction;
  const Access& access = accesses_[next_access_];
  const bool load = decoded.mem == MemOp::kLoad;
  const bool atomic = is_atomic(decoded);
  tlm::tlm_generic_payload& payload =
      pool_.make(load ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, access.address, access.bytes);
  MemoryRequest& request = *request_of(payload);
  request.kind = load ? RequestKind::kLoad : atomic ? RequestKind::kAtomic : RequestKind::kStore;
  request.requester = Requester::kL1d;
  request.bypass_l1d = atomic || bypasses_l1d(decoded);
  request.local = instruction.space == Space::kLocal;
  request.sector_mask = access.sectors;
  request.sm = sm_;
  request.warp = instruction.warp;
  request.pc = static_cast<std::uint32_t>(instruction.pc);  // code lies below 4 GB
  request.access_id = next_access_id_++;
  request.instruction = instruction.id;
  request.counts = instruction.counts;
  request.last = next_access_ + 1 == accesses_.size();
  if (returns_value(decoded)) {
    request.waiting = register_;
  } else {
    ++outstanding_stores_[instruction.warp];
  }
  request.born(Stage::kLdst, generated_at_);
  ++in_flight_;
  l1d.send(payload);
  access_issued.fire(payload, now);
}

LdstUnit::Cause LdstUnit::serve_shared(Cycle now) {
  if (bank_cycles_left_ > 1) {
    --bank_cycles_left_;
    return Cause::kSharedConflict;
  }
  return leave_through(shared_pipe_, now);
}

LdstUnit::Cause LdstUnit::leave_through(ResultPipe& pipe, Cycle now) {
  WarpInstruction& instruction = *register_;
  if (returns_value(*instruction.instruction)) {
    if (pipe.full()) return Cause::kWriteback;
    pipe.push(instruction, now);
    wake_in(pipe.latency());
    leave();
  } else {
    leave();
    complete(instruction);
  }
  return Cause::kProgress;
}

LdstUnit::Cause LdstUnit::leave_with_nothing() {
  WarpInstruction& instruction = *register_;
  if (returns_value(*instruction.instruction)) {
    if (global_result_ != nullptr) return Cause::kWriteback;
    global_result_ = &instruction;
    leave();
  } else {
    leave();
    complete(instruction);
  }
  return Cause::kProgress;
}

void LdstUnit::leave() {
  path_ = Path::kNone;
  register_ = offered_;
  if (offered_ == nullptr) return;
  WarpInstruction& accepted = *offered_;
  offered_ = nullptr;
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay;
  dispatch->nb_transport_bw(accepted, phase, delay);
}

void LdstUnit::account(tlm::tlm_generic_payload& payload, MemoryRequest& request) {
  if (payload.is_response_error()) {
    SC_REPORT_ERROR(
        kLdstUnitReportId,
        fmt::format("{}: the memory answers {} to the access at {:#x} of warp {}, pc {}", name(),
                    payload.get_response_string(), payload.get_address(), request.warp, request.pc)
            .c_str());
  }
  request.finish(domain().now());
  lifetimes_.add(request, domain().now());
  access_ended.fire(payload, request, domain().now());
}

bool LdstUnit::tick() {
  const Cycle now = domain().cycle();
  charge_held(now - 1);
  l1d.begin_tick();
  take_response();
  if (lines_in_flight_ != 0) take_texture_response();
  write_back(now);
  Cause cause = Cause::kIdle;
  // A foreign module may have offered it at this very time, before this tick: it starts at the next edge.
  const bool offered_now = offered_at_ == domain().now() && path_ == Path::kNone;
  if (register_ != nullptr && path_ == Path::kNone && !offered_now) {
    start(*register_);
    if (started.heard()) tell_start(*register_);
  }
  if (wave_ != nullptr) update_wave();
  if (register_ != nullptr && !offered_now) {
    cause = serve(now);
    ++cause_cycles_[static_cast<unsigned>(cause)];
  }
  charged_until_ = now;
  if (wave_ != nullptr) wave_->cause = static_cast<std::uint64_t>(cause);
  // A response that found the result slot taken is not announced again.
  const bool result_waits = global_result_ != nullptr || l1d.has_response() || shared_pipe_.ready(now) ||
                            constant_reads_.ready(now) || (lines_in_flight_ != 0 && texture.has_response()) ||
                            texture_result_ != nullptr;
  // The L1D announces when it accepts the access, and when it refuses it for another reason; the constant
  // cache when a line is there.
  const bool held = (handing_over_ && l1d.awaiting_accept() != nullptr) || cause == Cause::kConstantMiss ||
                    cause == Cause::kTextureCache;
  held_ = held ? cause : Cause::kIdle;
  return (register_ != nullptr && !held) || result_waits || (wave_ != nullptr && cause != Cause::kIdle);
}

void LdstUnit::charge_held(Cycle cycle) {
  if (cycle <= charged_until_) return;
  if (held_ != Cause::kIdle) cause_cycles_[static_cast<unsigned>(held_)] += cycle - charged_until_;
  charged_until_ = cycle;
}

bool LdstUnit::idle() const {
  return register_ == nullptr && offered_ == nullptr && shared_pipe_.empty() && constant_reads_.empty() &&
         global_result_ == nullptr && in_flight_ == 0 && lines_in_flight_ == 0 &&
         texture_result_ == nullptr && constant_cache.idle();
}

void LdstUnit::settle() {
  charge_held(domain().cycle_now());
  std::uint64_t charged = 0;
  for (unsigned i = 1; i < kNumCauses; ++i) charged += cause_cycles_[i];
  cause_cycles_[static_cast<unsigned>(Cause::kIdle)] = domain().cycle_now() - charged;
}

}  // namespace heddle
