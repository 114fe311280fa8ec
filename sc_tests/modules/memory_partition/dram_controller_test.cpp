#include "modules/memory_partition/dram_controller.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sc_tests/modules/memory_partition/dram_controller_bench.h"

namespace heddle::test {
namespace {

TEST(DramController, FrFcfsServesTheOpenRowFirstThenTheOldest) {
  DramBench bench;
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
  DramBench bench;
  bench.at(1, 0, 5);   // 0: read at 13, so row 5 may close from 29 on
  bench.at(14, 0, 6);  // 1: given to the bank at 14
  bench.at(20, 0, 5);  // 2: too late
  bench.run(300);
  EXPECT_EQ(bench.order, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(DramController, FcfsMovesDataInOrderOfArrivalButOpensRowsAhead) {
  DramConfig config;
  config.scheduling = DramScheduling::kFcfs;
  DramBench bench(config);
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
  DramBench bench(config);
  bench.at(1, 3, 5);
  bench.at(2, 5, 5);  // in turn after the activate of bank 3, so ahead of it
  EXPECT_EQ(bench.run(10), (Trace{{"ACT 3", 1}, {"RD 3", 2}, {"ACT 5", 2}, {"RD 5", 4}}));
}

TEST(DramController, ARowCommandBehindAColumnCommandWaits) {
  DramBench bench(loose());
  bench.at(1, 3, 5);
  bench.at(1, 3, 5);
  bench.at(2, 5, 5);  // the turn passes to bank 6
  bench.at(4, 4, 5);  // bank 3 reads at 4 and comes before bank 4
  EXPECT_EQ(
      bench.run(8),
      (Trace{{"ACT 3", 1}, {"RD 3", 2}, {"ACT 5", 2}, {"RD 3", 4}, {"ACT 4", 5}, {"RD 5", 6}, {"RD 4", 8}}));
}

// gtx480.md, "DRAM": the walk over the banks goes on from where the row command turned it to.
TEST(DramController, ARowCommandPassesAsManyBanksOverAsWereAheadOfIt) {
  const auto reads_of_8 = [](unsigned bank) {
    DramConfig config = loose();
    config.tCCD = 5;  // columns at 2 and from 7 on
    DramBench bench(config);
    bench.at(1, 8, 5);
    bench.at(4, 8, 5);
    bench.at(7, bank, 5);  // given at 7, when bank 11 is the first in turn and bank 8 the 14th
    std::vector<Cycle> cycles;
    for (const Issued& issued : bench.run(12)) {
      if (issued.command == "RD 8") cycles.push_back(issued.cycle);
    }
    return cycles;
  };
  // Five banks ahead of bank 0: the five after it are passed over, and bank 8 is the first of those that are
  // not.
  EXPECT_EQ(reads_of_8(0), (std::vector<Cycle>{2, 7}));
  EXPECT_EQ(reads_of_8(1), (std::vector<Cycle>{2, 8}));
}

// gtx480.md, "DRAM": one bank gets a new request per cycle (round robin).
TEST(DramController, OneBankAClockIsGivenAnAccess) {
  DramBench bench(loose());
  bench.at(1, 3, 5);   // the turn passes to bank 4
  bench.at(10, 3, 5);  // its row is open, but bank 5 comes first: given at 11
  bench.at(10, 5, 7);
  EXPECT_EQ(bench.run(20), (Trace{{"ACT 3", 1}, {"RD 3", 2}, {"ACT 5", 10}, {"RD 3", 11}, {"RD 5", 13}}));
}

TEST(DramController, TheTurnMovesOnWithEachAccess) {
  DramBench bench(loose());
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
  EXPECT_EQ(controller.queued(1), 5U);
  controller.step(1, false);  // the first access of the read
  EXPECT_EQ(controller.queued(2), 4U);
  controller.step(2, false);  // the write
  EXPECT_EQ(controller.queued(3), 3U);
  Cycle now = 3;
  for (; controller.step(now, false).column != &read; ++now) EXPECT_EQ(controller.queued(now + 1), 3U);
  EXPECT_EQ(controller.queued(now + 1), 3U);
  controller.step(now + 1, false);
  EXPECT_EQ(controller.queued(now + 2), 2U);
}

TEST(DramController, HoldsReadsButNotWritesOnDemand) {
  DramController controller((DramConfig()));
  DramRequest read;
  read.bank = 0;
  read.bursts_left = read.credits = 1;
  DramRequest write;
  write.bank = 1;
  write.bursts_left = write.credits = 1;
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
  DramBench bench;
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
    DramBench bench(config);
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

/// One controller that steps at every cycle, and one at those that it names only, with the same requests.
struct SteppedTwice {
  static constexpr Cycle kCycles = 20000;
  DramController every{DramConfig()};
  DramController named{DramConfig()};
  std::uint64_t named_steps = 0;

  /// `knows_arrivals`: the second is told whether a request comes at the next cycle.
  void run(bool knows_arrivals) {
    std::mt19937 random(9);
    std::vector<bool> arrives(kCycles + 2);
    for (Cycle now = 1; now < kCycles / 2; ++now) arrives[now] = random() % 11 == 0;
    std::deque<DramRequest> a;
    std::deque<DramRequest> b;
    Cycle next = 1;
    std::uint64_t every_sum = 0;
    std::uint64_t named_sum = 0;
    Cycle summed_until = 0;
    for (Cycle now = 1; now <= kCycles; ++now) {
      every_sum += every.queued(now);
      const bool steps = arrives[now] || now >= next;
      if (steps) {
        named_sum += named.queued_sum(summed_until, now);
        summed_until = now;
        ASSERT_EQ(every_sum, named_sum) << now;
      }
      if (arrives[now]) {
        DramRequest request;
        request.bank = static_cast<std::uint16_t>(random() % 16);
        request.row = random() % 2;
        request.write = random() % 4 == 0;
        request.bursts_left = 2;
        request.credits = request.write ? 1 : 2;
        every.push(a.emplace_back(request));
        named.push(b.emplace_back(request));
      }
      ASSERT_EQ(every.queued(now), named.queued(now)) << now;
      const DramCommands one = every.step(now, false);
      DramCommands two;
      if (steps) {
        const bool none_comes = knows_arrivals && !arrives[now + 1];
        two = named.step(now, false, none_comes ? DramController::kNoPush : DramController::kAnyPush);
        next = named.next_step(now);
        ++named_steps;
      }
      ASSERT_EQ(one.row, two.row) << now;
      ASSERT_EQ(one.column == nullptr, two.column == nullptr) << now;
      if (one.column != nullptr) {
        ASSERT_EQ(one.column->sequence, two.column->sequence);
      }
    }
    EXPECT_TRUE(every.empty());
    EXPECT_TRUE(named.empty());
    EXPECT_EQ(every.queued(kCycles + 1), 0U);
  }
};

TEST(DramController, NothingHappensBetweenTheCyclesThatItNames) {
  SteppedTwice unknown;
  unknown.run(false);
  SteppedTwice known;
  known.run(true);
  EXPECT_LT(unknown.named_steps, SteppedTwice::kCycles / 2);
  EXPECT_LT(known.named_steps, unknown.named_steps);
}

TEST(DramController, GivesAheadUnlessAPushMayComeBefore) {
  const auto next_step_with = [](int queued_for_push) {
    DramController controller((DramConfig()));
    DramRequest other;
    other.bank = 1;
    other.bursts_left = 1;
    other.credits = 1;
    DramRequest read;
    read.bursts_left = 2;
    read.credits = 2;
    controller.push(read);
    controller.push(other);
    controller.step(1, false, queued_for_push);
    return controller.next_step(1);
  };
  // Two accesses are left at cycle 2, when `other` is given its own.
  EXPECT_EQ(next_step_with(2), 2U);
  EXPECT_GT(next_step_with(1), 2U);
  EXPECT_GT(next_step_with(DramController::kNoPush), 2U);
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
}  // namespace heddle::test
