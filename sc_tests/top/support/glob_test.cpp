#include "top/support/glob.h"

#include <gtest/gtest.h>

#include <string>

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

TEST(Glob, AnyStarMayTakeAnything) {
  EXPECT_TRUE(glob_matches("*a*b", "aabab"));
  EXPECT_TRUE(glob_matches("a*", "a"));
  EXPECT_TRUE(glob_matches("a**", "abc"));
  EXPECT_TRUE(glob_matches("*[0-3]?x*", "a7b2cx"));
  EXPECT_FALSE(glob_matches("*a*b", "aaba"));
  EXPECT_FALSE(glob_matches("a*", ""));
}

// 30 characters by 12 stars could be shared out in 50 million ways.
TEST(Glob, ManyStarsTakeNoTime) {
  const std::string name(1000, 'a');
  std::string pattern;
  for (unsigned i = 0; i < 100; ++i) pattern += "*?";
  EXPECT_TRUE(glob_matches(pattern, name));
  EXPECT_FALSE(glob_matches(pattern + "Q", name));
  EXPECT_TRUE(glob_may_match_below(pattern + "Q", name));
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
