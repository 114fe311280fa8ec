#include <fmt/format.h>

#include "modules/ldst_unit/ldst_unit.h"

namespace heddle {

void LdstUnit::start_texture(const WarpInstruction& instruction) {
  texel_lines_.find(instruction.addresses.texels);
  next_line_ = 0;
  handing_over_ = false;
  generated_at_ = domain().now();
  counters_.texture_lines += texel_lines_.size();
}

LdstUnit::Cause LdstUnit::serve_texture() {
  if (!handing_over_) {
    if (!texture.can_send()) return Cause::kTextureAddress;
    send_line();
    handing_over_ = true;
  }
  // Combinational: the texture cache has ticked already at this edge.
  if (texture.awaiting_accept() != nullptr) return Cause::kTextureCache;
  handing_over_ = false;
  if (++next_line_ != texel_lines_.size()) return Cause::kTextureAddress;
  leave();
  return Cause::kProgress;
}

void LdstUnit::send_line() {
  const WarpInstruction& instruction = *register_;
  tlm::tlm_generic_payload& payload =
      pool_.make(tlm::TLM_READ_COMMAND, texel_lines_[next_line_], texel_lines_.line_bytes());
  MemoryRequest& request = *request_of(payload);
  request.kind = RequestKind::kTexture;
  request.requester = Requester::kTextureCache;
  request.sm = sm_;
  request.warp = instruction.warp;
  request.pc = static_cast<std::uint32_t>(instruction.pc);  // code lies below 4 GB
  request.instruction = instruction.id;
  request.counts = instruction.counts;
  request.last = next_line_ + 1 == texel_lines_.size();
  request.waiting = register_;
  request.born(Stage::kLdst, generated_at_);
  ++lines_in_flight_;
  texture.send(payload);
}

void LdstUnit::take_texture_response() {
  texture.begin_tick();
  if (texture_result_ != nullptr || !texture.has_response()) return;
  tlm::tlm_generic_payload& payload = texture.response();
  if (ends_register(*request_of(payload))) return;
  texture.pop_response();
  --lines_in_flight_;
  if (payload.is_response_error()) {
    SC_REPORT_ERROR("/heddle/ldst_unit",
                    fmt::format("{}: the texture cache answers {} to the fetch at {:#x}", name(),
                                payload.get_response_string(), payload.get_address())
                        .c_str());
  }
  MemoryRequest& request = *request_of(payload);
  request.finish(domain().now());
  if (--request.waiting->parts_awaited == 0) texture_result_ = request.waiting;
  payload.release();
}

}  // namespace heddle
