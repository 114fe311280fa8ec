// What a DRAM channel counts of its requests.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "modules/memory_partition/dram_channel.h"
#include "modules/messages/tick_order.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/stat_table.h"

namespace heddle::test {
namespace {

TEST(DramCounts, RequestsCommandsRowsAndCyclesOfAKnownStream) {
  DramConfig config;
  config.channels = 1;
  ClockDomain clock("clock", ns(1));
  StubInitiator initiator("initiator", clock, tick_order::kExecute, 64);
  const AddressMap map(AddressMapConfig(), L2Config(), config);
  DramChannel channel("channel", clock, config, map, 1, 64, ns(1), nullptr);
  initiator.port.socket.bind(channel.ports[0].socket);
  const auto place = [&map](unsigned bank, std::uint64_t row) {
    MemoryLocation location;
    location.bank = bank;
    location.row = row;
    return map.address_of(location);
  };
  initiator.at(10, place(0, 0));                                           // four accesses to a closed row
  initiator.at(1000, place(0, 0) + 64, RequestKind::kLoad, kSectorBytes);  // the same row
  initiator.at(2000, place(0, 1), RequestKind::kLoad, kSectorBytes);       // another one of the bank
  initiator.at(3000, place(1, 0), RequestKind::kStore, kSectorBytes);      // another bank
  sc_core::sc_start(ns(4000.5));
  ASSERT_EQ(initiator.responses.size(), 4U);
  StatTable stats = statistics(channel);
  const std::uint64_t bursts = 6 + 1;
  const std::uint64_t busy = 2 * bursts;  // command clocks of a burst
  const auto take = [&stats](const char* name) {
    const std::uint64_t value = stats.values.at(name);
    stats.values.erase(name);
    return value;
  };
  const std::uint64_t waiting = take("cycles_waiting");
  EXPECT_EQ(waiting + take("cycles_idle"), 4000 - busy);
  // A bank has one access at a time: three of the line wait for the cycle after the column command of the one
  // before, which are tCCDL apart.
  EXPECT_EQ(take("queue_sum"), 3 * (config.tRCD + 1) + (0 + 1 + 2) * config.tCCDL);
  EXPECT_EQ(stats.levels.at("queue_peak"), 4);
  EXPECT_DOUBLE_EQ(stats.levels.at("efficiency"),
                   static_cast<double>(busy) / static_cast<double>(busy + waiting));
  EXPECT_EQ(stats.values, (std::map<std::string, std::uint64_t>{{"reads", 3},
                                                                {"writes", 1},
                                                                {"accesses", 4 + 1 + 1 + 1},
                                                                {"activates", 3},
                                                                {"precharges", 1},
                                                                {"read_bursts", 6},
                                                                {"write_bursts", 1},
                                                                {"data_bytes", bursts * 64},
                                                                {"row_hits", 1},
                                                                {"row_misses", 2},
                                                                {"row_conflicts", 1},
                                                                {"cycles_busy", busy},
                                                                {"cycles", 4000}}));
}

}  // namespace
}  // namespace heddle::test
