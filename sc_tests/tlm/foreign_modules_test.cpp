#include "tlm/foreign_modules.h"

#include <gtest/gtest.h>

#include "sc_tests/support/kernel_time.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/plain_bridge.h"
#include "tlm/protocol_checker.h"

namespace heddle::test {
namespace {

using Names = std::vector<std::string>;

/// An initiator and a target of ours, on a clock that is told to run ahead for a microsecond.
struct Hop {
  Hop() {
    tree.run_ahead();
    for (unsigned i = 0; i < 20; ++i) initiator.at(5 + 7 * i, i * kLineBytes);
  }
  void run() {
    tree.edge_handled.listen([this] { time.look(); });
    sc_core::sc_start(ns(900));
    EXPECT_EQ(initiator.responses.size(), 20U);
    EXPECT_GT(time.looks, 500U);
  }
  Horizon horizon{"horizon", ns(1000)};
  ClockTree tree{"tree"};
  ClockDomain clock{"clock", ns(1), true, &tree};
  KernelTime time{clock};
  StubInitiator initiator{"initiator", clock};
  StubTarget target{"target", clock, 3};
};

TEST(ForeignModules, BlocksOfOursAloneRunAhead) {
  Hop hop;
  hop.initiator.port.socket.bind(hop.target.port.socket);
  hop.run();
  EXPECT_EQ(socket_peers().foreign, Names{});
  EXPECT_GT(hop.time.wrong, 500U);
  EXPECT_EQ(sc_core::sc_find_object("target.tick"), nullptr);
}

TEST(ForeignModules, OneInAHopHasBlocksTickByProcessesAtTheKernelsTime) {
  Hop hop;
  PlainBridge bridge("bridge");
  hop.initiator.port.socket.bind(bridge.in);
  bridge.out.bind(hop.target.port.socket);
  KernelTime in_bridge(hop.clock);
  bridge.called = [&] { in_bridge.look(); };
  hop.run();
  EXPECT_EQ(socket_peers().foreign, (Names{"initiator.port"}));
  EXPECT_EQ(hop.time.wrong, 0U);
  for (const char* process : {"initiator.tick", "target.tick"}) {
    EXPECT_TRUE(sc_core::sc_process_handle(sc_core::sc_find_object(process)).valid()) << process;
  }
  EXPECT_GE(in_bridge.looks, 40U);
  EXPECT_EQ(in_bridge.wrong, 0U);
}

TEST(ForeignModules, AProtocolCheckerIsNoneButHasTheRightTime) {
  Hop hop;
  ProtocolChecker checker("checker");
  hop.initiator.port.socket.bind(checker.from_initiator);
  checker.to_target.bind(hop.target.port.socket);
  hop.run();
  EXPECT_EQ(socket_peers().foreign, Names{});
  EXPECT_EQ(hop.time.wrong, 0U);
}

TEST(ForeignModules, OneIsSeenThroughAProtocolChecker) {
  Hop hop;
  ProtocolChecker checker("checker");
  PlainBridge bridge("bridge");
  ProtocolChecker second("second");
  hop.initiator.port.socket.bind(checker.from_initiator);
  checker.to_target.bind(bridge.in);
  bridge.out.bind(second.from_initiator);
  second.to_target.bind(hop.target.port.socket);
  hop.run();
  EXPECT_EQ(socket_peers().foreign, (Names{"checker.to_target"}));
  EXPECT_EQ(hop.time.wrong, 0U);
}

/// A module with a socket of ours round a block.
struct Shell : sc_core::sc_module {
  Shell(const sc_core::sc_module_name& name, ClockDomain& clock)
      : sc_module(name), socket("socket"), target("target", clock, 3) {
    socket.bind(target.port.socket);
  }
  MemoryTargetSocket socket;
  StubTarget target;
};

TEST(ForeignModules, ASocketBoundThroughAnotherIsNamedOnceByTheOuterOne) {
  Hop hop;
  Shell shell("shell", hop.clock);
  PlainBridge bridge("bridge");
  hop.initiator.port.socket.bind(hop.target.port.socket);
  bridge.out.bind(shell.socket);
  StubInitiator other("other", hop.clock);
  other.port.socket.bind(bridge.in);
  hop.run();
  EXPECT_EQ(socket_peers().foreign, (Names{"shell.socket"}));
  EXPECT_EQ(hop.time.wrong, 0U);
}

}  // namespace
}  // namespace heddle::test
