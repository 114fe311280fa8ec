#include "workloads/ptx/program/registers.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::ptx {
namespace {

constexpr Flow kGoOn{Flow::Kind::kNext, 0};
constexpr Flow kEnd{Flow::Kind::kExit, 0};

ControlFlowGraph straight(std::size_t count) {
  std::vector<Flow> flow(count, kGoOn);
  flow.back() = kEnd;
  return ControlFlowGraph(flow);
}

RegisterUse use(std::vector<std::uint32_t> reads, std::vector<std::uint32_t> writes, bool disjoint = false) {
  return {std::move(reads), std::move(writes), disjoint};
}

TEST(PtxRegisters, ReusesASlotAfterTheLastRead) {
  // a = ; b = a; c = b
  const auto found =
      assign_registers({32, 32, 32}, {use({}, {0}), use({0}, {1}), use({1}, {2})}, straight(3));
  EXPECT_EQ(2U, found.num_slots);  // even
  EXPECT_EQ(found.slot[0], found.slot[1]);
}

TEST(PtxRegisters, LiveTogetherNeverShare) {
  // a = ; b = ; c = a + b
  const auto found =
      assign_registers({32, 32, 32}, {use({}, {0}), use({}, {1}), use({0, 1}, {2})}, straight(3));
  EXPECT_NE(found.slot[0], found.slot[1]);
}

TEST(PtxRegisters, UnwrittenRegistersAreApart) {
  const auto found = assign_registers({32, 32}, {use({0, 1}, {})}, straight(1));
  EXPECT_NE(found.slot[0], found.slot[1]);
}

TEST(PtxRegisters, DisjointOperationsKeepSourceAndDestinationApart) {
  const auto found = assign_registers({32, 32}, {use({}, {0}), use({0}, {1}, true)}, straight(2));
  EXPECT_NE(found.slot[0], found.slot[1]);
  EXPECT_EQ(2U, found.num_slots);
}

TEST(PtxRegisters, DifferentWidthsDoNotOverlapInOneInstruction) {
  // wide = narrow
  const auto found = assign_registers({32, 64}, {use({}, {0}), use({0}, {1})}, straight(2));
  EXPECT_EQ(0U, found.slot[1] % 2);
  EXPECT_NE(found.slot[1], found.slot[0]);
  EXPECT_NE(found.slot[1] + 1, found.slot[0]);
}

TEST(PtxRegisters, SeveralDestinationsDiffer) {
  const auto found = assign_registers({32, 32, 1}, {use({}, {0, 1, 2}, true)}, straight(1));
  EXPECT_NE(found.slot[0], found.slot[1]);
  EXPECT_EQ(1U, found.num_predicates);
}

TEST(PtxRegisters, AnUnreadResultOverwritesNothingAlive) {
  // a = ; b = (unread); use a
  const auto found = assign_registers({32, 32}, {use({}, {0}), use({}, {1}), use({0}, {})}, straight(3));
  EXPECT_NE(found.slot[0], found.slot[1]);
}

TEST(PtxRegisters, LoopKeepsWhatItReadsAgain) {
  // 0: a = ; 1: b = ; 2: c = a (c dead); 3: b = b + 1; 4: if goto 2; 5: exit
  const std::vector<Flow> flow = {kGoOn, kGoOn, kGoOn, kGoOn, {Flow::Kind::kBranch, 2}, kEnd};
  const auto found = assign_registers(
      {32, 32, 32, 1},
      {use({}, {0}), use({}, {1}), use({0}, {2}), use({1}, {1, 3}, true), use({3}, {}), use({}, {})},
      ControlFlowGraph(flow));
  EXPECT_NE(found.slot[0], found.slot[1]);
  EXPECT_NE(found.slot[0], found.slot[2]);
  EXPECT_NE(found.slot[1], found.slot[2]);
}

TEST(PtxRegisters, GuardedWriteKeepsTheOldValueAlive) {
  // a = ; b = ; @p b2: writes a only where the guard holds, so a stays alive across the write of b
  const auto guarded = assign_registers(
      {32, 32, 1}, {use({}, {0}), use({}, {1}), use({2, 0}, {0}), use({0, 1}, {})}, straight(4));
  EXPECT_NE(guarded.slot[0], guarded.slot[1]);
  // The same without the guard: the first a is dead when b is written.
  const auto plain =
      assign_registers({32, 32, 1}, {use({}, {0}), use({0}, {}), use({}, {1}), use({1}, {})}, straight(4));
  EXPECT_EQ(plain.slot[0], plain.slot[1]);
}

TEST(PtxRegisters, BranchesMayShareBetweenThem) {
  // 0: if goto 3; 1: a = ; 2: use a, goto 5; 3: b = ; 4: use b; 5: exit
  const std::vector<Flow> flow = {
      {Flow::Kind::kBranch, 3}, kGoOn, {Flow::Kind::kJump, 5}, kGoOn, kGoOn, kEnd};
  const auto found = assign_registers(
      {32, 32, 1}, {use({2}, {}), use({}, {0}), use({0}, {}), use({}, {1}), use({1}, {}), use({}, {})},
      ControlFlowGraph(flow));
  EXPECT_EQ(found.slot[0], found.slot[1]);
}

TEST(PtxRegisters, SinglesFillHalvesOfPairs) {
  // Four singles and two pairs alive at once fit into eight slots without a gap.
  const auto found = assign_registers({32, 64, 16, 64, 8, 32},
                                      {use({}, {0}), use({}, {1}), use({}, {2}), use({}, {3}), use({}, {4}),
                                       use({}, {5}), use({0, 1, 2, 3, 4, 5}, {})},
                                      straight(7));
  EXPECT_EQ(8U, found.num_slots);
  EXPECT_EQ(0U, found.slot[1] % 2);
  EXPECT_EQ(0U, found.slot[3] % 2);
}

TEST(PtxRegisters, KnowsWhatMayBeReadUnwritten) {
  // 0: if p goto 2; 1: a = ; 2: use a, b; 3: c = ; 4: use c; 5: @p d = ; 6: use d; 7: exit
  const std::vector<Flow> flow = {{Flow::Kind::kBranch, 2}, kGoOn, kGoOn, kGoOn, kGoOn, kGoOn, kGoOn, kEnd};
  auto found = assign_registers({32, 64, 32, 32, 1},
                                {use({4}, {}), use({}, {0}), use({0, 1}, {}), use({}, {2}), use({2}, {}),
                                 use({4, 3}, {3}), use({3}, {}), use({}, {})},
                                ControlFlowGraph(flow));
  std::sort(found.read_unwritten.begin(), found.read_unwritten.end());
  EXPECT_EQ(found.read_unwritten, (std::vector<std::uint32_t>{0, 1, 3, 4}));
  // A loop that reads what its turn before wrote: the first turn finds nothing.
  const auto loop = assign_registers({32, 1}, {use({0}, {0, 1}, true), use({1}, {}), use({}, {})},
                                     ControlFlowGraph({kGoOn, {Flow::Kind::kBranch, 0}, kEnd}));
  EXPECT_EQ(loop.read_unwritten, (std::vector<std::uint32_t>{0}));
}

}  // namespace
}  // namespace heddle::ptx
