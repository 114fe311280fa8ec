#include "modules/sm/memory_port_arbiter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <string>

#include "modules/messages/memory_request.h"
#include "modules/messages/tick_order.h"
#include "sc_tests/support/plain_traffic.h"
#include "sc_tests/support/stat_table.h"
#include "sc_tests/support/stub_memory.h"
#include "tlm/protocol_checker.h"

namespace heddle {
namespace {

using ::testing::ElementsAre;
using testing::StubMemory;

/// A cache: sends what it is given as fast as it may, and records what comes back.
class Client : public sc_core::sc_module, public Clocked {
 public:
  Client(const sc_core::sc_module_name& name, ClockDomain& domain, Requester requester, PayloadPool& pool)
      : sc_module(name),
        Clocked(domain, tick_order::kMemory, this->name()),
        port("port", *this),
        requester_(requester),
        pool_(pool) {}
  InitiatorPort port;
  bool takes_responses = true;
  std::vector<Cycle> sent;
  std::vector<std::pair<Cycle, std::uint64_t>> received;

  void queue(std::uint64_t address) {
    tlm::tlm_generic_payload& payload = pool_.make(tlm::TLM_READ_COMMAND, address, kLineBytes);
    request_of(payload)->requester = requester_;
    request_of(payload)->born(Stage::kMemoryPort, 0);
    to_send_.push_back(&payload);
    wake();
  }
  bool tick() override {
    port.begin_tick();
    if (!to_send_.empty() && port.can_send()) {
      sent.push_back(domain().cycle());
      port.send(*to_send_.front());
      to_send_.pop_front();
    }
    if (takes_responses && port.has_response()) {
      tlm::tlm_generic_payload& payload = port.response();
      port.pop_response();
      received.emplace_back(domain().cycle(), payload.get_address());
      payload.release();
    }
    return true;
  }

 private:
  Requester requester_;
  PayloadPool& pool_;
  std::deque<tlm::tlm_generic_payload*> to_send_;
};

class MemoryPortArbiterTest : public ::testing::Test {
 protected:
  MemoryPortArbiterTest() {
    l1d_.port.socket.bind(arbiter_.l1d.socket);
    l1i_.port.socket.bind(arbiter_.l1i.socket);
    constant_.port.socket.bind(arbiter_.constant.socket);
    texture_.port.socket.bind(arbiter_.texture.socket);
    arbiter_.network.socket.bind(memory_.port.socket);
  }
  void run_to(Cycle cycle) {
    sc_core::sc_start(sc_core::sc_time(static_cast<double>(cycle) + 0.5, sc_core::SC_NS) -
                      sc_core::sc_time_stamp());
    clock_.rethrow_fault();
  }
  std::vector<std::uint64_t> arrived() const {
    std::vector<std::uint64_t> addresses;
    for (const auto& request : memory_.requests) addresses.push_back(request.second);
    return addresses;
  }

