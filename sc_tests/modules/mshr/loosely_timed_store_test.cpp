// A loosely timed store through the MSHRs while the line is being fetched.
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstring>
#include <vector>

#include "modules/mshr/mshr.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/plain_traffic.h"

namespace heddle::test {
namespace {

/// Reads when it is asked and answers when the test says so.
class EagerMemory : public sc_core::sc_module {
 public:
  explicit EagerMemory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_nb_transport_fw(this, &EagerMemory::nb_transport_fw);
    socket.register_b_transport(this, &EagerMemory::b_transport);
    socket.register_transport_dbg(this, &EagerMemory::transport_dbg);
  }
  tlm_utils::simple_target_socket<EagerMemory, 64> socket;
  std::vector<tlm::tlm_generic_payload*> read;

  void answer(std::size_t number) {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    read.at(number)->set_response_status(tlm::TLM_OK_RESPONSE);
    socket->nb_transport_bw(*read[number], phase, delay);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& /*delay*/) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
    transport_dbg(payload);
    read.push_back(&payload);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) {
    transport_dbg(payload);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    unsigned char* const bytes = bytes_.data() + payload.get_address();
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), bytes, payload.get_data_length());
    if (payload.is_write()) std::memcpy(bytes, payload.get_data_ptr(), payload.get_data_length());
    return payload.get_data_length();
  }
  std::array<unsigned char, 1024> bytes_{};
};

class LooselyTimedStore : public ::testing::TestWithParam<bool> {};

TEST_P(LooselyTimedStore, IsSeenByALoadThatComesAfterItThoughTheLineIsBeingFetched) {
  ClockDomain clock("clock", ns(1));
  TrafficGenerator generator("generator", 4);
  Mshr mshr("mshr", clock, MshrConfig{4, 3, 2}, kLineBytes);
  EagerMemory memory("memory");
  generator.socket.bind(mshr.cache.socket);
  mshr.memory.socket.bind(memory.socket);
  const auto& before = generator.load(5, 0x80, 4);
  const auto& joined = generator.load(10, 0x80, 4);
  const auto& after = generator.load(30, 0x80, 4);
  sc_core::sc_start(ns(20));
  ASSERT_EQ(memory.read.size(), 1U);  // of the old bytes
  tlm::tlm_generic_payload payload;
  std::array<unsigned char, 4> data{0x55, 0x55, 0x55, 0x55};
  TrafficGenerator::prepare(payload, tlm::TLM_WRITE_COMMAND, 0x80, 4, data.data());
  sc_core::sc_time delay;
  if (GetParam()) {
    generator.socket->transport_dbg(payload);
  } else {
    generator.socket->b_transport(payload, delay);
  }
  sc_core::sc_start(ns(20));
  memory.answer(0);
  sc_core::sc_start(ns(20));
  EXPECT_EQ(before.data[0], 0);
  EXPECT_EQ(joined.data[0], 0);
  ASSERT_EQ(memory.read.size(), 2U);
  memory.answer(1);
  sc_core::sc_start(ns(20));
  EXPECT_EQ(after.data[0], 0x55);
  EXPECT_TRUE(before.done && joined.done && after.done && mshr.idle());
}

INSTANTIATE_TEST_SUITE_P(AndDebug, LooselyTimedStore, ::testing::Bool());

}  // namespace
}  // namespace heddle::test
