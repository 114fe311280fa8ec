#include "base/utf8.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Utf8, TakesCharactersOfEveryLength) {
  const std::string text = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80";
  EXPECT_TRUE(is_utf8(text));
  EXPECT_EQ(as_utf8(text), text);
  EXPECT_TRUE(is_utf8(""));
}

TEST(Utf8, RefusesWhatIsNoneAndShowsItsBytes) {
  EXPECT_EQ(as_utf8("a\xff/b"), "a\\xff/b");
  EXPECT_EQ(as_utf8("\xc3"), "\\xc3");           // cut off
  EXPECT_EQ(as_utf8("\xc0\xaf"), "\\xc0\\xaf");  // overlong
  EXPECT_EQ(as_utf8("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");
  EXPECT_EQ(as_utf8("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(as_utf8("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
  EXPECT_FALSE(is_utf8("a\xff"));
}

}  // namespace
}  // namespace heddle
