#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/limits.h"
#include "modules/counts/warp_state.h"
#include "top/page/parts/run_part.h"
#include "top/page/report_data.h"
#include "top/support/results.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class TimelinePartTest : public ::testing::Test {
 protected:
  TimelinePartTest() : folder_(fs::temp_directory_path() / ("heddle-timeline-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~TimelinePartTest() override { fs::remove_all(folder_); }

  void write(const fs::path& folder, const std::string& text) const {
    fs::create_directories(folder_ / folder);
    std::ofstream(folder_ / folder / "timeline.json") << text;
  }
  Json part(const fs::path& folder = ".") const { return timeline_part(folder_ / folder, Json::object()); }

  /// Of an SM with warp slots whose warps have `states` states of 1 to 3 cycles each, and one counter with as
  /// many values.
  static std::string timeline(unsigned slots, unsigned states, unsigned requests = 0) {
    Json events = Json::array();
    const auto name = [&events](int process, int thread, const std::string& text) {
      Json event{{"ph", "M"}, {"pid", process}, {"args", {{"name", text}}}, {"name", "process_name"}};
      if (thread != 0) {
        event["tid"] = thread;
        event["name"] = "thread_name";
      }
      events.push_back(event);
    };
    const auto slice = [&events](int thread, const Json& from, const Json& cycles, const std::string& text,
                                 const Json& about) {
      events.push_back({{"ph", "X"},
                        {"pid", 10},
                        {"tid", thread},
                        {"ts", from},
                        {"dur", cycles},
                        {"name", text},
                        {"args", about}});
    };
    name(10, 0, "SM 0");
    const unsigned end = 2 * states;
    for (unsigned w = 0; w < slots; ++w) {
      const int thread = 100 + static_cast<int>(w);
      name(10, thread, "warp slot " + std::to_string(w));
      slice(thread, 0, end, "k TB 0 warp 0", {{"launch", 0}, {"tb", 0}, {"warp", 0}});
      for (unsigned s = 0; s < states; ++s) {
        const unsigned from = s == 0 ? 0 : 2 * s + (s + w) % 2;
        const unsigned to = s + 1 == states ? end : 2 * (s + 1) + (s + 1 + w) % 2;
        slice(thread, from, to - from, s % 2 == 0 ? "selected" : "barrier", Json::object());
      }
    }
    for (unsigned c = 0; c < states; ++c) {
      events.push_back(
          {{"ph", "C"}, {"pid", 10}, {"ts", 2 * c}, {"name", "IPC"}, {"args", {{"value", c % 7}}}});
    }
    name(10, 1, "requests: l1d");
    for (unsigned r = 0; r < requests; ++r) {
      slice(1, r, 0.5, "l1d", {{"request", r + 1}, {"kind", "load"}, {"sm", 0}});
    }
    return Json{{"otherData",
                 {{"format", "heddle timeline 1"},
                  {"first_cycle", 0},
                  {"end_cycle", end},
                  {"shortest_slice_cycles", 1},
                  {"left_out", Json::array()},
                  {"state_cycles", Json::object()},
                  {"one_memory_request_in", 1}}},
                {"traceEvents", events}}
        .dump();
  }
  static std::map<unsigned, std::uint64_t> cycles_by_state(const Json& warp) {
    std::map<unsigned, std::uint64_t> cycles;
    const Json& states = warp.at("states");
    for (std::size_t i = 0; i < states.size(); i += 2) {
      cycles[states[i].get<unsigned>()] += states[i + 1].get<std::uint64_t>();
    }
    return cycles;
  }

  fs::path folder_;
};

TEST_F(TimelinePartTest, IsNoneWithoutATimeline) { EXPECT_TRUE(part().is_null()); }

TEST_F(TimelinePartTest, HasAllOfASmallOne) {
  write(".", timeline(2, 10, 3));
  const Json shown = part();
  EXPECT_EQ(shown.at("quantum"), 1);
  EXPECT_EQ(shown.at("kernels").at("0"), "k");
  const Json& warps = shown.at("sms")[0].at("warps");
  ASSERT_EQ(warps.size(), 2U);
  EXPECT_EQ(warps[0].at("lives"), Json({0, 20, 0, 0, 0, 1}));
  EXPECT_EQ(warps[0].at("states").size(), 20U);
  const unsigned selected = static_cast<unsigned>(WarpState::kSelected);
  EXPECT_EQ(shown.at("states")[selected].at("name"), "selected");
  EXPECT_EQ(cycles_by_state(warps[0]).at(selected), 15U) << "3 cycles, and 1 for a barrier";
  EXPECT_EQ(shown.at("sms")[0].at("counters").at("IPC")[3], 1);
  EXPECT_EQ(shown.at("requests").size(), 3U);
  EXPECT_EQ(shown.at("requests")[1].at("way"), Json({{"l1d", 1.0, 0.5, "SM 0"}}));
}

TEST_F(TimelinePartTest, MergesAndThinsOutALargeOne) {
  write(".", timeline(8, 10'000, 1200));
  const Json shown = part();
  EXPECT_EQ(shown.at("quantum"), 4) << "80,000 states of 1 or 3 cycles; the page has 60,000";
  std::size_t states = 0;
  for (const Json& warp : shown.at("sms")[0].at("warps")) {
    states += warp.at("states").size() / 2;
    std::uint64_t cycles = 0;
    for (const auto& [state, held] : cycles_by_state(warp)) cycles += held;
    EXPECT_EQ(cycles, 20'000U) << "they tile the warp's life";
  }
  EXPECT_LE(states, 60'000U);
  EXPECT_GT(states, 20'000U);
  const Json& points = shown.at("sms")[0].at("counters").at("IPC");
  EXPECT_EQ(points.size(), 2U * 401);
  double sum = 0;
  for (std::size_t i = 0; i + 2 < points.size(); i += 2) {
    sum += points[i + 1].get<double>() * (points[i + 2].get<double>() - points[i].get<double>());
  }
  EXPECT_NEAR(sum, 2 * 29'994, 30) << "means keep the sum, but for their rounding";
  EXPECT_EQ(shown.at("requests").size(), 400U);
  EXPECT_EQ(shown.at("requests_in_file"), 1200);
}

TEST_F(TimelinePartTest, SaysOfAFileThatIsTooLargeThatItIs) {
  write(".", "");
  fs::resize_file(folder_ / "timeline.json", limits::kResultBytes + 1);
  EXPECT_EQ(part(), Json({{"too_large_bytes", limits::kResultBytes + 1}}));
}

TEST_F(TimelinePartTest, RefusesADamagedFileByItsName) {
  write(".", timeline(1, 4).substr(0, 400));
  try {
    part();
    ADD_FAILURE() << "was read";
  } catch (const ResultsError& error) {
    EXPECT_THAT(error.what(), HasSubstr("timeline.json: is no timeline as this version writes it: "));
  }
}

TEST_F(TimelinePartTest, OfManyRunsTheFirstFourAreOnThePage) {
  for (const char* run : {"1", "2", "3", "4", "5", "6"}) {
    fs::create_directories(folder_ / run);
    std::ofstream(folder_ / run / "stats.json")
        << Json{{"format", 2},
                {"workload", "w"},
                {"size", ""},
                {"scheduler", "gto"},
                {"status", "complete"},
                {"command", "c"},
                {"config", {{"name", "c"}, {"values", Json::object()}}},
                {"checks", Json::array()},
                {"metrics", Json::object()},
                {"launches", Json::array()}};
    if (std::string(run) != "2") write(run, timeline(1, 4));
  }
  const Json runs = report_data({folder_.string()}).at("runs");
  std::string with;
  for (const Json& run : runs) with += run.contains("timeline") ? 'x' : '-';
  EXPECT_EQ(with, "x-xxx-");
}

}  // namespace
}  // namespace heddle
