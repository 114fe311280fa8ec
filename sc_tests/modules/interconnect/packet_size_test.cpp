#include "modules/interconnect/packet_size.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "modules/messages/memory_request.h"

namespace heddle {
namespace {

struct Sizes {
  unsigned request;
  unsigned reply;
  bool operator==(const Sizes& other) const { return request == other.request && reply == other.reply; }
};
std::ostream& operator<<(std::ostream& out, const Sizes& s) { return out << s.request << "/" << s.reply; }

Sizes sizes(RequestKind kind, std::uint64_t address, unsigned bytes,
            const InterconnectConfig& config = InterconnectConfig()) {
  PayloadPool pool;
  tlm::tlm_generic_payload& payload =
      pool.make(kind == RequestKind::kStore ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, bytes);
  request_of(payload)->kind = kind;
  const PacketSize packet(config);
  const Sizes found{packet.request_flits(payload), packet.reply_flits(payload)};
  payload.release();
  return found;
}

// gtx480.md, "NoC": 40-byte flits, 8-byte headers.
TEST(PacketSize, FollowsTheReference) {
  EXPECT_EQ(sizes(RequestKind::kLoad, 0, 128), (Sizes{1, 4}));
  EXPECT_EQ(sizes(RequestKind::kLoad, 0, 32), (Sizes{1, 1}));
  EXPECT_EQ(sizes(RequestKind::kLoad, 16, 32), (Sizes{1, 2}));
  EXPECT_EQ(sizes(RequestKind::kStore, 0, 128), (Sizes{4, 4}));
  EXPECT_EQ(sizes(RequestKind::kStore, 0, 32), (Sizes{1, 1}));
  EXPECT_EQ(sizes(RequestKind::kStore, 0, 33), (Sizes{2, 2}));
  EXPECT_EQ(sizes(RequestKind::kAtomic, 0, 64), (Sizes{2, 2}));
  EXPECT_EQ(sizes(RequestKind::kInstruction, 0, 128), (Sizes{1, 4}));
}

TEST(PacketSize, RoundsEverySectorUpToFlits) {
  InterconnectConfig config;
  config.flit_bytes = 32;
  EXPECT_EQ(sizes(RequestKind::kLoad, 0, 128, config), (Sizes{1, 8}));
  EXPECT_EQ(sizes(RequestKind::kStore, 0, 128, config), (Sizes{5, 4}));
  EXPECT_EQ(PacketSize(config).largest(), 8U);
  config.flit_bytes = 0;
  EXPECT_THROW(PacketSize{config}, std::invalid_argument);
}

}  // namespace
}  // namespace heddle
