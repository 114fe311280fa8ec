#include "top/text/text_width.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using ::testing::ElementsAre;

TEST(TextWidth, CountsColumnsAndNotBytes) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("gto"), 3U);
  EXPECT_EQ(display_width("Zürich"), 6U);
  EXPECT_EQ(display_width("漢字"), 4U);      // wide
  EXPECT_EQ(display_width("e\u0301"), 1U);   // an accent of its own
  EXPECT_EQ(display_width("\xff\xfe"), 2U);  // no UTF-8
  EXPECT_EQ(display_width("\xe6\xbc"), 2U);  // cut off
  EXPECT_EQ(display_width("🙂"), 2U);
}

TEST(TextWidth, PadsToColumns) {
  EXPECT_EQ(pad_right("ü", 3) + "|", "ü  |");
  EXPECT_EQ(pad_left("漢", 3), " 漢");
  EXPECT_EQ(pad_left("long", 2), "long");
}

TEST(TextWidth, WrapsAtSpacesAndBreaksWhatIsLonger) {
  EXPECT_THAT(wrap_text("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrap_text("one  two", 20), ElementsAre("one two"));
  EXPECT_THAT(wrap_text("", 5), ElementsAre(""));
  EXPECT_THAT(wrap_text("/tmp/folder/file", 12), ElementsAre("/tmp/folder/", "file"));
  EXPECT_THAT(wrap_text("abcdefgh", 3), ElementsAre("abc", "def", "gh"));
  EXPECT_THAT(wrap_text("漢字漢", 5), ElementsAre("漢字", "漢"));
  EXPECT_EQ(longest_word("NAND2-eq per SM"), 8U);
}

TEST(TextWidth, FillsParagraphsWithAMargin) {
  EXPECT_EQ(fill_text("a b c\nd", 5, 2), "  a b\n  c\n  d\n");
  EXPECT_EQ(fill_text("a b c", 0), "a b c\n");
}

}  // namespace
}  // namespace heddle
