#include "top/timeline/timeline_contents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "top/support/results.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

const std::string kNames =
    R"({"ph":"M","pid":1,"name":"process_name","args":{"name":"GPU"}},
       {"ph":"M","pid":10,"name":"process_name","args":{"name":"SM 3"}},
       {"ph":"M","pid":10,"name":"process_sort_index","args":{"sort_index":10}},
       {"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"launches"}},
       {"ph":"M","pid":10,"tid":2,"name":"thread_name","args":{"name":"TB slot 0"}},
       {"ph":"M","pid":10,"tid":3,"name":"thread_name","args":{"name":"warp slot 0"}},
       {"ph":"M","pid":10,"tid":4,"name":"thread_name","args":{"name":"requests: l1d"}})";

std::string file_of(const std::string& events, const std::string& format = "heddle timeline 1",
                    const std::string& end_cycle = "40") {
  return R"({"displayTimeUnit":"ms","otherData":{"format":")" + format + R"(","first_cycle":0,"end_cycle":)" +
         end_cycle + R"(,"shortest_slice_cycles":1},"traceEvents":[)" + kNames + (events.empty() ? "" : ",") +
         events + "]}";
}

std::string slice(int thread, double from, double cycles, const std::string& name, const std::string& about) {
  std::ostringstream text;
  text << R"({"ph":"X","pid":)" << (thread == 1 ? 1 : 10) << R"(,"tid":)" << thread << R"(,"ts":)" << from
       << R"(,"dur":)" << cycles << R"(,"name":")" << name << '"'
       << (about.empty() ? "" : R"(,"args":{)" + about + "}") << '}';
  return text.str();
}

std::string refusal(const std::string& text) {
  try {
    read_timeline("t.json", text);
  } catch (const ResultsError& error) {
    return error.what();
  }
  return "";
}

const std::string kWarp = slice(3, 5, 10, "add TB 7 warp 1", R"("launch":2,"tb":7,"warp":1)");

