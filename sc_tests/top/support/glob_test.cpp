#include "top/support/glob.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Glob, MatchesTheWholeName) {
  EXPECT_TRUE(glob_matches("sm0.*", "sm0.scheduler1.ready"));
  EXPECT_FALSE(glob_matches("sm0.*", "sm01.ready"));
  EXPECT_FALSE(glob_matches("sm0", "sm0.ready"));
  EXPECT_TRUE(glob_matches("*.ready", "sm0.scheduler1.ready"));
  EXPECT_TRUE(glob_matches("sm?.l1d.*", "sm7.l1d.hit"));
  EXPECT_FALSE(glob_matches("sm?.l1d.*", "sm12.l1d.hit"));
  EXPECT_TRUE(glob_matches("sm[0-2].*", "sm2.x"));
  EXPECT_FALSE(glob_matches("sm[0-2].*", "sm3.x"));
  EXPECT_TRUE(glob_matches("sm[!0].*", "sm3.x"));
  EXPECT_FALSE(glob_matches("sm[!0].*", "sm0.x"));
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_FALSE(glob_matches("", "a"));
  EXPECT_TRUE(glob_matches("[", "["));
}

TEST(Glob, KnowsWhichScopesItMayReach) {
  EXPECT_TRUE(glob_may_match_below("sm0.*", "sm0."));
  EXPECT_TRUE(glob_may_match_below("sm0.l1d.hit", "sm0."));
  EXPECT_FALSE(glob_may_match_below("sm0.l1d.hit", "sm0.l1i."));
  EXPECT_FALSE(glob_may_match_below("sm0.*", "sm1."));
  EXPECT_TRUE(glob_may_match_below("*.ready", "dram3."));
  EXPECT_TRUE(glob_may_match_below("sm?.x", ""));
}

}  // namespace
}  // namespace heddle
