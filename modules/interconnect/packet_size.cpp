#include "modules/interconnect/packet_size.h"

#include <algorithm>

#include "modules/config/setting_error.h"
#include "modules/memory_partition/sectors.h"
#include "modules/messages/memory_request.h"

namespace heddle {

PacketSize::PacketSize(const InterconnectConfig& config)
    : flit_bytes_(config.flit_bytes), header_bytes_(config.header_bytes) {
  if (flit_bytes_ == 0) throw SettingError("interconnect.flit_bytes", "expected at least 1, found 0");
  header_flits_ = std::max(flits(header_bytes_), 1U);
  sector_flits_ = std::max(flits(header_bytes_ + kSectorBytes), 1U);
}

unsigned PacketSize::request_flits(tlm::tlm_generic_payload& payload) const {
  const MemoryRequest* request = request_of(payload);
  const bool carries_data =
      payload.is_write() || (request != nullptr && request->kind == RequestKind::kAtomic);
  return carries_data ? flits(header_bytes_ + payload.get_data_length()) : header_flits_;
}

unsigned PacketSize::reply_flits(tlm::tlm_generic_payload& payload) const {
  return reply_packet_flits(payload) * sector_count(sectors_of(payload));
}

unsigned PacketSize::reply_packet_flits(tlm::tlm_generic_payload& payload) const {
  const MemoryRequest* request = request_of(payload);
  const bool returns_data =
      payload.is_read() || (request != nullptr && request->kind == RequestKind::kAtomic);
  return returns_data ? sector_flits_ : header_flits_;
}

unsigned PacketSize::largest() const {
  return std::max(flits(header_bytes_ + kLineBytes), sector_flits_ * kSectorsPerLine);
}

}  // namespace heddle
