#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "sc_tests/modules/ldst_unit/ldst_bench.h"

namespace heddle {
namespace {

using bench::LdstDesign;
using bench::run_to;

constexpr LaneMask kTwoLanes = 3;
constexpr std::uint64_t kLine = 64;

/// Lines come 100 cycles after they were asked for: read at t, requested t + 1, answered t + 101, seen by the
/// cache t + 102, present from t + 103 on; who waited has the write-back slot from t + 104 on.
class LdstConstant : public ::testing::Test {
 protected:
  LdstDesign& design(const LdstConfig& ldst = {}) {
    GpuConfig config;
    config.ldst = ldst;
    design_ = std::make_unique<LdstDesign>(config);
    design_->constants->latency = 100;
    return *design_;
  }
  /// Reads `offset` by lane 0 and `offset` + `stride` by lane 1.
  static WarpInstruction& two(LdstDesign& design, Cycle cycle, std::uint64_t offset, std::uint64_t stride) {
    return design.access(cycle, MemOp::kLoad, Space::kParam, offset, stride, kTwoLanes);
  }

 private:
  std::unique_ptr<LdstDesign> design_;
};

TEST_F(LdstConstant, AMissWaitsForItsLineAndAHitForNothing) {
  LdstDesign& rig = design();
  const WarpInstruction& miss = rig.param(10, 4);
  const WarpInstruction& hit = rig.param(200, 60);
  const WarpInstruction& other_line = rig.param(300, kLine);
  run_to(rig.domain, 500);
  ASSERT_EQ(rig.constants->seen.size(), 2U);
  EXPECT_EQ(rig.constants->seen[0].cycle, 12U);
  EXPECT_EQ(rig.constants->seen[0].address, 0x10000U);
  EXPECT_EQ(rig.completed(miss), 115U);
  EXPECT_FALSE(miss.direct);
  EXPECT_EQ(rig.completed(hit), 201U);
  EXPECT_TRUE(hit.direct);
  EXPECT_EQ(rig.completed(other_line), 405U);
  auto stats = rig.statistics();
  EXPECT_EQ(stats["cycles.constant_miss"], 0U);
  EXPECT_EQ(stats["cycles.progress"], 3U);
  EXPECT_EQ(stats["constant_cache.misses"], 2U);
  EXPECT_EQ(stats["constant_cache.hits"], 1U);
}

TEST_F(LdstConstant, AMissDoesNotHoldTheUnit) {
  LdstDesign& rig = design();
  rig.param(10, 0);
  const WarpInstruction& shared = rig.shared(11);
  run_to(rig.domain, 60);
  EXPECT_EQ(rig.completed(shared), 12U + 26);
}

TEST_F(LdstConstant, TheLineIsNotPresentAtT102) {
  LdstDesign& rig = design();
  rig.param(10, 0);
  const WarpInstruction& second = rig.param(112, 4);
  run_to(rig.domain, 200);
  EXPECT_EQ(rig.completed(second), 116U);  // joined, and has the slot after the first
  EXPECT_FALSE(second.direct);
}

TEST_F(LdstConstant, TheLineIsPresentAtT103) {
  LdstDesign& rig = design();
  rig.param(10, 0);
  const WarpInstruction& second = rig.param(113, 4);
  run_to(rig.domain, 200);
  EXPECT_EQ(rig.completed(second), 114U);
  EXPECT_TRUE(second.direct);
}

TEST_F(LdstConstant, ReadsOfAMissingLineComeOneACycleBesideHits) {
  LdstDesign& rig = design();
  std::vector<const WarpInstruction*> waiting;
  for (Cycle c = 10; c < 15; ++c) waiting.push_back(&rig.param(c, 0));
  const WarpInstruction& hit = rig.param(115, 0);
  run_to(rig.domain, 200);
  for (unsigned i = 0; i < waiting.size(); ++i) EXPECT_EQ(rig.completed(*waiting[i]), 115 + i);
  EXPECT_EQ(rig.completed(hit), 116U);  // as the second of those that waited: it takes no slot
  auto stats = rig.statistics();
  EXPECT_EQ(stats["constant_cache.misses"], 1U);
  EXPECT_EQ(stats["constant_cache.pending_hits"], 4U);
  EXPECT_EQ(stats["results"], 6U);
}

TEST_F(LdstConstant, AFullEntryHoldsTheUnitUntilItsLineIsThere) {
  LdstConfig ldst;
  ldst.constant_mshr_merges = 2;
  LdstDesign& rig = design(ldst);
  rig.param(10, 0);
  rig.param(11, 0);
  const WarpInstruction& third = rig.param(12, 0);
  run_to(rig.domain, 200);
  EXPECT_EQ(rig.completed(third), 114U);
  EXPECT_EQ(rig.statistics()["cycles.constant_miss"], 114U - 13);
}

TEST_F(LdstConstant, WithoutAFreeEntryAMissHoldsTheUnitUntilALineIsThere) {
  LdstConfig ldst;
  ldst.constant_mshr_entries = 1;
  LdstDesign& rig = design(ldst);
  rig.param(10, 0);
  const WarpInstruction& other_line = rig.param(11, kLine);
  run_to(rig.domain, 300);
  ASSERT_EQ(rig.constants->seen.size(), 2U);
  EXPECT_EQ(rig.constants->seen[1].cycle, 115U);  // read at 114
  EXPECT_EQ(rig.completed(other_line), 114U + 104);
  EXPECT_EQ(rig.statistics()["cycles.constant_miss"], 114U - 12);
}

TEST_F(LdstConstant, AnInstructionWaitsForAllItsLines) {
  LdstDesign& rig = design();
  const WarpInstruction& both = two(rig, 10, 0, kLine);  // read at 11 and 12
  run_to(rig.domain, 200);
  EXPECT_EQ(rig.completed(both), 12U + 104);
  EXPECT_EQ(rig.statistics()["results"], 1U);
}

TEST_F(LdstConstant, OneThatIsStillReadingIsNotComplete) {
  LdstConfig ldst;
  ldst.constant_mshr_merges = 2;
  LdstDesign& rig = design(ldst);
  rig.param(10, 0);
  rig.param(50, kLine);
  rig.param(51, kLine);
  // Joins the first line's entry at 53; the second line's is full until 154.
  const WarpInstruction& last = two(rig, 52, 0, kLine);
  run_to(rig.domain, 153);
  EXPECT_EQ(rig.completed(last), 0U);
  run_to(rig.domain, 200);
  EXPECT_EQ(rig.completed(last), 51U + 103);
  EXPECT_TRUE(rig.unit->idle());
}

TEST_F(LdstConstant, WordsOfALineAreOneRead) {
  LdstDesign& rig = design();
  rig.param(10, 0);
  const WarpInstruction& four = rig.access(200, MemOp::kLoad, Space::kParam, 0, 4, 0xFU);
  const WarpInstruction& next = rig.param(201, 0);
  run_to(rig.domain, 300);
  EXPECT_EQ(rig.completed(four), 201U);
  EXPECT_EQ(rig.completed(next), 202U);
  EXPECT_EQ(rig.statistics()["cycles.coalescing"], 0U);
}

TEST_F(LdstConstant, LinesTakeTurns) {
  LdstDesign& rig = design();
  rig.param(10, 0);
  rig.param(11, kLine);
  // Lanes 0 and 1 read the first line, lanes 2 and 3 the second.
  const WarpInstruction& four = rig.access(200, MemOp::kLoad, Space::kParam, 0, kLine / 2, 0xFU);
  run_to(rig.domain, 300);
  EXPECT_EQ(rig.completed(four), 201U + 1);
  EXPECT_EQ(rig.statistics()["cycles.coalescing"], 1U);
}

TEST_F(LdstConstant, DistinctWordsTakeTurnsWhenTheyHaveTo) {
  LdstConfig ldst;
  ldst.constant_word_turns = true;
  LdstDesign& rig = design(ldst);
  rig.param(10, 0);
  const WarpInstruction& four = rig.access(200, MemOp::kLoad, Space::kParam, 0, 4, 0xFU);
  const WarpInstruction& next = rig.param(201, 0);
  run_to(rig.domain, 300);
  EXPECT_EQ(rig.completed(four), 201U + 3);
  EXPECT_EQ(rig.completed(next), 205U);
  EXPECT_EQ(rig.statistics()["cycles.coalescing"], 3U);
}

TEST_F(LdstConstant, ConstantsHaveAbsoluteAddresses) {
  LdstDesign& rig = design();
  rig.access(10, MemOp::kLoad, Space::kConst, 0xC0000100, 0);
  run_to(rig.domain, 60);
  ASSERT_EQ(rig.constants->seen.size(), 1U);
  EXPECT_EQ(rig.constants->seen[0].address, 0xC0000100U);
  EXPECT_EQ(rig.constants->seen[0].request.kind, RequestKind::kConstant);
}

TEST_F(LdstConstant, RefusesEntriesWithoutAPlace) {
  LdstConfig ldst;
  ldst.constant_mshr_merges = 0;
  EXPECT_THROW(design(ldst), std::invalid_argument);
}

}  // namespace
}  // namespace heddle
