// Standard initiators at the L1D: their requests, whose data are real, among those of the GPU.
#include <algorithm>
#include <cstring>

#include "modules/l1d/l1d.h"

namespace heddle {

namespace {

bool contains(const std::vector<std::uint64_t>& lines, std::uint64_t line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

}  // namespace

/// Enters the pipe as a load or store of the GPU does, or, when the cache is disabled, the way round it.
TargetPort::Gate::Answer L1d::admit_foreign(tlm::tlm_generic_payload& payload) {
  const tlm::tlm_response_status status = ForeignRequests::check(payload, tags_.line_bytes());
  const bool ignored = payload.get_command() == tlm::TLM_IGNORE_COMMAND;
  const bool bypass = status == tlm::TLM_OK_RESPONSE && !ignored && !config_.enabled;
  Ring<Access>& queue = bypass ? bypass_ : pipe_;
  if (queue.full()) return Answer::kWithheld;
  tlm::tlm_generic_payload& carried = ignored || status != tlm::TLM_OK_RESPONSE
                                          ? foreign_.refuse(payload, status)
                                      : bypass ? foreign_.carry(payload)
                                               : foreign_.carry_line(payload, tags_.line_bytes());
  MemoryRequest& request = *request_of(carried);
  request.requester = Requester::kL1d;
  request.sm = sm_;
  request.bypass_l1d = bypass;
  request.born(Stage::kL1d, domain().time());
  foreign_lines_.push_back(tags_.line_address(carried.get_address()));
  enter(queue, carried, bypass);
  return Answer::kTaken;
}

/// A hit needs the line's bytes. Whatever else holds the line (the GPU's own loads) has brought in none.
Refusal L1d::serve_foreign(tlm::tlm_generic_payload& payload, MemoryRequest& request) {
  if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE) {
    line_under_way_ = false;
    return cpu.can_respond() ? answer(payload) : Refusal::kBankBusy;
  }
  if (request.kind == RequestKind::kLoad) {
    const unsigned line = tags_.find(payload.get_address());
    if (line != TagArray::kNoLine && tags_.line(line).state != LineState::kReserved) {
      if (data_ != nullptr && data_->holds(line)) {
        std::memcpy(payload.get_data_ptr(), data_->of(line), tags_.line_bytes());
        if (cpu.can_respond()) payload.set_response_status(tlm::TLM_OK_RESPONSE);
      } else {
        tags_.invalidate(line);
      }
    }
  }
  return look_up(payload, request);
}

/// The front response has been written into `line`.
void L1d::keep_data(unsigned line, tlm::tlm_generic_payload& response) {
  const auto overwritten =
      std::find(overwritten_.begin(), overwritten_.end(), tags_.line_address(response.get_address()));
  const bool fresh = overwritten == overwritten_.end();
  if (!fresh) overwritten_.erase(overwritten);
  if (fresh && request_of(response)->stands_for != nullptr && response.is_response_ok()) {
    if (data_ == nullptr) {
      data_ = std::make_unique<LineData>(tags_.sets() * tags_.ways(), tags_.line_bytes());
    }
    data_->keep(line, response.get_data_ptr());
  } else if (data_ != nullptr) {
    data_->forget(line);
  }
}

/// A standard initiator has changed bytes below: what is held of them, or is on its way here, is old.
void L1d::forget_data(std::uint64_t address, unsigned bytes) {
  const std::uint64_t end = address + bytes;
  for (std::uint64_t line = tags_.line_address(address); line < end; line += tags_.line_bytes()) {
    const unsigned index = tags_.find(line);
    if (data_ != nullptr && index != TagArray::kNoLine) data_->forget(index);
    if (contains(foreign_lines_, line) && !contains(overwritten_, line)) overwritten_.push_back(line);
  }
}

/// An access to the line has been answered. What was overwritten meanwhile is forgotten with the last one.
void L1d::foreign_answered(std::uint64_t line) {
  foreign_lines_.erase(std::find(foreign_lines_.begin(), foreign_lines_.end(), line));
  if (overwritten_.empty() || contains(foreign_lines_, line)) return;
  overwritten_.erase(std::remove(overwritten_.begin(), overwritten_.end(), line), overwritten_.end());
}

void L1d::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  delay += latency_cycles_ * domain().period();
  const std::uint64_t address = payload.get_address();
  const unsigned line = tags_.find(address);
  const bool held = data_ != nullptr && line != TagArray::kNoLine &&
                    tags_.line(line).state != LineState::kReserved && data_->holds(line);
  const bool in_line = ForeignRequests::check(payload, tags_.line_bytes()) == tlm::TLM_OK_RESPONSE;
  if (held && in_line && payload.is_read() && payload.get_byte_enable_ptr() == nullptr) {
    std::memcpy(payload.get_data_ptr(), data_->of(line) + (address - tags_.line_address(address)),
                payload.get_data_length());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return;
  }
  mshr.socket->b_transport(payload, delay);
  if (payload.is_write()) forget_data(address, payload.get_data_length());
}

unsigned L1d::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const unsigned done = debug_access(mshr.socket, payload);
  if (payload.is_write() && done != 0) forget_data(address, done);
  return done;
}

}  // namespace heddle
