#include <gtest/gtest.h>

#include "sc_tests/modules/ldst_unit/ldst_bench.h"

namespace heddle::bench {
namespace {

using Cause = LdstUnit::Cause;

/// A fetch in which lanes 0, 4, 8, ... read a texel each: `lines` lines, a cycle each.
WarpInstruction& fetch(LdstDesign& design, Cycle cycle, unsigned lines, unsigned warp = 3) {
  WarpInstruction& made = design.access(cycle, MemOp::kLoad, Space::kTexture, 0, 0, kAllLanes, warp);
  TexelAddresses& texels = made.addresses.texels;
  texels.address.clear();
  texels.of_lane.fill(0);
  for (unsigned i = 0; i < lines; ++i) {
    texels.address.push_back(0x5000 + i * 0x80);
    texels.of_lane[i * 4] = 1;
  }
  return made;
}

TEST(LdstTexture, AFetchSendsALineACycleAndEndsWithTheLast) {
  LdstDesign design({}, {"fetch"});
  const WarpInstruction& first = fetch(design, 5, 3);
  sc_core::sc_start(sc_core::sc_time(40, sc_core::SC_NS));
  // Offered at 5, started at 6; lines sent at 6, 7, 8, seen at those edges + 0 by the stub's gate.
  ASSERT_EQ(design.texture->seen.size(), 3U);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(design.texture->seen[i].address, 0x5000U + i * 0x80);
    EXPECT_EQ(design.texture->seen[i].cycle, 6U + i);
    EXPECT_EQ(design.texture->seen[i].request.kind, RequestKind::kTexture);
    EXPECT_EQ(design.texture->seen[i].request.warp, 3);
  }
  // The last is answered at 8 + 10, and seen and written back at 19.
  EXPECT_EQ(design.completed(first), 19U);
  EXPECT_EQ(design.unit->cycles(Cause::kTextureAddress), 2U);
  EXPECT_EQ(design.unit->cycles(Cause::kProgress), 1U);
  EXPECT_EQ(design.statistics().at("texture_instructions"), 1U);
  EXPECT_EQ(design.statistics().at("texture_lines"), 3U);
  EXPECT_TRUE(design.unit->idle());
}

TEST(LdstTexture, ItsCausesAddUpToTheCycles) {
  LdstDesign design({}, {"causes"});
  design.texture->refuse_until = 12;
  const WarpInstruction& first = fetch(design, 5, 2);
  design.load(6);
  sc_core::sc_start(sc_core::sc_time(60, sc_core::SC_NS));
  design.unit->settle();
  EXPECT_EQ(design.unit->cycles(Cause::kTextureCache), 6U);  // 6 to 11
  EXPECT_EQ(design.unit->cycles(Cause::kTextureAddress), 1U);
  EXPECT_GT(design.completed(first), 20U);
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < LdstUnit::kNumCauses; ++i) sum += design.unit->cycles(static_cast<Cause>(i));
  EXPECT_EQ(sum, design.domain.cycle_now());
}

TEST(LdstTexture, AFetchWithoutTexelsNeedsNoCache) {
  LdstDesign design({}, {"none"});
  const WarpInstruction& first = fetch(design, 5, 0);
  sc_core::sc_start(sc_core::sc_time(40, sc_core::SC_NS));
  EXPECT_TRUE(design.texture->seen.empty());
  EXPECT_NE(design.completed(first), 0U);
}

TEST(LdstTexture, ResultsTakeTurnsAtTheWriteBackSlot) {
  LdstDesign design({}, {"turns"});
  // A fetch of one line and a load of one, whose responses are seen at one edge: one waits for the other.
  const WarpInstruction& fetched = fetch(design, 5, 1, 1);
  const WarpInstruction& loaded = design.load(6);
  design.l1d->latency = 9;
  sc_core::sc_start(sc_core::sc_time(40, sc_core::SC_NS));
  EXPECT_EQ(design.completed(fetched), 17U);
  EXPECT_EQ(design.completed(loaded), 18U);
}

}  // namespace
}  // namespace heddle::bench
