#include "modules/memory_partition/dram_controller.h"

#include <gtest/gtest.h>

#include <deque>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace heddle {
namespace {

/// A command as "ACT 3", "PRE 3", "RD 3", "WR 3" with its cycle.
struct Issued {
  std::string command;
  Cycle cycle;
  bool operator==(const Issued& other) const { return command == other.command && cycle == other.cycle; }
};
std::ostream& operator<<(std::ostream& out, const Issued& issued) {
  return out << issued.command << " @" << issued.cycle;
}

/// Steps a controller with requests of one burst each.
class Bench {
 public:
  explicit Bench(const DramConfig& config = DramConfig()) : controller(config) {}

  /// Enters the controller at `cycle`; calls in order of the cycle.
  void at(Cycle cycle, unsigned bank, std::uint64_t row, bool write = false, unsigned bursts = 1) {
    DramRequest& request = requests_.emplace_back();
    request.bank = static_cast<std::uint16_t>(bank);
    request.row = row;
    request.write = write;
    request.bursts_left = static_cast<std::uint16_t>(bursts);
    request.credits = static_cast<std::uint16_t>(write ? 1 : bursts);
    request.due = cycle;
  }
  std::vector<Issued> run(Cycle cycles) {
    std::vector<Issued> issued;
    std::size_t next = 0;
    for (Cycle now = 1; now <= cycles; ++now) {
      for (; next < requests_.size() && requests_[next].due <= now; ++next) controller.push(requests_[next]);
      const DramCommands commands = controller.step(now, false);
      if (commands.column != nullptr) {
        const DramRequest& request = *commands.column;
        issued.push_back({(request.write ? "WR " : "RD ") + std::to_string(request.bank), now});
        if (request.bursts_left == 0) order.push_back(static_cast<std::size_t>(index_of(request)));
      }
      if (commands.row == RowCommand::kActivate) {
        issued.push_back({"ACT " + std::to_string(commands.row_for->bank), now});
      }
      if (commands.row == RowCommand::kPrecharge) {
        issued.push_back({"PRE " + std::to_string(commands.row_for->bank), now});
      }
    }
    return issued;
  }
  std::size_t index_of(const DramRequest& wanted) const {
    std::size_t index = 0;
    while (&requests_[index] != &wanted) ++index;
    return index;
  }

  DramController controller;
  std::vector<std::size_t> order;  ///< requests in order of their last burst

