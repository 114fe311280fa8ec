#include "modules/l1d/l1d.h"

namespace heddle {

namespace {

bool brings_line(tlm::tlm_generic_payload& payload) {
  const MemoryRequest& request = *request_of(payload);
  return request.kind == RequestKind::kLoad && request.primary && !request.bypass_l1d;
}

}  // namespace

void L1d::note_filler(LineIndex line, WarpSlot warp) {
  tags_.set_filler(line, warp.value());
  if (line_warps_) line_warps_->note(domain().cycle(), line, SmId(sm_), warp);
}

unsigned L1d::told_filler(LineIndex line, unsigned filler) {
  return line_warps_ ? line_warps_->warp(domain().cycle(), line) : filler;
}

void L1d::evict(const Eviction& eviction, unsigned line, const MemoryRequest& cause) {
  if (eviction.valid == 0) return;
  count(cause, &L1dCounts::evictions);
  if (evicted.heard() && cause.stands_for == nullptr) {
    evicted.fire({domain().cycle(),
                  told_filler(LineIndex(line), eviction.filler),
                  cause.warp,
                  {eviction.address, line / tags_.ways()}});
  }
  if (eviction.dirty == 0) return;
  count(cause, &L1dCounts::writebacks);
  const auto dirty = static_cast<unsigned>(eviction.dirty);
  const auto first = static_cast<unsigned>(__builtin_ctz(dirty));
  const unsigned sectors = 32U - static_cast<unsigned>(__builtin_clz(dirty)) - first;
  tlm::tlm_generic_payload& payload = pool_.make(
      tlm::TLM_WRITE_COMMAND, eviction.address + first * std::uint64_t{kSectorBytes}, sectors * kSectorBytes);
  MemoryRequest& request = *request_of(payload);
  request.kind = RequestKind::kStore;
  request.requester = Requester::kWriteBack;
  request.local = true;
  request.sm = sm_;
  request.warp = static_cast<std::uint16_t>(eviction.filler);
  request.counts = cause.counts;
  request.sector_mask = static_cast<std::uint8_t>(dirty << (eviction.address % kLineBytes / kSectorBytes));
  request.born(Stage::kL1d, domain().now());
  ++writebacks_in_flight_;
  writebacks_.push({&payload, domain().cycle()});
}

void L1d::write_response() {
  if (written_ || !mshr.has_response()) return;
  written_ = true;
  tlm::tlm_generic_payload& payload = mshr.response();
  if (!brings_line(payload)) return;
  const std::uint64_t address = payload.get_address();
  const unsigned set = tags_.set_of(address);
  unsigned line = tags_.find(address, set);
  // Allocate on fill reserves nothing, so that a victim exists; on miss the line has its place already.
  if (line == TagArray::kNoLine) line = tags_.victim(set);
  if (line == TagArray::kNoLine) return;
  const MemoryRequest& request = *request_of(payload);
  const bool noted = tags_.line(line).state == LineState::kReserved;
  evict(tags_.fill(line, address, tags_.all_sectors()), line, request);
  if (!noted) note_filler(LineIndex(line), WarpSlot(request.warp));
  if (data_ != nullptr || request.stands_for != nullptr) keep_data(line, payload);
  count(request, &L1dCounts::fills);
}

void L1d::pass_response() {
  if (!mshr.has_response()) return;
  tlm::tlm_generic_payload& payload = mshr.response();
  if (request_of(payload)->requester == Requester::kWriteBack) {
    --writebacks_in_flight_;
    mshr.pop_response();
    payload.release();
  } else {
    if (!cpu.can_respond()) return;
    hit_answered_ = false;
    mshr.pop_response();
    respond(payload);
  }
  written_ = false;
}

bool L1d::response_under_way(std::uint64_t line) const {
  return mshr.any_response([&](tlm::tlm_generic_payload& payload) {
    return tags_.line_address(payload.get_address()) == line && brings_line(payload);
  });
}

}  // namespace heddle
