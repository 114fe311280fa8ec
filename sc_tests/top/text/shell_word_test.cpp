#include "top/text/shell_word.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ShellWord, QuotesOnlyWhatNeedsIt) {
  for (const char* plain : {"atax", "core.sms=4", "bfs#2.n=8", "a,b", "../x/y-1_2.yaml", "Zürich", "--set"})
    EXPECT_EQ(shell_word(plain), plain);
  EXPECT_EQ(shell_word("my conf.yaml"), "'my conf.yaml'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("#1"), "'#1'");
  EXPECT_EQ(shell_word("$(x)"), "'$(x)'");
}

TEST(ShellWord, WordsOfALineAreThoseThatItWasMadeOf) {
  const std::vector<std::string> words{"heddle", "my conf.yaml", "it's", "", "a=b", "\\", "two  \t\n", "ü #"};
  std::string line;
  for (const std::string& word : words) line += " " + shell_word(word);
  EXPECT_EQ(shell_words(line), words);
  EXPECT_THAT(shell_words("  "), IsEmpty());
  EXPECT_THAT(shell_words("run 'a b"), ElementsAre("run", "a b")) << "not closed";
}

}  // namespace
}  // namespace heddle