 private:
  std::deque<DramRequest> requests_;
};

using Trace = std::vector<Issued>;

/// A configuration in which only the rules that a test sets hold anything up.
DramConfig loose() {
  DramConfig config;
  config.tCL = 4;
  config.tWL = 4;
  config.tRP = config.tRC = config.tRAS = config.tRCD = config.tRCDWR = config.tRRD = 1;
  config.tCDLR = config.tWR = config.tCCD = config.tCCDL = config.tRTPL = 0;
  return config;
}

TEST(DramController, ReadsTRcdAfterActivate) {
  DramConfig config = loose();
  config.tRCD = 9;
  Bench bench(config);
  bench.at(1, 0, 5);
  EXPECT_EQ(bench.run(30), (Trace{{"ACT 0", 1}, {"RD 0", 10}}));
}

TEST(DramController, WritesTRcdwrAfterActivate) {
  DramConfig config = loose();
  config.tRCD = 20;
  config.tRCDWR = 7;
  Bench bench(config);
  bench.at(1, 0, 5, true);
  EXPECT_EQ(bench.run(30), (Trace{{"ACT 0", 1}, {"WR 0", 8}}));
}

TEST(DramController, ActivatesTRpAfterPrecharge) {
  DramConfig config = loose();
  config.tRP = 11;
  Bench bench(config);
  bench.at(1, 0, 5);
  bench.at(20, 0, 6);
  EXPECT_EQ(bench.run(50), (Trace{{"ACT 0", 1}, {"RD 0", 2}, {"PRE 0", 20}, {"ACT 0", 31}, {"RD 0", 32}}));
}

TEST(DramController, PrechargesTRasAfterActivate) {
  DramConfig config = loose();
  config.tRAS = 17;
  Bench bench(config);
  bench.at(1, 0, 5);
  bench.at(1, 0, 6);
  EXPECT_EQ(bench.run(50), (Trace{{"ACT 0", 1}, {"RD 0", 2}, {"PRE 0", 18}, {"ACT 0", 19}, {"RD 0", 20}}));
}

TEST(DramController, ActivatesTRcAfterActivateOfTheSameBank) {
  DramConfig config = loose();
  config.tRC = 23;
  Bench bench(config);
  bench.at(1, 0, 5);
  bench.at(1, 0, 6);
  bench.at(3, 1, 6);
  EXPECT_EQ(
      bench.run(50),
      (Trace{
          {"ACT 0", 1}, {"RD 0", 2}, {"ACT 1", 3}, {"RD 1", 4}, {"PRE 0", 4}, {"ACT 0", 24}, {"RD 0", 25}}));
}

TEST(DramController, ActivatesTRrdAfterActivateOfAnotherBank) {
  DramConfig config = loose();
  config.tRRD = 6;
  Bench bench(config);
  bench.at(1, 0, 5);
  bench.at(1, 9, 5);
  EXPECT_EQ(bench.run(50), (Trace{{"ACT 0", 1}, {"RD 0", 2}, {"ACT 9", 7}, {"RD 9", 8}}));
}

TEST(DramController, SpacesColumnCommandsByTCcd) {
  DramConfig config = loose();
  config.tCCD = 5;
  Bench bench(config);
  bench.at(1, 0, 5);
  bench.at(1, 0, 5);
  EXPECT_EQ(bench.run(50), (Trace{{"ACT 0", 1}, {"RD 0", 2}, {"RD 0", 7}}));
}

TEST(DramController, NeverSpacesColumnCommandsCloserThanABurst) {
  DramConfig config = loose();
  config.tCCD = 1;
  config.burst_length = 16;  // four clocks
  Bench bench(config);
  bench.at(1, 0, 5, false, 3);
  EXPECT_EQ(bench.run(50), (Trace{{"ACT 0", 1}, {"RD 0", 2}, {"RD 0", 6}, {"RD 0", 10}}));
}

TEST(DramController, SpacesColumnCommandsOfAGroupByTCcdl) {
  DramConfig config = loose();
  config.tCCD = 2;
  config.tCCDL = 7;
  Bench bench(config);
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

TEST(DramController, TurnsFromWriteToReadAfterTheDataAndTCdlr) {
  DramConfig config = loose();
  config.tCDLR = 5;  // + tWL 4 + burst 2
  Bench bench(config);
  bench.at(1, 0, 5, true);
  bench.at(1, 0, 5);
  EXPECT_EQ(bench.run(30), (Trace{{"ACT 0", 1}, {"WR 0", 2}, {"RD 0", 13}}));
}

TEST(DramController, TurnsFromReadToWriteWithTwoIdleBusClocks) {
  DramConfig config = loose();
  config.tCL = 12;  // + burst 2 + 2 - tWL 4
  Bench bench(config);
  bench.at(1, 0, 5);
  bench.at(1, 0, 5, true);
  EXPECT_EQ(bench.run(30), (Trace{{"ACT 0", 1}, {"RD 0", 2}, {"WR 0", 14}}));
}

TEST(DramController, PrechargesAfterWriteRecovery) {
  DramConfig config = loose();
  config.tWR = 12;  // + tWL 4 + burst 2
  Bench bench(config);
  bench.at(1, 0, 5, true);
  bench.at(1, 0, 6, true);
  EXPECT_EQ(bench.run(50), (Trace{{"ACT 0", 1}, {"WR 0", 2}, {"PRE 0", 20}, {"ACT 0", 21}, {"WR 0", 22}}));
}

TEST(DramController, PrechargesTRtplAfterRead) {
  DramConfig config = loose();
  config.tRTPL = 8;
  Bench bench(config);
  bench.at(1, 0, 5);
  bench.at(1, 0, 6);
  EXPECT_EQ(bench.run(50), (Trace{{"ACT 0", 1}, {"RD 0", 2}, {"PRE 0", 10}, {"ACT 0", 11}, {"RD 0", 12}}));
}

// gtx480.md, "DRAM": derived RTW 12, WTR 11, WTP 18, atom 64 B in 2 clocks.
TEST(DramController, DerivesTheTurnaroundsOfTheReference) {
  const DramTiming timing((DramConfig()));
  EXPECT_EQ(timing.read_to_write, 12U);
  EXPECT_EQ(timing.write_to_read, 11U);
  EXPECT_EQ(timing.write_to_precharge, 18U);
  EXPECT_EQ(timing.atom_bytes, 64U);
  EXPECT_EQ(timing.burst_cycles, 2U);
  EXPECT_EQ(timing.read_latency, 14U);
}

TEST(DramController, NeighbouringSectorsOfAWriteShareAnAtom) {
  DramConfig config;  // atoms of 64 bytes: two sectors
  EXPECT_EQ(DramTiming(config).write_bursts(0b1111), 2U);
  EXPECT_EQ(DramTiming(config).write_bursts(0b0110), 2U);
  EXPECT_EQ(DramTiming(config).write_bursts(0b0011), 1U);
  config.bus_bytes = 2;  // atoms of 16 bytes: a sector takes two
  EXPECT_EQ(DramTiming(config).write_bursts(0b0011), 4U);
}

TEST(DramController, SectorAccessesTakeWholeAtomsUnlessConfiguredLarger) {
  DramConfig config;
  EXPECT_EQ(DramTiming(config).read_accesses(0b1111) * DramTiming(config).bursts_per_access, 4U);
  config.access_bytes = 64;
  EXPECT_EQ(DramTiming(config).read_accesses(0b1111) * DramTiming(config).bursts_per_access, 2U);
  EXPECT_EQ(DramTiming(config).read_accesses(0b0110) * DramTiming(config).bursts_per_access, 2U);
  EXPECT_EQ(DramTiming(config).read_accesses(0b0011) * DramTiming(config).bursts_per_access, 1U);
  config.access_bytes = 128;
  EXPECT_EQ(DramTiming(config).read_accesses(0b0001) * DramTiming(config).bursts_per_access, 2U);
}

TEST(DramController, FrFcfsServesTheOpenRowFirstThenTheOldest) {
  Bench bench;
  bench.at(1, 0, 5);  // 0
  bench.at(2, 0, 6);  // 1
  bench.at(3, 0, 7);  // 2
  bench.at(4, 0, 5);  // 3: hits the open row, overtakes 1 and 2
  bench.at(5, 0, 5);  // 4
  bench.run(300);
  EXPECT_EQ(bench.order, (std::vector<std::size_t>{0, 3, 4, 1, 2}));
  EXPECT_EQ(bench.controller.counts().row_misses, 1U);
  EXPECT_EQ(bench.controller.counts().row_hits, 2U);
  EXPECT_EQ(bench.controller.counts().row_conflicts, 2U);
}

TEST(DramController, FrFcfsKeepsARowChangeThatItHasBegun) {
  Bench bench;
  bench.at(1, 0, 5);   // 0: read at 13, so row 5 may close from 29 on
  bench.at(14, 0, 6);  // 1: given to the bank at 14
  bench.at(20, 0, 5);  // 2: too late
  bench.run(300);
  EXPECT_EQ(bench.order, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(DramController, FcfsMovesDataInOrderOfArrivalButOpensRowsAhead) {
  DramConfig config;
  config.scheduling = DramScheduling::kFcfs;
  Bench bench(config);
  bench.at(1, 0, 5);  // 0
  bench.at(1, 0, 6);  // 1: closes and opens
  bench.at(1, 1, 5);  // 2: ready long before 1
  bench.at(1, 0, 6);  // 3
  const Trace trace = bench.run(300);
  EXPECT_EQ(bench.order, (std::vector<std::size_t>{0, 1, 2, 3}));
  // tRC 40 decides over tRAS 28 + tRP 12 at the same clock: ACT at 41, read at 53.
  EXPECT_EQ(trace, (Trace{{"ACT 0", 1},
                          {"ACT 1", 7},
                          {"RD 0", 13},
                          {"PRE 0", 29},
                          {"ACT 0", 41},
                          {"RD 0", 53},
                          {"RD 1", 55},
                          {"RD 0", 57}}));
}

TEST(DramController, OneColumnCommandAndARowCommandAheadOfItShareAClock) {
  DramConfig config = loose();
  Bench bench(config);
  bench.at(1, 3, 5);
  bench.at(2, 5, 5);  // in turn after the activate of bank 3, so ahead of it
  EXPECT_EQ(bench.run(10), (Trace{{"ACT 3", 1}, {"RD 3", 2}, {"ACT 5", 2}, {"RD 5", 4}}));
}

TEST(DramController, ARowCommandBehindAColumnCommandWaits) {
  Bench bench(loose());
  bench.at(1, 3, 5);
  bench.at(1, 3, 5);
  bench.at(2, 5, 5);  // the turn passes to bank 6
  bench.at(4, 4, 5);  // bank 3 reads at 4 and comes before bank 4
  EXPECT_EQ(
      bench.run(8),
      (Trace{{"ACT 3", 1}, {"RD 3", 2}, {"ACT 5", 2}, {"RD 3", 4}, {"ACT 4", 5}, {"RD 5", 6}, {"RD 4", 8}}));
}

// gtx480.md, "DRAM": one bank gets a new request per cycle (round robin).
TEST(DramController, OneBankAClockIsGivenAnAccess) {
  Bench bench(loose());
  bench.at(1, 3, 5);   // the turn passes to bank 4
  bench.at(10, 3, 5);  // its row is open, but bank 5 comes first: given at 11
  bench.at(10, 5, 7);
  EXPECT_EQ(bench.run(20), (Trace{{"ACT 3", 1}, {"RD 3", 2}, {"ACT 5", 10}, {"RD 3", 11}, {"RD 5", 13}}));
}

TEST(DramController, TheTurnMovesOnWithEachAccess) {
  Bench bench(loose());
  bench.at(1, 0, 5);
  bench.at(1, 1, 5);
  constexpr unsigned kReads = 30;
  for (unsigned i = 0; i < kReads; ++i) {
    bench.at(20, 0, 5);
    bench.at(20, 1, 5);
  }
  const Trace trace = bench.run(200);
  std::string banks;
  for (const Issued& issued : trace) {
    if (issued.cycle >= 20) banks += issued.command.back();
  }
  // Bank 1 was opened last, so bank 2 is the first in turn, and bank 0 comes before bank 1 until 15 accesses
  // have been given: one to bank 1, and the last one to bank 0 only now.
  EXPECT_EQ(banks.substr(0, 14), "00000000000001");
  EXPECT_EQ(banks.size(), 2U * kReads);
}

TEST(DramController, APlaceIsFreeWhenItsAccessIsGiven) {
  DramController controller((DramConfig()));
  DramRequest read;
  read.bursts_left = 4;
  read.credits = 4;
  DramRequest write;
  write.bank = 1;
  write.write = true;
  write.bursts_left = 2;
  write.credits = 1;
  controller.push(read);
  controller.push(write);
  EXPECT_EQ(controller.queued(), 5U);
  controller.step(1, false);  // the first access of the read
  EXPECT_EQ(controller.queued(), 4U);
  controller.step(2, false);  // the write
  EXPECT_EQ(controller.queued(), 3U);
  Cycle now = 3;
  for (; controller.step(now, false).column != &read; ++now) EXPECT_EQ(controller.queued(), 3U);
  EXPECT_EQ(controller.queued(), 3U);
  controller.step(now + 1, false);
  EXPECT_EQ(controller.queued(), 2U);
}

TEST(DramController, HoldsReadsButNotWritesOnDemand) {
  DramController controller((DramConfig()));
  DramRequest read;
  read.bank = 0;
  read.bursts_left = 1;
  DramRequest write;
  write.bank = 1;
  write.bursts_left = 1;
  write.write = true;
  controller.push(read);
  controller.push(write);
  unsigned columns = 0;
  for (Cycle now = 1; now <= 100; ++now) {
    const DramCommands commands = controller.step(now, true);
    if (commands.column != nullptr) {
      EXPECT_EQ(commands.column, &write);
      ++columns;
    }
  }
  EXPECT_EQ(columns, 1U);
  const Cycle turned = 101;
  EXPECT_EQ(controller.step(turned, false).column, &read);
}

TEST(DramController, StreamsRowHitsAtTheBusRate) {
  Bench bench;
  for (unsigned i = 0; i < 200; ++i) bench.at(1, i % 4, 0);
  const Trace trace = bench.run(500);
  Cycle first = 0;
  Cycle last = 0;
  for (const Issued& issued : trace) {
    if (issued.command[0] != 'R') continue;
    if (first == 0) first = issued.cycle;
    last = issued.cycle;
  }
  EXPECT_EQ(bench.order.size(), 200U);
  EXPECT_LE(last - first, 199U * 2 + 30);  // the other rows open while the first row is read
  EXPECT_GE(last - first, 199U * 2);
}

/// Replays a trace against the rules, independently of how the controller keeps them.
void expect_legal(const Trace& trace, const DramConfig& c) {
  struct Last {
    long act = -1000, pre = -1000, rd = -1000, wr = -1000;
  };
  const long burst = 2;
  std::vector<Last> bank(c.banks);
  Last any;
  std::vector<long> group(c.bank_groups, -1000);
  for (const Issued& issued : trace) {
    const long t = static_cast<long>(issued.cycle);
    const auto b = static_cast<unsigned>(std::stoul(issued.command.substr(3)));
    const char kind = issued.command[0];
    Last& l = bank[b];
    if (kind == 'A') {
      EXPECT_GE(t - l.act, long{c.tRC});
      EXPECT_GE(t - l.pre, long{c.tRP});
      EXPECT_GE(t - any.act, long{c.tRRD});
      l.act = any.act = t;
    } else if (kind == 'P') {
      EXPECT_GE(t - l.act, long{c.tRAS});
      EXPECT_GE(t - l.rd, long{c.tRTPL});
      EXPECT_GE(t - l.wr, long{c.tWL} + burst + long{c.tWR});
      l.pre = t;
    } else {
      EXPECT_GE(t - std::max(any.rd, any.wr), long{c.tCCD});
      EXPECT_GE(t - group[b % c.bank_groups], long{c.tCCDL});
      group[b % c.bank_groups] = t;
      if (kind == 'R') {
        EXPECT_GE(t - l.act, long{c.tRCD});
        EXPECT_GE(t - any.wr, long{c.tWL} + burst + long{c.tCDLR});
        l.rd = any.rd = t;
      } else {
        EXPECT_GE(t - l.act, long{c.tRCDWR});
        EXPECT_GE(t - any.rd, long{c.tCL} + burst + 2 - long{c.tWL});
        l.wr = any.wr = t;
      }
    }
  }
}

TEST(DramController, RandomTrafficKeepsEveryRuleAndServesEverything) {
  std::mt19937 random(7);
  for (const DramScheduling scheduling : {DramScheduling::kFrFcfs, DramScheduling::kFcfs}) {
    DramConfig config;
    config.scheduling = scheduling;
    Bench bench(config);
    for (unsigned i = 0; i < 400; ++i) {
      bench.at(1 + i * 7, random() % 16, random() % 3, random() % 3 == 0, 1 + random() % 4);
    }
    const Trace trace = bench.run(40000);
    EXPECT_EQ(bench.order.size(), 400U);
    EXPECT_TRUE(bench.controller.empty());
    expect_legal(trace, config);
    const DramController::Counts& counts = bench.controller.counts();
    EXPECT_EQ(counts.row_hits + counts.row_misses + counts.row_conflicts, 400U);
    EXPECT_EQ(counts.activates, counts.row_misses + counts.row_conflicts);
    EXPECT_EQ(counts.precharges, counts.row_conflicts);
  }
}

TEST(DramController, NothingHappensBetweenTheCyclesThatItNames) {
  std::mt19937 random(9);
  DramController every((DramConfig()));
  DramController named((DramConfig()));
  std::deque<DramRequest> a;
  std::deque<DramRequest> b;
  Cycle next = 1;
  for (Cycle now = 1; now <= 20000; ++now) {
    const bool arrival = now < 10000 && random() % 11 == 0;
    if (arrival) {
      DramRequest request;
      request.bank = static_cast<std::uint16_t>(random() % 16);
      request.row = random() % 2;
      request.write = random() % 4 == 0;
      request.bursts_left = 2;
      every.push(a.emplace_back(request));
      named.push(b.emplace_back(request));
    }
    const DramCommands one = every.step(now, false);
    DramCommands two;
    if (arrival || now >= next) {
      two = named.step(now, false);
      next = named.next_step(now);
    }
    ASSERT_EQ(one.row, two.row) << now;
    ASSERT_EQ(one.column == nullptr, two.column == nullptr) << now;
    if (one.column != nullptr) {
      ASSERT_EQ(one.column->sequence, two.column->sequence);
    }
  }
  EXPECT_TRUE(every.empty());
  EXPECT_TRUE(named.empty());
}

TEST(DramController, RefusesBankCountsThatItCanNotNumber) {
  DramConfig config;
  config.banks = 12;
  EXPECT_THROW(DramController{config}, std::invalid_argument);
  config.banks = 16;
  config.bank_groups = 32;
  EXPECT_THROW(DramController{config}, std::invalid_argument);
}

}  // namespace
}  // namespace heddle
