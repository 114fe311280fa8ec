#include "top/support/results.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace heddle {
namespace {

using Json = nlohmann::json;

TEST(Results, WholeNumbersAreOnlyThose) {
  EXPECT_EQ(whole_number(Json(0)), 0U);
  EXPECT_EQ(whole_number(Json::parse("18446744073709551615")), 18446744073709551615U);
  for (const char* const text :
       {"-1", "0.5", "2.0", "1e3", "1e300", "18446744073709551616", "\"1\"", "null", "[1]"}) {
    EXPECT_THROW(whole_number(Json::parse(text)), Json::type_error) << text;
    EXPECT_THROW(whole_number(nlohmann::ordered_json::parse(text)), Json::type_error) << text;
  }
  EXPECT_EQ(whole_numbers({1, 2}), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_THROW(whole_numbers({1, 2.5}), Json::type_error);
}

// Deeper ones, of millions of brackets, can't be copied or printed.
TEST(Results, NestedDeeperThanAnyResultAreDamaged) {
  const std::string file = ::testing::TempDir() + "heddle_results_" + std::to_string(getpid()) + ".json";
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  std::ofstream(file) << R"({"text": "\"[[[[[{{{{{", "value": )" << nested(63) << "}";
  EXPECT_TRUE(read_result(file)->at("value").is_array());
  for (const std::size_t depth : {std::size_t{64}, std::size_t{1'000'000}}) {
    std::ofstream(file) << R"({"text": "", "value": )" << nested(depth) << "}";
    EXPECT_THROW(read_result(file), ResultsError);
    EXPECT_THROW(read_ordered_result(file), ResultsError);
  }
  std::ofstream(file) << nested(100'000) << "\"";
  EXPECT_THROW(read_result(file), ResultsError);
  std::filesystem::remove(file);
}

TEST(Results, FoldersOfRunsAreInTheOrderOfTheirNumbers) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / ("heddle_runs_" + std::to_string(getpid()));
  const std::vector<std::string> names{"01-a", "09-b", "10-a", "99-a", "100-a", "101-b", "with-gto", "without"};
  for (const std::string& name : names) {
    fs::create_directories(folder / name);
    std::ofstream(folder / name / "stats.json") << "{}";
  }
  std::vector<std::string> found;
  for (const fs::path& path : run_folders(folder.string())) found.push_back(path.filename().string());
  EXPECT_EQ(found, names);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace heddle