  PayloadPool pool_;
  ClockDomain clock_{"clock", sc_core::sc_time(1, sc_core::SC_NS)};
  MemoryPortArbiter arbiter_{"arbiter", clock_};
  Client l1d_{"l1d", clock_, Requester::kL1d, pool_};
  Client l1i_{"l1i", clock_, Requester::kL1i, pool_};
  Client constant_{"constant", clock_, Requester::kConstantCache, pool_};
  Client texture_{"texture", clock_, Requester::kTextureCache, pool_};
  StubMemory memory_{"memory", clock_, 20};
};

TEST_F(MemoryPortArbiterTest, EachHopTakesACycleAndResponsesGoToTheirRequester) {
  l1i_.queue(0x100);
  run_to(60);
  ASSERT_EQ(l1i_.sent, std::vector<Cycle>{1});
  // Sent on at 2, seen by the memory at 3, answered at 23, passed on at 24, seen at 25.
  EXPECT_THAT(memory_.requests, ElementsAre(std::pair<Cycle, std::uint64_t>{3, 0x100}));
  EXPECT_THAT(l1i_.received, ElementsAre(std::pair<Cycle, std::uint64_t>{25, 0x100}));
  EXPECT_TRUE(l1d_.received.empty());
  EXPECT_TRUE(arbiter_.idle());
  EXPECT_EQ(pool_.in_use(), 0U);
}

TEST_F(MemoryPortArbiterTest, TicksOnceForARequestAndOnceForItsResponse) {
  run_to(10);
  const std::uint64_t before = clock_.ticks_executed();
  l1d_.queue(0x100);
  run_to(60);
  ASSERT_EQ(l1d_.received.size(), 1U);
  // The clients tick in every cycle, the memory from the request to the response.
  constexpr std::uint64_t kClientTicks = 4U * 50;
  constexpr std::uint64_t kMemoryTicks = 21;
  EXPECT_EQ(clock_.ticks_executed() - before, kClientTicks + kMemoryTicks + 2);
}

TEST_F(MemoryPortArbiterTest, ServesTheClientsInTurnOnePerCycle) {
  for (std::uint64_t i = 0; i < 3; ++i) {
    l1d_.queue(0x1000 + i * 0x80);
    l1i_.queue(0x2000 + i * 0x80);
    constant_.queue(0x3000 + i * 0x80);
    texture_.queue(0x4000 + i * 0x80);
  }
  run_to(80);
  EXPECT_THAT(arrived(), ElementsAre(0x1000, 0x2000, 0x3000, 0x4000, 0x1080, 0x2080, 0x3080, 0x4080, 0x1100,
                                     0x2100, 0x3100, 0x4100));
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(memory_.requests[i].first, 3 + i);
  EXPECT_EQ(l1d_.received.size(), 3U);
  EXPECT_EQ(l1i_.received.size(), 3U);
  EXPECT_EQ(constant_.received.size(), 3U);
  EXPECT_EQ(texture_.received.size(), 3U);
}

TEST_F(MemoryPortArbiterTest, ALoneClientGetsEveryCycle) {
  for (std::uint64_t i = 0; i < 5; ++i) l1d_.queue(0x1000 + i * 0x80);
  run_to(80);
  ASSERT_EQ(memory_.requests.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(memory_.requests[i].first, 3 + i);
}

TEST_F(MemoryPortArbiterTest, AClientThatTakesNothingHoldsUpTheResponsesBehind) {
  l1d_.takes_responses = false;
  for (std::uint64_t i = 0; i < 4; ++i) l1d_.queue(0x1000 + i * 0x80);
  run_to(50);
  constant_.queue(0x3000);
  run_to(120);
  EXPECT_TRUE(constant_.received.empty());
  EXPECT_FALSE(arbiter_.idle());
  l1d_.takes_responses = true;
  run_to(200);
  EXPECT_EQ(l1d_.received.size(), 4U);
  EXPECT_EQ(constant_.received.size(), 1U);
  EXPECT_TRUE(arbiter_.idle());
}

TEST_F(MemoryPortArbiterTest, RequestsAreCountedByClientAndResponsesTogether) {
  for (unsigned i = 0; i < 3; ++i) l1d_.queue(0x1000);
  for (unsigned i = 0; i < 2; ++i) l1i_.queue(0x2000);
  constant_.queue(0x3000);
  run_to(80);
  EXPECT_EQ(test::statistics(arbiter_).values, (std::map<std::string, std::uint64_t>{{"l1d_requests", 3},
                                                                                     {"l1i_requests", 2},
                                                                                     {"constant_requests", 1},
                                                                                     {"texture_requests", 0},
                                                                                     {"responses", 6},
                                                                                     {"response_waits", 0}}));
}

TEST_F(MemoryPortArbiterTest, EachCycleInWhichAClientCannotTakeItsResponseIsCounted) {
  l1d_.takes_responses = false;
  for (unsigned i = 0; i < 4; ++i) l1d_.queue(0x1000);
  // Answered from 23 on, one a cycle: the client holds two, and another is under way to it; the fourth waits
  // from 27 on.
  const auto waits = [this] { return test::statistics(arbiter_).values.at("response_waits"); };
  run_to(26);
  EXPECT_EQ(waits(), 0U);
  run_to(27);
  EXPECT_EQ(waits(), 1U);
  run_to(60);
  EXPECT_EQ(waits(), 34U);
}

TEST(MemoryPortArbiter, StandardInitiatorsAreServedInTurnWithTheirData) {
  ClockDomain clock{"clock", sc_core::sc_time(1, sc_core::SC_NS)};
  MemoryPortArbiter arbiter{"arbiter", clock};
  test::TrafficGenerator first{"first", 4};
  test::TrafficGenerator second{"second", 4};
  test::TrafficGenerator third{"third", 1};
  test::TrafficGenerator fourth{"fourth", 1};
  ProtocolChecker above{"above"};
  ProtocolChecker below{"below"};
  test::DataMemory memory{"memory", 5, 60};
  first.socket.bind(above.from_initiator);
  above.to_target.bind(arbiter.l1d.socket);
  second.socket.bind(arbiter.l1i.socket);
  third.socket.bind(arbiter.constant.socket);
  fourth.socket.bind(arbiter.texture.socket);
  arbiter.network.socket.bind(below.from_initiator);
  below.to_target.bind(memory.socket);
  first.add_random(500, 4, 3);
  const auto& timed = third.load(5, 0x4000, 4);
  const auto& of_texture = fourth.load(5, 0x5000, 4);
  const auto& crossing = third.load(6, 0x4000 + 120, 16);
  // Lines of its own: the memory keeps order within a line, and clients don't with each other.
  for (unsigned i = 0; i < 200; ++i) second.load(1, 0x8000 + i * 128, 16);
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
  for (const test::TrafficGenerator* generator : {&first, &second}) {
    EXPECT_EQ(generator->done(), generator->accesses.size());
    EXPECT_EQ(generator->stale(), 0U);
  }
  EXPECT_TRUE(timed.done && of_texture.done && crossing.done);
  EXPECT_EQ(timed.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(crossing.payload.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_TRUE(arbiter.idle());
  EXPECT_EQ(above.violations() + below.violations(), 0U);
}

}  // namespace
}  // namespace heddle
