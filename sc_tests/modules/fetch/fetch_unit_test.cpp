#include "modules/fetch/fetch_unit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "sc_tests/support/stat_table.h"
#include "sc_tests/support/stub_memory.h"

namespace heddle {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using testing::StubMemory;

constexpr std::uint64_t kCode = 0x1000;

class FetchUnitTest : public ::testing::Test, private DecodeListener {
 protected:
  void build(const FetchConfig& config = {}, Cycle memory_latency = 10) {
    clock_ = std::make_unique<ClockDomain>("clock", sc_core::sc_time(1, sc_core::SC_NS));
    fetch_ = std::make_unique<FetchUnit>("fetch", *clock_, config, 3, 48);
    memory_ = std::make_unique<StubMemory>("memory", *clock_, memory_latency);
    fetch_->icache.memory.socket.bind(memory_->port.socket);
    fetch_->set_listener(*this);
  }
  void run_to(Cycle cycle) {
    sc_core::sc_start(sc_core::sc_time(static_cast<double>(cycle) + 0.5, sc_core::SC_NS) -
                      sc_core::sc_time_stamp());
    clock_->rethrow_fault();
  }
  /// The warp runs `instructions` from `address`; its first fetch is at the next edge.
  void start(unsigned warp, std::uint64_t address, unsigned instructions) {
    fetch_->start(warp, address, address + std::uint64_t{instructions} * Instruction::kBytes);
    fetch_->wake();
  }
  /// Loads the line of `address` into the cache by a warp that then stops.
  Cycle warm(std::uint64_t address) {
    start(47, address, 1);
    run_to(50);
    EXPECT_EQ(decoded_.size(), 1U);
    fetch_->stop(47);
    decoded_.clear();
    return 50;
  }
  void empty(unsigned warp) {
    while (fetch_->buffered(warp) != 0) fetch_->consume(warp);
    fetch_->wake();
  }

  std::unique_ptr<ClockDomain> clock_;
  std::unique_ptr<FetchUnit> fetch_;
  std::unique_ptr<StubMemory> memory_;
  std::vector<std::pair<Cycle, unsigned>> decoded_;  ///< cycle, warp

