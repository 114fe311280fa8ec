#include "modules/warp_scheduler/policies/ccws/held_lines.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace heddle {
namespace {

TEST(HeldLines, NamesEveryWarpThatHasTheLineAndFewOthers) {
  constexpr unsigned kWarps = 48, kTags = 16, kLines = 4096;
  std::array<std::array<std::uint64_t, kTags>, kWarps> lines{};  // 0: none
  HeldLines held(kWarps, kTags);
  std::mt19937 random(5);
  unsigned named = 0, needless = 0;
  for (unsigned step = 0; step < 20000; ++step) {
    const unsigned warp = random() % kWarps;
    const unsigned tag = random() % kTags;
    if (step % 500 == 499) {
      held.clear(warp);
      lines[warp] = {};
    } else if (step % 7 == 0) {
      held.drop(warp, tag);
      lines[warp][tag] = 0;
    } else {
      lines[warp][tag] = 1 + random() % kLines;
      held.put(warp, tag, lines[warp][tag]);
    }
    const std::uint64_t line = 1 + random() % kLines;
    WarpMask have = 0;
    for (unsigned w = 0; w < kWarps; ++w) {
      for (const std::uint64_t own : lines[w]) have |= own == line ? warp_bit(w) : 0;
    }
    ASSERT_EQ(have & ~held.warps(line), 0U) << step;
    named += static_cast<unsigned>(__builtin_popcountll(held.warps(line)));
    needless += static_cast<unsigned>(__builtin_popcountll(held.warps(line) & ~have));
  }
  EXPECT_LT(needless, 3 * 20000U);  // of 48 warps, at 1.5 tags a hash
  EXPECT_GT(named, needless);
}

}  // namespace
}  // namespace heddle
