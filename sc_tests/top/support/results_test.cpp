#include "top/support/results.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using Json = nlohmann::json;

TEST(Results, WholeNumbersAreOnlyThose) {
  EXPECT_EQ(whole_number(0), 0U);
  EXPECT_EQ(whole_number(Json::parse("18446744073709551615")), 18446744073709551615U);
  for (const char* const text :
       {"-1", "0.5", "2.0", "1e3", "1e300", "18446744073709551616", "\"1\"", "null", "[1]"}) {
    EXPECT_THROW(whole_number(Json::parse(text)), Json::type_error) << text;
  }
  EXPECT_EQ(whole_numbers({1, 2}), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_THROW(whole_numbers({1, 2.5}), Json::type_error);
}

}  // namespace
}  // namespace heddle