 private:
  void decoded(unsigned warp) override { decoded_.emplace_back(clock_->cycle(), warp); }
};

TEST_F(FetchUnitTest, AHitIsDecodedInTheNextCycle) {
  build();
  const Cycle now = warm(kCode);
  start(5, kCode, 8);
  run_to(now + 1);
  EXPECT_EQ(fetch_->buffered(5), 0U);  // fetched at now + 1
  run_to(now + 2);
  EXPECT_THAT(decoded_, ElementsAre(Pair(now + 2, 5U)));
  EXPECT_EQ(fetch_->buffered(5), 2U);
}

TEST_F(FetchUnitTest, OneWarpPerCycleRoundRobin) {
  build();
  const Cycle now = warm(kCode);
  start(9, kCode, 8);
  start(2, kCode, 8);
  start(4, kCode, 8);
  run_to(now + 20);
  // 47 was fetched last: 2 is the next in turn.
  EXPECT_THAT(decoded_, ElementsAre(Pair(now + 2, 2U), Pair(now + 3, 4U), Pair(now + 4, 9U)));
  decoded_.clear();
  empty(4);
  empty(2);
  run_to(now + 40);
  EXPECT_THAT(decoded_, ElementsAre(Pair(now + 22, 2U), Pair(now + 23, 4U)));
}

TEST_F(FetchUnitTest, RefillsOnlyAnEmptyBuffer) {
  build();
  const Cycle now = warm(kCode);
  start(0, kCode, 8);
  run_to(now + 5);
  fetch_->consume(0);
  fetch_->wake();
  run_to(now + 10);
  EXPECT_EQ(fetch_->buffered(0), 1U);
  empty(0);
  run_to(now + 11);
  EXPECT_EQ(fetch_->buffered(0), 0U);
  run_to(now + 12);
  EXPECT_EQ(fetch_->buffered(0), 2U);
}

TEST_F(FetchUnitTest, NeverFetchesAcrossALineNorBeyondTheCode) {
  build();
  const Cycle now = warm(kCode);
  start(0, kCode + 120, 8);  // the last instruction of the line
  start(1, kCode + 8, 1);
  run_to(now + 5);
  EXPECT_EQ(fetch_->buffered(0), 1U);
  EXPECT_EQ(fetch_->buffered(1), 1U);
  EXPECT_EQ(memory_->requests.size(), 1U);
  empty(0);  // goes on in the next line: a miss
  run_to(now + 8);
  ASSERT_EQ(memory_->requests.size(), 2U);
  EXPECT_EQ(memory_->requests[1].second, kCode + 128);
}

TEST_F(FetchUnitTest, ARedirectDropsTheBuffer) {
  build();
  const Cycle now = warm(kCode);
  start(0, kCode, 8);
  run_to(now + 5);
  fetch_->redirect(0, kCode + 56);
  fetch_->wake();
  EXPECT_EQ(fetch_->buffered(0), 0U);
  run_to(now + 10);
  EXPECT_EQ(fetch_->buffered(0), 1U);  // the last of eight
}

TEST_F(FetchUnitTest, AMissWaitsForItsLineWithoutHoldingUpOthers) {
  build({}, 100);
  start(0, kCode, 4);
  run_to(200);
  ASSERT_EQ(decoded_.size(), 1U);
  decoded_.clear();
  start(1, kCode + 128, 4);
  start(2, kCode, 4);
  run_to(203);
  EXPECT_THAT(decoded_, ElementsAre(Pair(203, 2U)));  // 1 missed at 201, 2 was fetched at 202
  EXPECT_EQ(fetch_->missing(), warp_bit(1));
  run_to(400);
  // 201 miss, 202 sent, 203 seen, 303 answered, 304 seen, 305 filled and fetched, 306 decoded.
  ASSERT_EQ(decoded_.size(), 2U);
  EXPECT_THAT(decoded_[1], Pair(306, 1U));
}

TEST_F(FetchUnitTest, WarpsOfOneLineShareAMissAndRefusedOnesTryAgain) {
  FetchConfig config;
  config.mshr_entries = 1;
  build(config, 20);
  start(0, kCode, 4);
  start(1, kCode, 4);
  start(2, kCode + 128, 4);
  run_to(10);
  EXPECT_EQ(memory_->requests.size(), 1U);
  EXPECT_EQ(fetch_->missing(), WarpMask{7});
  run_to(100);
  EXPECT_EQ(memory_->requests.size(), 2U);
  EXPECT_EQ(decoded_.size(), 3U);
  EXPECT_EQ(fetch_->missing(), WarpMask{0});
}

// gtx480.md, "SM pipeline": a line that has come goes to its warps before any other is fetched.
TEST_F(FetchUnitTest, ALineGoesToItsWarpsOneACycleInTheOrderOfTheirMisses) {
  build({}, 10);
  const Cycle now = warm(kCode);
  start(9, kCode + 128, 2);  // misses first, since 47 was fetched last and 9 comes before 20
  run_to(now + 1);
  start(20, kCode + 128, 2);
  start(3, kCode + 128, 2);
  run_to(now + 13);
  start(30, kCode, 4);  // there, and wants to be fetched from now + 14 on
  run_to(now + 14);
  start(31, kCode, 4);
  run_to(now + 40);
  // Missed at 1, filled at 15: 30 at 14, the three of the line at 15 to 17, then 31 and the next of 30.
  EXPECT_THAT(decoded_, ElementsAre(Pair(now + 15, 30U), Pair(now + 16, 9U), Pair(now + 17, 20U),
                                    Pair(now + 18, 3U), Pair(now + 19, 31U)));
}

TEST_F(FetchUnitTest, AnMshrIsInUseUntilTheLastOfItsWarpsHasTheLine) {
  FetchConfig config;
  config.mshr_entries = 1;
  build(config, 10);
  start(0, kCode, 2);
  start(1, kCode, 2);
  start(2, kCode, 2);
  start(3, kCode + 128, 2);
  run_to(18);  // filled at 15, delivered at 15 to 17, free at 18: 3 misses then
  EXPECT_EQ(memory_->requests.size(), 1U);
  run_to(40);
  // Missed at 18, filled at 32, decoded at 33.
  EXPECT_THAT(decoded_, ElementsAre(Pair(16, 0U), Pair(17, 1U), Pair(18, 2U), Pair(33, 3U)));
}

TEST_F(FetchUnitTest, ARefusedWarpTakesItsTurnForNothing) {
  FetchConfig config;
  config.mshr_entries = 1;
  build(config, 30);
  const Cycle now = warm(kCode);
  start(0, kCode + 128, 2);  // misses at 1
  run_to(now + 1);
  start(1, kCode + 256, 2);  // finds no MSHR at 2, and 4, and 6
  start(2, kCode, 16);       // fetched at 3, then every other cycle
  for (Cycle at = now + 2; at < now + 12; ++at) {
    run_to(at);
    empty(2);
  }
  EXPECT_THAT(decoded_,
              ElementsAre(Pair(now + 4, 2U), Pair(now + 6, 2U), Pair(now + 8, 2U), Pair(now + 10, 2U)));
}

TEST_F(FetchUnitTest, AsManyWarpsWaitForALineAsTheMshrHasRoomFor) {
  FetchConfig config;
  config.mshr_merges = 2;
  build(config, 10);
  for (const unsigned warp : {0U, 1U, 2U}) start(warp, kCode, 2);
  run_to(60);
  // 0 and 1 wait, 2 is refused from 3 to 14; the line comes at 15, and 2 finds it after them.
  EXPECT_THAT(decoded_, ElementsAre(Pair(16, 0U), Pair(17, 1U), Pair(18, 2U)));
  const auto figures = test::statistics(*fetch_).values;
  EXPECT_EQ(figures.at("refusals"), 12U);
  EXPECT_EQ(figures.at("icache.hits"), 1U);
}

TEST_F(FetchUnitTest, TurnsOfRefusedWarpsAreTheSameAsleepAndAwake) {
  FetchConfig config;
  config.mshr_entries = 1;
  build(config, 37);
  start(0, kCode, 2);
  for (const unsigned warp : {3U, 5U, 8U}) start(warp, kCode + 128 * (warp + 1), 2);
  run_to(300);
  // 0 misses at 1; 3, 5, 8 are refused in turn at 2 to 41; the line comes at 42 and goes to 0. Forty turns
  // are 13 rounds and one of 3: so 5 misses at 43, is there at 84, and the next are 8 and 3.
  std::vector<unsigned> order;
  for (const auto& [cycle, warp] : decoded_) order.push_back(warp);
  EXPECT_THAT(order, ElementsAre(0U, 5U, 8U, 3U));
}

TEST_F(FetchUnitTest, TurnsAsleepGoOnBehindTheRefusedWarpThatHadTheLast) {
  FetchConfig config;
  config.mshr_entries = 1;
  build(config, 37);
  start(0, kCode, 2);        // misses at 1
  start(3, kCode + 128, 2);  // is refused at 2, and from 4 on asleep
  start(8, kCode, 2);        // waits from 3 on for the line of 0
  run_to(10);
  start(5, kCode + 256, 2);  // comes behind 3, so in turn at 11, 13 and so on
  run_to(300);
  // The line comes at 42 and goes to 0 and 8. The last turn was that of 5, at 41: 3 misses at 44.
  std::vector<unsigned> order;
  for (const auto& [cycle, warp] : decoded_) order.push_back(warp);
  EXPECT_THAT(order, ElementsAre(0U, 8U, 3U, 5U));
}

TEST_F(FetchUnitTest, AStoppedWarpIsNotFetched) {
  build();
  const Cycle now = warm(kCode);
  start(0, kCode, 8);
  run_to(now + 5);
  decoded_.clear();
  fetch_->stop(0);
  fetch_->wake();
  run_to(now + 20);
  EXPECT_TRUE(decoded_.empty());
}

TEST_F(FetchUnitTest, RequestsAreMarkedAsInstructionReads) {
  build();
  std::vector<MemoryRequest> ended;
  fetch_->icache.completed.listen([&](const MemoryRequest& request) { ended.push_back(request); });
  start(0, kCode, 4);
  run_to(50);
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(ended[0].requester, Requester::kL1i);
  EXPECT_EQ(ended[0].kind, RequestKind::kInstruction);
  EXPECT_EQ(ended[0].sm, 3U);
}

TEST_F(FetchUnitTest, RejectsABufferThatHoldsNothing) {
  FetchConfig config;
  config.ibuffer_entries = 0;
  EXPECT_THROW(build(config), std::invalid_argument);
}

TEST_F(FetchUnitTest, RejectsMoreThanItCanCount) {
  FetchConfig config;
  config.fetch_bytes = 4096;
  config.ibuffer_entries = 256;
  EXPECT_THROW(build(config), std::invalid_argument);
}

TEST_F(FetchUnitTest, EveryFetchIsCountedByItsOutcome) {
  FetchConfig config;
  config.mshr_entries = 1;
  build(config);
  start(0, kCode, 2);
  start(1, kCode, 2);        // waits for the same line
  start(2, kCode + 128, 1);  // finds no MSHR at 3 to 14; the first line's warps take theirs at 15 and 16
  run_to(100);
  EXPECT_EQ(decoded_.size(), 3U);
  EXPECT_EQ(test::statistics(*fetch_).values,
            (std::map<std::string, std::uint64_t>{{"fetches", 3},
                                                  {"instructions", 2 + 2 + 1},
                                                  {"misses", 2 + 1},
                                                  {"refusals", 12},
                                                  {"icache.hits", 0},
                                                  {"icache.pending_hits", 1},
                                                  {"icache.misses", 2}}));
}

}  // namespace
}  // namespace heddle
