#include <gtest/gtest.h>

#include "workloads/ptx/load.h"
#include "workloads/ptx/text/lexer.h"

namespace heddle::ptx {
namespace {

using Kind = Token::Kind;

Token only_token(const std::string& text) {
  const std::string_view kept(text);
  const std::vector<Token> tokens = tokenize(kept, "t.ptx");
  EXPECT_EQ(2U, tokens.size()) << text;
  return tokens.front();
}

std::string lexer_message(const std::string& text) {
  try {
    tokenize(text, "t.ptx");
    return "";
  } catch (const PtxError& error) {
    return error.what();
  }
}

TEST(PtxLexer, IntegersInEveryBase) {
  EXPECT_EQ(42U, only_token("42").value);
  EXPECT_EQ(42U, only_token("0x2A").value);
  EXPECT_EQ(42U, only_token("052").value);
  EXPECT_EQ(42U, only_token("0b101010").value);
  EXPECT_EQ(42U, only_token("42U").value);
  EXPECT_EQ(0U, only_token("0").value);
  EXPECT_EQ(0xFFFFFFFFFFFFFFFFU, only_token("18446744073709551615").value);
}

TEST(PtxLexer, FloatsKeepTheirBits) {
  const Token single = only_token("0f3F8000fe");
  EXPECT_EQ(Kind::kFloat32, single.kind);
  EXPECT_EQ(0x3F8000FEU, single.value);
  const Token wide = only_token("0dBFF0000000000001");
  EXPECT_EQ(Kind::kFloat64, wide.kind);
  EXPECT_EQ(0xBFF0000000000001U, wide.value);
  EXPECT_EQ(0x3FF8000000000000U, only_token("1.5").value);
  EXPECT_EQ(0x4059000000000000U, only_token("1e2").value);
}

TEST(PtxLexer, LinesEndAsOnAnySystem) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const std::string text = "a // b" + end + "c" + end + end + "d";
    const std::vector<Token> tokens = tokenize(text, "t.ptx");
    ASSERT_EQ(4U, tokens.size());
    EXPECT_EQ(2U, tokens[1].position.line);
    EXPECT_EQ(1U, tokens[1].position.column);
    EXPECT_EQ(4U, tokens[2].position.line);
  }
}

TEST(PtxLexer, NamesLabelsAndDottedParts) {
  const std::vector<Token> tokens = tokenize("$L__BB0_2: ld.global.L2::128B %rd1 %tid.x _", "t.ptx");
  ASSERT_EQ(10U, tokens.size());
  EXPECT_EQ("$L__BB0_2", tokens[0].text);
  EXPECT_TRUE(tokens[1].is(':'));
  EXPECT_EQ("ld", tokens[2].text);
  EXPECT_TRUE(tokens[3].is_dotted("global"));
  EXPECT_TRUE(tokens[4].is_dotted("L2::128B"));
  EXPECT_EQ("%rd1", tokens[5].text);
  EXPECT_EQ("%tid", tokens[6].text);
  EXPECT_TRUE(tokens[7].is_dotted("x"));
  EXPECT_EQ("_", tokens[8].text);
}

TEST(PtxLexer, CountsLinesAndColumnsPastComments) {
  const std::vector<Token> tokens = tokenize("// one\n/* two\n   */ add\n\tsub", "t.ptx");
  EXPECT_EQ(3U, tokens[0].position.line);
  EXPECT_EQ(7U, tokens[0].position.column);
  EXPECT_EQ(4U, tokens[1].position.line);
  EXPECT_EQ(2U, tokens[1].position.column);
}

TEST(PtxLexer, SaysWhereAndWhatIsWrong) {
  EXPECT_EQ("t.ptx:2:3: found the floating-point literal '0f3F8', expected 8 hexadecimal digits after '0f'",
            lexer_message("add\n  0f3F8"));
  EXPECT_EQ("t.ptx:1:1: found '12abc', expected an integer of at most 64 bits", lexer_message("12abc"));
  EXPECT_EQ("t.ptx:1:3: found a comment that starts with '/*', expected its end '*/'",
            lexer_message("a /* b"));
  EXPECT_EQ("t.ptx:1:1: found a string without its closing quote", lexer_message("\"abc"));
  EXPECT_EQ("t.ptx:1:1: found '`', expected a PTX token", lexer_message("`"));
  EXPECT_EQ("t.ptx:1:1: found a byte that is not ASCII text, expected a PTX token",
            lexer_message("\xC3\xA4"));
  EXPECT_EQ("t.ptx:1:1: found '18446744073709551616', expected an integer of at most 64 bits",
            lexer_message("18446744073709551616"));
}

}  // namespace
}  // namespace heddle::ptx
