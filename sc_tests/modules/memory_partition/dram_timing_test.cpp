#include "modules/memory_partition/dram_timing.h"

#include <gtest/gtest.h>

#include "sc_tests/modules/memory_partition/dram_controller_bench.h"

namespace heddle::test {
namespace {

TEST(DramTiming, ReadsTRcdAfterActivate) {
  DramConfig config = loose();
  config.tRCD = 9;
  DramBench bench(config);
  bench.at(1, 0, 5);
  EXPECT_EQ(bench.run(30), (Trace{{"ACT 0", 1}, {"RD 0", 10}}));
}

TEST(DramTiming, WritesTRcdwrAfterActivate) {
  DramConfig config = loose();
  config.tRCD = 20;
  config.tRCDWR = 7;
  DramBench bench(config);
  bench.at(1, 0, 5, true);
  EXPECT_EQ(bench.run(30), (Trace{{"ACT 0", 1}, {"WR 0", 8}}));
}

TEST(DramTiming, ActivatesTRpAfterPrecharge) {
  DramConfig config = loose();
  config.tRP = 11;
  DramBench bench(config);
  bench.at(1, 0, 5);
  bench.at(20, 0, 6);
  EXPECT_EQ(bench.run(50), (Trace{{"ACT 0", 1}, {"RD 0", 2}, {"PRE 0", 20}, {"ACT 0", 31}, {"RD 0", 32}}));
}

TEST(DramTiming, PrechargesTRasAfterActivate) {
  DramConfig config = loose();
  config.tRAS = 17;
  DramBench bench(config);
  bench.at(1, 0, 5);
  bench.at(1, 0, 6);
  EXPECT_EQ(bench.run(50), (Trace{{"ACT 0", 1}, {"RD 0", 2}, {"PRE 0", 18}, {"ACT 0", 19}, {"RD 0", 20}}));
}

TEST(DramTiming, ActivatesTRcAfterActivateOfTheSameBank) {
  DramConfig config = loose();
  config.tRC = 23;
  DramBench bench(config);
  bench.at(1, 0, 5);
  bench.at(1, 0, 6);
  bench.at(3, 1, 6);
  EXPECT_EQ(
      bench.run(50),
      (Trace{
          {"ACT 0", 1}, {"RD 0", 2}, {"ACT 1", 3}, {"PRE 0", 4}, {"RD 1", 5}, {"ACT 0", 24}, {"RD 0", 25}}));
}

TEST(DramTiming, ActivatesTRrdAfterActivateOfAnotherBank) {
  DramConfig config = loose();
  config.tRRD = 6;
  DramBench bench(config);
  bench.at(1, 0, 5);
  bench.at(1, 9, 5);
  EXPECT_EQ(bench.run(50), (Trace{{"ACT 0", 1}, {"RD 0", 2}, {"ACT 9", 7}, {"RD 9", 8}}));
}

TEST(DramTiming, SpacesColumnCommandsByTCcd) {
  DramConfig config = loose();
  config.tCCD = 5;
  DramBench bench(config);
  bench.at(1, 0, 5);
  bench.at(1, 0, 5);
  EXPECT_EQ(bench.run(50), (Trace{{"ACT 0", 1}, {"RD 0", 2}, {"RD 0", 7}}));
}

TEST(DramTiming, NeverSpacesColumnCommandsCloserThanABurst) {
  DramConfig config = loose();
  config.tCCD = 1;
  config.burst_length = 16;  // four clocks
  DramBench bench(config);
  bench.at(1, 0, 5, false, 3);
  EXPECT_EQ(bench.run(50), (Trace{{"ACT 0", 1}, {"RD 0", 2}, {"RD 0", 6}, {"RD 0", 10}}));
}

TEST(DramTiming, SpacesColumnCommandsOfAGroupByTCcdl) {
  DramConfig config = loose();
  config.tCCD = 2;
  config.tCCDL = 7;
  DramBench bench(config);
  bench.at(1, 0, 5);  // group 0
  bench.at(2, 4, 5);  // group 0
  bench.at(3, 1, 5);  // group 1
  bench.at(4, 2, 5);  // group 2
  EXPECT_EQ(bench.run(30), (Trace{{"ACT 0", 1},
                                  {"RD 0", 2},
                                  {"ACT 4", 2},
                                  {"ACT 1", 3},
                                  {"RD 1", 4},
                                  {"ACT 2", 5},
                                  {"RD 2", 6},
                                  {"RD 4", 9}}));
}

TEST(DramTiming, TurnsFromWriteToReadAfterTheDataAndTCdlr) {
  DramConfig config = loose();
  config.tCDLR = 5;  // + tWL 4 + burst 2
  DramBench bench(config);
  bench.at(1, 0, 5, true);
  bench.at(1, 0, 5);
  EXPECT_EQ(bench.run(30), (Trace{{"ACT 0", 1}, {"WR 0", 2}, {"RD 0", 13}}));
}

TEST(DramTiming, TurnsFromReadToWriteWithTwoIdleBusClocks) {
  DramConfig config = loose();
  config.tCL = 12;  // + burst 2 + 2 - tWL 4
  DramBench bench(config);
  bench.at(1, 0, 5);
  bench.at(1, 0, 5, true);
  EXPECT_EQ(bench.run(30), (Trace{{"ACT 0", 1}, {"RD 0", 2}, {"WR 0", 14}}));
}

TEST(DramTiming, PrechargesAfterWriteRecovery) {
  DramConfig config = loose();
  config.tWR = 12;  // + tWL 4 + burst 2
  DramBench bench(config);
  bench.at(1, 0, 5, true);
  bench.at(1, 0, 6, true);
  EXPECT_EQ(bench.run(50), (Trace{{"ACT 0", 1}, {"WR 0", 2}, {"PRE 0", 20}, {"ACT 0", 21}, {"WR 0", 22}}));
}

TEST(DramTiming, PrechargesTRtplAfterRead) {
  DramConfig config = loose();
  config.tRTPL = 8;
  DramBench bench(config);
  bench.at(1, 0, 5);
  bench.at(1, 0, 6);
  EXPECT_EQ(bench.run(50), (Trace{{"ACT 0", 1}, {"RD 0", 2}, {"PRE 0", 10}, {"ACT 0", 11}, {"RD 0", 12}}));
}

// gtx480.md, "DRAM": derived RTW 12, WTR 11, WTP 18, atom 64 B in 2 clocks.
TEST(DramTiming, DerivesTheTurnaroundsOfTheReference) {
  const DramTiming timing((DramConfig()));
  EXPECT_EQ(timing.read_to_write, 12U);
  EXPECT_EQ(timing.write_to_read, 11U);
  EXPECT_EQ(timing.write_to_precharge, 18U);
  EXPECT_EQ(timing.atom_bytes, 64U);
  EXPECT_EQ(timing.burst_cycles, 2U);
  EXPECT_EQ(timing.read_latency, 14U);
}

TEST(DramTiming, NeighbouringSectorsOfAWriteShareAnAtom) {
  DramConfig config;  // atoms of 64 bytes: two sectors
  EXPECT_EQ(DramTiming(config).write_bursts(0b1111), 2U);
  EXPECT_EQ(DramTiming(config).write_bursts(0b0110), 2U);
  EXPECT_EQ(DramTiming(config).write_bursts(0b0011), 1U);
  config.bus_bytes = 2;  // atoms of 16 bytes: a sector takes two
  EXPECT_EQ(DramTiming(config).write_bursts(0b0011), 4U);
}

TEST(DramTiming, AnAtomLargerThanALineIsOneBurstOfIt) {
  DramConfig config;
  config.bus_bytes = 128;
  for (const unsigned burst_length : {2U, 8U, 64U}) {  // atoms of 256, 1024 and 8192 bytes
    config.burst_length = burst_length;
    EXPECT_EQ(DramTiming(config).write_bursts(0b1111), 1U) << burst_length;
    EXPECT_EQ(DramTiming(config).write_bursts(0b1000), 1U) << burst_length;
    EXPECT_EQ(DramTiming(config).write_bursts(0), 0U) << burst_length;
    EXPECT_EQ(DramTiming(config).read_accesses(0b1000) * DramTiming(config).bursts_per_access, 1U)
        << burst_length;
  }
}

TEST(DramTiming, SectorAccessesTakeWholeAtomsUnlessConfiguredLarger) {
  DramConfig config;
  EXPECT_EQ(DramTiming(config).read_accesses(0b1111) * DramTiming(config).bursts_per_access, 4U);
  config.access_bytes = 64;
  EXPECT_EQ(DramTiming(config).read_accesses(0b1111) * DramTiming(config).bursts_per_access, 2U);
  EXPECT_EQ(DramTiming(config).read_accesses(0b0110) * DramTiming(config).bursts_per_access, 2U);
  EXPECT_EQ(DramTiming(config).read_accesses(0b0011) * DramTiming(config).bursts_per_access, 1U);
  config.access_bytes = 128;
  EXPECT_EQ(DramTiming(config).read_accesses(0b0001) * DramTiming(config).bursts_per_access, 2U);
}

}  // namespace
}  // namespace heddle::test
