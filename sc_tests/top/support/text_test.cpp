#include <gtest/gtest.h>

#include "top/support/output/progress.h"
#include "top/support/output/text_format.h"

namespace heddle {
namespace {

TEST(TextFormat, GroupsDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

TEST(TextFormat, RoundsToDigitsWithoutPowersOfTen) {
  EXPECT_EQ(rounded(3730.4, 3), "3,730");
  EXPECT_EQ(rounded(92878.2, 4), "92,880");
  EXPECT_EQ(rounded(1234567, 3), "1,230,000");
  EXPECT_EQ(rounded(999.7, 3), "1,000");
  EXPECT_EQ(rounded(999.4, 3), "999");
  EXPECT_EQ(rounded(27.18, 3), "27.2");
  EXPECT_EQ(rounded(5, 3), "5");
  EXPECT_EQ(rounded(120, 3), "120");
  EXPECT_EQ(rounded(0.00001234, 3), "0.0000123");
  EXPECT_EQ(rounded(-2165.3, 3), "-2,170");
  EXPECT_EQ(rounded(0, 3), "0");
  EXPECT_EQ(rounded(1e20, 3), "1e+20");
}

TEST(TextFormat, SharesAndBars) {
  EXPECT_EQ(percent(0.1234), "12.3%");
  EXPECT_EQ(percent(std::nullopt), "-");
  EXPECT_EQ(bar(0, 10), "");
  EXPECT_EQ(bar(0.001, 10), ".");
  EXPECT_EQ(bar(0.5, 10), "#####");
  EXPECT_EQ(bar(1, 10), "##########");
}

TEST(Progress, ShowsRateAndTimeLeft) {
  const ProgressState state{101000, 2, "atax_rows", 30, 120};
  EXPECT_EQ(progress_text(state, 1000, 2.0),
            "atax_rows #2: 30/120 TBs, 101,000 cycles, 50 kcycles/s, 6 s left");
  const ProgressState first{1024, 0, "k", 0, 8};
  EXPECT_EQ(progress_text(first, 0, 1.0), "k #0: 0/8 TBs, 1,024 cycles, 1 kcycles/s");
}

TEST(Progress, IsSilentWithoutATerminal) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  {
    ProgressLine line(file, true);
    EXPECT_FALSE(line.active());
    line.update({1, 0, "k", 0, 1});
  }
  EXPECT_EQ(std::ftell(file), 0);
  std::fclose(file);
}

}  // namespace
}  // namespace heddle
