// What the page takes of profile.json: of how many runs, and which lines of a kernel that is too long for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "modules/counts/warp_state.h"
#include "top/page/parts/run_part.h"
#include "top/page/report_data.h"
#include "top/support/results.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class ProfilePart : public ::testing::Test {
 protected:
  ProfilePart() : folder_(fs::temp_directory_path() / ("heddle-profile-part-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
  }
  ~ProfilePart() override { fs::remove_all(folder_); }

  static Json cycles(unsigned of_memory) {
    std::vector<unsigned> by_state(kNumWarpStates, 0);
    by_state[static_cast<unsigned>(WarpState::kScoreboardMemory)] = of_memory;
    by_state[static_cast<unsigned>(WarpState::kEnded)] = 1'000'000;
    return by_state;
  }
  /// Lines 0, 1, ... with these cycles.
  static Json kernel(const std::string& name, const std::vector<unsigned>& line_cycles) {
    Json lines = Json::array();
    for (std::size_t i = 0; i < line_cycles.size(); ++i) {
      lines.push_back({{"index", i}, {"cycles", cycles(line_cycles[i])}});
    }
    return {{"name", name}, {"lines", lines}};
  }
  static Json account(unsigned instructions = 3) {
    return {{"warp_cycles", 9},      {"warp_instructions", instructions},
            {"scheduler_cycles", 9}, {"no_eligible_cycles", 6},
            {"cycles", cycles(9)},   {"funnel", Json::object()}};
  }
  static Json profile(const Json& kernels) {
    return {{"format", 1},          {"gpu", account()},          {"states", Json::array()},
            {"sms", Json::array()}, {"launches", Json::array()}, {"kernels", kernels}};
  }
  static Json stats() {
    return {{"format", 2},
            {"workload", "w"},
            {"size", ""},
            {"scheduler", "gto"},
            {"status", "complete"},
            {"command", "heddle run w"},
            {"config", {{"name", "c"}, {"values", Json::object()}}},
            {"checks", Json::array()},
            {"metrics", Json::object()},
            {"launches", Json::array()}};
  }
  /// Of each run of the folder which parts of profile.json the page has: "pds", "-" for one that it has not.
  std::string parts() {
    std::string with;
    const Json runs = report_data({folder_.string()}).at("runs");
    for (const Json& run : runs) {
      with += run.contains("profile") ? 'p' : '-';
      with += run.contains("profile_detail") ? 'd' : '-';
      with += run.contains("source") ? 's' : '-';
    }
    return with;
  }
  fs::path write(const std::string& run, const std::string& name, const Json& json) {
    fs::create_directories(folder_ / run);
    std::ofstream(folder_ / run / name) << json;
    return folder_ / run;
  }
  static std::vector<unsigned> indices(const Json& kernel) {
    std::vector<unsigned> found;
    for (const Json& line : kernel.at("lines")) found.push_back(line.at("index"));
    return found;
  }

  fs::path folder_;
};

TEST_F(ProfilePart, TheKernelWithMostWarpCyclesComesFirst) {
  const fs::path run =
      write("run", "profile.json",
            profile(Json::array({kernel("cold", {1, 2}), kernel("hot", {3, 0}), kernel("same", {1, 2})})));
  const Json source = source_part(run, {});
  ASSERT_EQ(source.at("kernels").size(), 3U);
  EXPECT_EQ(source.at("kernels").at(0).at("name"), "cold") << "of equals the one with the lower addresses";
  EXPECT_EQ(source.at("left_out"), 0);
  const fs::path other =
      write("run", "profile.json", profile(Json::array({kernel("cold", {1, 2}), kernel("hot", {3, 1})})));
  EXPECT_EQ(source_part(other, {}).at("kernels").at(0).at("name"), "hot");
}

TEST_F(ProfilePart, OfAKernelThatDoesNotFitTheHottestLinesStayInTheirOrder) {
  std::vector<unsigned> line_cycles(1600, 1);
  for (unsigned i = 0; i < 100; ++i) line_cycles[i] = 0;
  line_cycles[50] = 7;  // makes one of the others too much
  const Json source = source_part(
      write("run", "profile.json", profile(Json::array({kernel("cold", {1}), kernel("long", line_cycles)}))),
      {});
  ASSERT_EQ(source.at("kernels").size(), 1U);
  const std::vector<unsigned> kept = indices(source.at("kernels").at(0));
  ASSERT_EQ(kept.size(), 1500U);
  EXPECT_EQ(kept.front(), 50U);
  EXPECT_EQ(kept[1], 100U);
  EXPECT_EQ(kept.back(), 1598U);
  EXPECT_EQ(source.at("left_out"), 101) << "and the other kernel's";
}

TEST_F(ProfilePart, OfManyLaunchesAndSchedulersItSaysHowManyAreLeftOut) {
  Json many = profile(Json::array());
  for (unsigned id = 0; id < 103; ++id) {
    Json launch = account();
    launch["id"] = id;
    launch["kernel"] = "k";
    launch["cycles"] = cycles(id < 2 || id == 50 ? 1 : 9);
    many["launches"].push_back(launch);
  }
  for (unsigned sm = 0; sm < 33; ++sm) {
    many["sms"].push_back({{"sm", sm}, {"schedulers", Json::array({account(), account()})}});
  }
  const Json detail = profile_detail_part(write("run", "profile.json", many), {});
  EXPECT_EQ(detail.at("launches_left_out"), 3);
  ASSERT_EQ(detail.at("launches").size(), 100U);
  EXPECT_EQ(detail.at("launches").front().at("id"), 2) << "in their order";
  EXPECT_EQ(detail.at("launches").at(48).at("id"), 51) << "without the shortest";
  EXPECT_EQ(detail.at("launches").back().at("id"), 102);
  EXPECT_EQ(detail.at("schedulers").size(), 64U);
  EXPECT_EQ(detail.at("schedulers_left_out"), 2);
}

TEST_F(ProfilePart, LinesAreThoseOfTheFirstRunsThatWereProfiled) {
  for (const char* const run : {"0", "1", "2", "3", "4", "5", "6", "7"}) {
    write(run, "stats.json", stats());
    if (std::string(run) != "0") write(run, "profile.json", profile(Json::array({kernel("k", {1})})));
  }
  EXPECT_EQ(parts(), "---pdsp-sp-sp-sp-sp-sp--");
}

TEST_F(ProfilePart, ARunWithoutAnInstructionTakesNoOtherRunsPlace) {
  Json early = profile(Json::array({kernel("k", {1})}));
  early["gpu"] = account(0);
  write("0", "stats.json", stats());
  write("0", "profile.json", early);
  write("1", "stats.json", stats());
  write("1", "profile.json", profile(Json::array({kernel("k", {1})})));
  EXPECT_EQ(parts(), "p--pds") << "the page shows the second alone, and needs its details";
}

TEST_F(ProfilePart, AnotherFormatIsRefused) {
  Json other = profile(Json::array());
  other["format"] = 2;
  const fs::path run = write("run", "profile.json", other);
  try {
    profile_part(run, {});
    FAIL();
  } catch (const ResultsError& error) {
    EXPECT_THAT(error.what(), HasSubstr("profile.json: expected format 1"));
  }
}

}  // namespace
}  // namespace heddle