TEST(TimelineContents, HasWhatTheFileTells) {
  const TimelineContents timeline = read_timeline(
      "t.json", file_of(slice(1, 0, 40, "add", R"("launch":2)") + "," +
                        slice(2, 5, 10, "add TB 7", R"("launch":2,"tb":7)") + "," + kWarp + "," +
                        slice(3, 5, 4, "fetch", "") + "," + slice(3, 9, 6, "selected", R"("held":5)") + "," +
                        slice(3, 15, 8, "3 warps", R"("launch":2,"tb":8,"warp":0,"merged":3)") + "," +
                        slice(3, 15, 5, "barrier", "") + "," + slice(3, 20, 3, "no_warp", "") + "," +
                        slice(4, 6.5, 2.25, "l1d", R"("request":1,"kind":"load","sm":3)") +
                        R"(,{"ph":"C","pid":10,"ts":0,"name":"IPC","args":{"value":0.5}},
                  {"ph":"C","pid":10,"ts":16,"name":"IPC","args":{"value":0}},
                  {"ph":"s","id":1,"name":"memory request","cat":"memory","pid":10,"tid":4,"ts":6.5})"));
  ASSERT_EQ(timeline.sms.count(3), 1U);
  const TimelineContents::Sm& sm = timeline.sms.at(3);
  ASSERT_EQ(sm.warps.size(), 1U);
  const SlotTrack& warp = sm.warps[0];
  ASSERT_EQ(warp.lives().size(), 2U);
  EXPECT_EQ(warp.lives()[0].start, 5U);
  EXPECT_EQ(warp.lives()[0].end, 15U);
  EXPECT_EQ(warp.lives()[0].owner.tb, 7U);
  EXPECT_EQ(warp.lives()[0].owner.warp, 1U);
  EXPECT_EQ(warp.lives()[1].lives, 3U);
  EXPECT_EQ(warp.state_cycles()[static_cast<unsigned>(WarpState::kSelected)], 6U);
  EXPECT_EQ(warp.state_cycles()[static_cast<unsigned>(WarpState::kFetch)], 4U);
  EXPECT_EQ(warp.state_cycles()[SlotTrack::kNoWarp], 3U) << "also at a life's end";
  EXPECT_EQ(sm.tbs[0].lives()[0].owner.tb, 7U);
  EXPECT_EQ(timeline.launches.at("launches").lives()[0].end, 40U);
  EXPECT_EQ(timeline.kernels.at(2), "add");
  EXPECT_EQ(sm.counters.at("IPC"), (TimelineContents::Points{{0, 0.5}, {16, 0}}));
  const TimelineContents::Request& request = timeline.requests.at(1);
  EXPECT_EQ(request.about.at("kind"), "load");
  EXPECT_EQ(request.way[0].stage, "l1d");
  EXPECT_EQ(request.way[0].process, "SM 3");
  EXPECT_EQ(request.way[0].from, 6.5);
  EXPECT_EQ(request.way[0].cycles, 2.25);
}

TEST(TimelineContents, RefusesWhatIsNone) {
  EXPECT_THAT(refusal("{"), HasSubstr("t.json: is no timeline as this version writes it: "));
  EXPECT_THAT(refusal("[]"), HasSubstr("there is no list of events"));
  EXPECT_THAT(refusal("{}"), HasSubstr("there is no list of events"));
  EXPECT_THAT(refusal(file_of("", "heddle timeline 2")), HasSubstr("it has another format"));
  EXPECT_THAT(refusal(file_of("", "heddle timeline 1", "1e300")), HasSubstr("end_cycle is no whole number"));
  const auto expect_refusal = [](const std::string& events, const char* message) {
    EXPECT_THAT(refusal(file_of(events)), HasSubstr(message)) << events;
  };
  EXPECT_EQ(refusal(file_of(kWarp + "," + slice(3, 5, 10, "fetch", ""))), "") << "this one is whole";
  expect_refusal(R"({"ph":"B","pid":1})", "an event of another phase");
  expect_refusal(slice(9, 0, 1, "add", ""), "a track has no name");
  expect_refusal(kWarp, "a warp has cycles without a state");
  expect_refusal(kWarp + "," + slice(3, 6, 9, "fetch", ""), "do not follow each other");
  expect_refusal(kWarp + "," + slice(3, 5, 11, "fetch", ""), "a state goes on after its warp");
  expect_refusal(kWarp + "," + slice(3, 5, 10, "asleep", ""), "there is no state 'asleep'");
  expect_refusal(kWarp + "," + slice(3, 5, 10, "fetch", "") + "," + kWarp, "lives overlap");
  expect_refusal(slice(3, 5, 0, "add TB 7 warp 1", R"("launch":2,"tb":7,"warp":1)"), "lives overlap");
  expect_refusal(slice(2, 1.5, 3, "add TB 7", R"("launch":2,"tb":7)"), "ts is no whole number");
  expect_refusal(slice(2, -4, 3, "add TB 7", R"("launch":2,"tb":7)"), "ts is no whole number");
  expect_refusal(slice(2, 0, 1e17, "add TB 7", R"("launch":2,"tb":7)"), "dur is no whole number");
  expect_refusal(slice(2, 0, 3, "fetch", ""), "what has no states");
  expect_refusal(slice(4, 0, 3, "l1d", R"("request":1)"), "a request has no beginning");
  expect_refusal(slice(4, -1, 3, "l1d", R"("request":1,"kind":"load","sm":3)"), "ts is no number of cycles");
  expect_refusal(R"({"ph":"C","pid":10,"ts":5,"name":"IPC","args":{"value":1}},
                     {"ph":"C","pid":10,"ts":5,"name":"IPC","args":{"value":2}})",
                 "a counter goes back");
  expect_refusal(R"({"ph":"C","pid":77,"ts":5,"name":"IPC","args":{"value":1}})", "a process has no name");
  expect_refusal(R"({"ph":"M","pid":10,"tid":3,"name":"thread_name","args":{"name":"warp slot 1"}})",
                 "a track has two names");
  expect_refusal(R"({"ph":"M","pid":10,"tid":5,"name":"thread_name","args":{"name":"warp slot 2"}})",
                 "slots are out of order");
  expect_refusal(R"({"ph":"M","pid":10,"tid":5,"name":"thread_name","args":{"name":"hop"}})",
                 "there is a track 'hop' in 'SM 3'");
}

}  // namespace
}  // namespace heddle
