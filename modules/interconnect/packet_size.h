#pragma once

#include <tlm>

#include "modules/config/gpu_config.h"

namespace heddle {

/// Flits of the packets that carry a payload through the networks (gtx480.md, "NoC"). `request` tells the two
/// directions apart. A read request is a header; a write or atomic request is a header and its bytes. A reply
/// is a packet for each sector, sent back to back: header and 32 bytes for a read or atomic, a header for a
/// write.
class PacketSize {
 public:
  /// Throws std::invalid_argument when flit_bytes is 0.
  explicit PacketSize(const InterconnectConfig& config);

  unsigned request_flits(tlm::tlm_generic_payload& payload) const;
  unsigned reply_flits(tlm::tlm_generic_payload& payload) const;
  /// Of each of its packets.
  unsigned reply_packet_flits(tlm::tlm_generic_payload& payload) const;
  /// The largest packet of either direction for a line.
  unsigned largest() const;

 private:
  unsigned flits(unsigned bytes) const { return (bytes + flit_bytes_ - 1) / flit_bytes_; }

  unsigned flit_bytes_;
  unsigned header_bytes_;
  unsigned header_flits_;
  unsigned sector_flits_;
};

}  // namespace heddle
