#include <gtest/gtest.h>

#include "workloads/ptx/program/cfg.h"

namespace heddle::ptx {
namespace {

constexpr Flow kNext{Flow::Kind::kNext, 0};
constexpr Flow kExit{Flow::Kind::kExit, 0};
constexpr Flow kTrap{Flow::Kind::kTrap, 0};
Flow jump(std::uint32_t target) { return {Flow::Kind::kJump, target}; }
Flow branch(std::uint32_t target) { return {Flow::Kind::kBranch, target}; }

TEST(PtxCfg, IfJoinsBehindIt) {
  // 0: if (p) goto 2;  1: body;  2: exit
  const ControlFlowGraph graph({branch(2), kNext, kExit});
  EXPECT_EQ(2U, graph.reconvergence(0));
}

TEST(PtxCfg, IfElseJoinsBehindBoth) {
  const ControlFlowGraph graph({branch(3), kNext, jump(4), kNext, kNext, kExit});
  EXPECT_EQ(4U, graph.reconvergence(0));
}

TEST(PtxCfg, NestedIfsJoinInnerFirst) {
  // 0: outer -> 5; 1: inner -> 3; 2: ; 3: ; 4: ; 5: exit
  const ControlFlowGraph graph({branch(5), branch(3), kNext, kNext, kNext, kExit});
  EXPECT_EQ(5U, graph.reconvergence(0));
  EXPECT_EQ(3U, graph.reconvergence(1));
}

TEST(PtxCfg, LoopsJoinBehindTheLoop) {
  // 0: ; 1: body; 2: loop to 1; 3: exit
  const ControlFlowGraph graph({kNext, kNext, branch(1), kExit});
  EXPECT_EQ(3U, graph.reconvergence(2));
}

TEST(PtxCfg, BreakJoinsBehindTheLoop) {
  // 0: ; 1: break to 4; 2: ; 3: loop to 1; 4: exit
  const ControlFlowGraph graph({kNext, branch(4), kNext, branch(1), kExit});
  EXPECT_EQ(4U, graph.reconvergence(1));
  EXPECT_EQ(4U, graph.reconvergence(3));
}

TEST(PtxCfg, TwoExitsJoinOnlyAtTheEnd) {
  const ControlFlowGraph graph({branch(2), kExit, kNext, kExit});
  EXPECT_EQ(4U, graph.reconvergence(0));
}

TEST(PtxCfg, TargetBehindTheLastOperationIsTheEnd) {
  const ControlFlowGraph graph({branch(2), kNext});
  EXPECT_EQ(2U, graph.reconvergence(0));
}

TEST(PtxCfg, PathsThatTrapDoNotCount) {
  // 0: if (ok) goto 2; 1: trap; 2: exit
  const ControlFlowGraph graph({branch(2), kTrap, kExit});
  EXPECT_EQ(2U, graph.reconvergence(0));
}

TEST(PtxCfg, EndlessLoopStillJoinsInside) {
  // 0: if -> 2; 1: ; 2: ; 3: goto 0; nothing leaves.
  const ControlFlowGraph graph({branch(2), kNext, kNext, jump(0)});
  EXPECT_EQ(2U, graph.reconvergence(0));
}

TEST(PtxCfg, EndlessLoopBesideAnExit) {
  // 0: if -> 3; 1: ; 2: goto 1 for ever; 3: exit
  const ControlFlowGraph graph({branch(3), kNext, jump(1), kExit});
  EXPECT_EQ(4U, graph.reconvergence(0));
}

TEST(PtxCfg, UnreachableCodeIsAnalysedToo) {
  // 0: exit; 1: dead if -> 3; 2: ; 3: exit
  const ControlFlowGraph graph({kExit, branch(3), kNext, kExit});
  EXPECT_EQ(3U, graph.reconvergence(1));
  EXPECT_EQ((std::vector<std::uint32_t>{0}), graph.reachable());
}

TEST(PtxCfg, IrreducibleLoopJoinsBehindIt) {
  // 0: enter the loop in the middle, at 3; 1: ; 2: ; 3: ; 4: loop to 1; 5: exit
  const ControlFlowGraph graph({branch(3), kNext, kNext, kNext, branch(1), kExit});
  EXPECT_EQ(3U, graph.reconvergence(0));
  EXPECT_EQ(5U, graph.reconvergence(4));
}

TEST(PtxCfg, BlocksEndAtJumpsAndTargets) {
  const ControlFlowGraph graph({kNext, branch(3), kNext, kNext, kExit});
  ASSERT_EQ(3U, graph.blocks().size());
  EXPECT_EQ(2U, graph.blocks()[0].end);
  EXPECT_EQ(3U, graph.blocks()[1].end);
  EXPECT_EQ((std::vector<std::uint32_t>{1, 2}), graph.blocks()[0].successors);
}

}  // namespace
}  // namespace heddle::ptx
