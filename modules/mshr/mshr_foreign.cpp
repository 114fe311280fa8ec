// Standard initiators at the MSHRs: their requests carry data, and keep their order within a line.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "modules/mshr/mshr.h"

namespace heddle {

/// A standard initiator's process may come before this block's tick at an edge, or after it: its request is
/// taken at the first edge after it came. The reason of a refusal can't be told to it, but is charged.
TargetPort::Gate::Answer Mshr::admit_foreign(tlm::tlm_generic_payload& payload) {
  if (cache.withheld() != &payload) foreign_offered_at_ = domain().time();
  if (domain().time() == foreign_offered_at_) {
    wake();
    return Answer::kWithheld;
  }
  const tlm::tlm_response_status status = ForeignRequests::check(payload, line_bytes_);
  if (status != tlm::TLM_OK_RESPONSE || payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
    refused_.push_back(&foreign_.refuse(payload, status));
    wake();
    return Answer::kTaken;
  }
  tlm::tlm_generic_payload& carried = foreign_.carry_line(payload, line_bytes_);
  request_of(carried)->requester = Requester::kL1d;
  request_of(carried)->born(Stage::kMshr, domain().time());
  if (admit(carried, *request_of(carried)) == Answer::kTaken) return Answer::kTaken;
  carried.release();
  return Answer::kWithheld;
}

/// Whether an earlier access to its line has to end before a foreign load of a line may be sent; `entry`: the
/// line's.
bool Mshr::has_to_wait(const tlm::tlm_generic_payload& load, MshrEntryId entry) const {
  if (load.get_data_length() != line_bytes_) {
    SC_REPORT_ERROR("/heddle/mshr", fmt::format("{}: expected lines of {} bytes, found one of {}", name(),
                                                line_bytes_, load.get_data_length())
                                        .c_str());
  }
  const std::uint64_t line = line_of(load);
  if (entry != LineTable::kNone && !entries_[entry.value()].may_join) return true;
  return std::find(foreign_stores_.begin(), foreign_stores_.end(), line) != foreign_stores_.end();
}

void Mshr::keep_bytes(MshrEntryId entry, tlm::tlm_generic_payload& response) {
  line_bytes_held_.resize(std::size_t{config_.entries} * line_bytes_);
  std::memcpy(bytes_of(entry), response.get_data_ptr(), line_bytes_);
}

void Mshr::store_answered(const tlm::tlm_generic_payload& payload) {
  if (!payload.is_write()) return;
  const auto store = std::find(foreign_stores_.begin(), foreign_stores_.end(), line_of(payload));
  *store = foreign_stores_.back();
  foreign_stores_.pop_back();
}

void Mshr::answer_refused() {
  tlm::tlm_generic_payload& carried = *refused_.front();
  refused_.erase(refused_.begin());
  cache.respond(foreign_.end(carried));
}

void Mshr::respond(tlm::tlm_generic_payload& payload, const MemoryRequest& request) {
  cache.respond(foreign_.made(request) ? foreign_.end(payload) : payload);
}

/// A standard initiator has changed bytes below: loads that come from now on don't join fetches that may have
/// read the old ones.
void Mshr::bytes_changed(std::uint64_t address, unsigned bytes) {
  const std::uint64_t end = address + bytes;
  for (std::uint64_t line = address / line_bytes_ * line_bytes_; line < end; line += line_bytes_) {
    const MshrEntryId entry = lines_.find(line);
    if (entry != LineTable::kNone) entries_[entry.value()].may_join = false;
  }
}

void Mshr::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address();
  memory.socket->b_transport(payload, delay);
  if (payload.is_write()) bytes_changed(address, payload.get_data_length());
}

unsigned Mshr::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const unsigned done = debug_access(memory.socket, payload);
  if (payload.is_write()) bytes_changed(address, done);
  return done;
}

}  // namespace heddle
