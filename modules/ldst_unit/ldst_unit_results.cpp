#include <utility>

#include "modules/ldst_unit/ldst_unit.h"

namespace heddle {

void LdstUnit::take_response() {
  if (global_result_ != nullptr || !l1d.has_response()) return;
  tlm::tlm_generic_payload& payload = l1d.response();
  MemoryRequest& request = *request_of(payload);
  if (ends_register(request)) return;
  l1d.pop_response();
  --in_flight_;
  account(payload, request);
  if (request.waiting == nullptr) {
    const unsigned warp = request.warp;
    --outstanding_stores_[warp];
    if (store_ack_listener_ != nullptr) store_ack_listener_->stores_done(warp, 1);
  } else if (--request.waiting->parts_awaited == 0) {
    global_result_ = request.waiting;
  }
  payload.release();
}

bool LdstUnit::result_ready(Source source, Cycle now) const {
  switch (source) {
    case Source::kShared:
      return shared_pipe_.ready(now);
    case Source::kTexture:
      return texture_result_ != nullptr;
    case Source::kConstant:
      return constant_reads_.ready(now);
    case Source::kGlobal:
      break;
  }
  return global_result_ != nullptr;
}

WarpInstruction* LdstUnit::take_result(Source source) {
  switch (source) {
    case Source::kShared:
      return &shared_pipe_.pop();
    case Source::kTexture:
      return std::exchange(texture_result_, nullptr);
    case Source::kConstant:
      return take_constant();
    case Source::kGlobal:
      break;
  }
  return std::exchange(global_result_, nullptr);
}

void LdstUnit::write_back(Cycle now) {
  for (unsigned i = 1; i <= kNumSources; ++i) {
    const auto source = static_cast<Source>((static_cast<unsigned>(last_source_) + i) % kNumSources);
    if (!result_ready(source, now)) continue;
    last_source_ = source;
    WarpInstruction* instruction = take_result(source);
    if (instruction == nullptr) return;
    finish_load(*instruction, now);
    return;
  }
}

void LdstUnit::finish_load(WarpInstruction& instruction, Cycle now) {
  ++counters_.loads_done;
  counters_.load_cycles += now - instruction.issued_at;
  load_completed.fire(instruction, now);
  complete(instruction);
}

void LdstUnit::complete(WarpInstruction& instruction) {
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay;
  dispatch->nb_transport_bw(instruction, phase, delay);
}

}  // namespace heddle
