// Timelines of the built program, read by a parser of the trace format.
#include <cmath>
#include <set>

#include "modules/counts/warp_state.h"
#include "sc_tests/support/trace_reader.h"
#include "sc_tests/top/commands/command_line_fixture.h"
#include "top/support/stats_file.h"

namespace heddle {
namespace {

using test::TraceReader;
using test::TraceSlice;
using test::TraceThread;
using Json = nlohmann::json;

class Timelines : public BuiltProgram {
 protected:
  using Words = std::vector<std::string>;

  /// Runs the workload on two SMs; the run's folder is `out`.
  ProgramOutcome simulate(Words words, const Words& more = {}, const std::string& out = "out") {
    words.insert(words.begin(), "run");
    for (const char* word : {"--quiet", "--set", "core.sms=2", "--out"}) words.emplace_back(word);
    words.push_back(out);
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  TraceReader timeline(const std::string& file = "out/timeline.json") {
    return TraceReader::read(read(file));
  }
  double figure(const std::string& name) const { return figure_in(stats("out").at("metrics"), name); }
  static double figure_in(const Json& metrics, const std::string& name) {
    const Json* const found = find_metric(metrics, name);
    EXPECT_NE(found, nullptr) << name;
    return found == nullptr ? 0 : found->get<double>();
  }
  /// Of all warp slots, cycles by state.
  static std::map<std::string, double> states(const TraceReader& trace) {
    std::map<std::string, double> sums;
    for (const char* const sm : {"SM 0", "SM 1"}) {
      for (const TraceThread* slot : trace.threads(sm, "warp slot ")) {
        for (const auto& [name, cycles] : slot->cycles(1)) sums[name] += cycles;
      }
    }
    return sums;
  }
  static std::set<std::string> state_names() {
    const std::vector<std::string> names = warp_state_names();
    return {names.begin(), names.end()};
  }

  const Words kTiled{"matrix_multiply", "--param", "n=48"};
  const Words kDivergent{"bfs", "--param", "nodes=512"};
};

/// Lives are tiled by states of known names.
void expect_tiled(const TraceThread& slot, const std::set<std::string>& names) {
  const std::vector<TraceSlice> lives = slot.of_depth(0);
  const std::vector<TraceSlice> states = slot.of_depth(1);
  EXPECT_TRUE(slot.of_depth(2).empty()) << slot.name;
  std::size_t next = 0;
  for (const TraceSlice& life : lives) {
    double at = life.ts;
    for (; next < states.size() && states[next].ts < life.end(); ++next) {
      EXPECT_EQ(states[next].ts, at) << slot.process << " " << slot.name << ": a hole in " << life.name;
      EXPECT_EQ(names.count(states[next].name), 1U) << states[next].name;
      at = states[next].end();
    }
    EXPECT_EQ(at, life.end()) << slot.process << " " << slot.name << ": a hole in " << life.name;
  }
  EXPECT_EQ(next, states.size());
}

TEST_F(Timelines, ShowTheStateOfEveryWarpInEveryCycle) {
  ASSERT_EQ(simulate(kTiled, {"--timeline"}).code, 0) << read("stderr.txt");
  EXPECT_EQ(read("stderr.txt"), "");
  const TraceReader trace = timeline();
  for (const char* const sm : {"SM 0", "SM 1"}) {
    const auto slots = trace.threads(sm, "warp slot ");
    EXPECT_EQ(slots.size(), 48U);
    for (const TraceThread* slot : slots) expect_tiled(*slot, state_names());
  }
  std::map<std::string, double> cycles = states(trace);
  double all = 0;
  for (const auto& [name, sum] : cycles) all += sum;
  EXPECT_EQ(all, figure("sm.warp_cycles"));
  EXPECT_EQ(cycles["selected"], figure("sm.warp_instructions"));
  EXPECT_GT(cycles["barrier"], 0);
  EXPECT_EQ(cycles["barrier"], figure("sm.barrier_wait_cycles"));
  EXPECT_GT(cycles["scoreboard_memory"], 0);
  const Json& told = trace.other().at("state_cycles");
  for (const auto& [name, sum] : cycles) {
    EXPECT_EQ(told.at("SM 0").at(name).get<double>() + told.at("SM 1").at(name).get<double>(), sum) << name;
  }
}

TEST_F(Timelines, ShowTheLivesOfThreadBlocksAndWarpsAsTheLogHasThem) {
  ASSERT_EQ(simulate(kDivergent, {"--timeline", "--tb-log"}).code, 0) << read("stderr.txt");
  const TraceReader trace = timeline();
  const Json log = Json::parse(read("out/thread_blocks.json"));
  std::set<std::string> expected_tbs;
  std::multiset<std::string> expected_warps;
  const auto text = [](const auto&... parts) {
    std::ostringstream line;
    ((line << parts << ' '), ...);
    return line.str();
  };
  for (const Json& launch : log.at("launches")) {
    for (const Json& tb : launch.at("tbs")) {
      const std::string name =
          launch.at("kernel").get<std::string>() + " TB " + std::to_string(tb.at("tb").get<int>());
      expected_tbs.insert(text("SM", tb.at("sm"), "TB slot", tb.at("slot"), name, launch.at("launch"),
                               tb.at("start"), tb.at("end")));
      for (std::size_t w = 0; w < tb.at("warps").size(); ++w) {
        const Json& warp = tb.at("warps")[w];
        expected_warps.insert(text("SM", tb.at("sm"), name + " warp " + std::to_string(w),
                                   launch.at("launch"), warp[0], warp[1]));
      }
    }
  }
  std::set<std::string> tbs;
  std::multiset<std::string> warps;
  for (const char* const sm : {"SM 0", "SM 1"}) {
    for (const TraceThread* slot : trace.threads(sm, "TB slot ")) {
      for (const TraceSlice& life : slot->slices) {
        tbs.insert(text(sm, slot->name, life.name, life.args.at("launch"), life.ts, life.end()));
      }
    }
    for (const TraceThread* slot : trace.threads(sm, "warp slot ")) {
      for (const TraceSlice& life : slot->of_depth(0)) {
        warps.insert(text(sm, life.name, life.args.at("launch"), life.ts, life.end()));
      }
    }
  }
  EXPECT_GT(tbs.size(), 8U);
  EXPECT_EQ(tbs, expected_tbs);
  EXPECT_EQ(warps, expected_warps);
}

TEST_F(Timelines, CountersAddUpToTheStatistics) {
  ASSERT_EQ(simulate(kDivergent, {"--timeline"}).code, 0) << read("stderr.txt");
  const TraceReader trace = timeline();
  const auto sum = [&trace](const char* name) {
    return trace.integral("SM 0", name) + trace.integral("SM 1", name);
  };
  EXPECT_NEAR(sum("IPC"), figure("sm.warp_instructions"), 1e-6);
  EXPECT_NEAR(sum("active warps"), figure("sm.warp_cycles"), 1e-6);
  EXPECT_NEAR(sum("MSHR entries"), figure("sm.mshr.entry_cycles"), 1e-6);
  EXPECT_GT(sum("MSHR entries"), 0);
  for (const char* const name : {"IPC", "active warps", "MSHR entries"}) {
    EXPECT_NEAR(trace.integral("GPU", name), sum(name), 1e-6) << name;
    EXPECT_EQ(trace.counter("GPU", name).back().second, 0) << name;
  }
}

// What the edge at which a run is stopped leaves counts for the cycle that begins there.
TEST_F(Timelines, CountersChangeInTheCycleInWhichTheMachineDoes) {
  ASSERT_EQ(simulate(kTiled, {"--max-cycles", "1700", "--timeline-window", "0:1701"}).code, 7);
  const TraceReader trace = timeline();
  EXPECT_GT(trace.counter("GPU", "MSHR entries").rbegin()[1].second, 0) << "in use at the end";
  EXPECT_NEAR(trace.integral("GPU", "MSHR entries"), figure("sm.mshr.entry_cycles"), 1e-6);
  EXPECT_NEAR(trace.integral("GPU", "active warps"), figure("sm.warp_cycles"), 1e-6);
  EXPECT_NEAR(trace.integral("GPU", "IPC"), figure("sm.warp_instructions"), 1e-6);
}

TEST_F(Timelines, ShowLaunchesOneAfterTheOtherAndStreamsBesideEachOther) {
  ASSERT_EQ(simulate(kDivergent, {"--timeline"}).code, 0) << read("stderr.txt");
  const auto expect_launches = [this](std::size_t tracks, const char* names) {
    const TraceReader trace = timeline();
    EXPECT_EQ(trace.threads("GPU", names).size(), tracks);
    std::map<int, const TraceSlice*> by_launch;
    for (const TraceThread* track : trace.threads("GPU", "launches")) {
      for (const TraceSlice& slice : track->slices) by_launch[slice.args.at("launch").get<int>()] = &slice;
    }
    const Json launches = stats("out").at("launches");
    ASSERT_EQ(by_launch.size(), launches.size());
    for (const Json& launch : launches) {
      const TraceSlice& slice = *by_launch.at(launch.at("id").get<int>());
      EXPECT_EQ(slice.name, launch.at("kernel"));
      EXPECT_EQ(slice.ts, launch.at("first_cycle").get<double>());
      EXPECT_EQ(slice.dur, figure_in(launch.at("metrics"), "cycles"));
    }
  };
  expect_launches(1, "launches");
  ASSERT_EQ(
      simulate({"vector_add", "scalar_product", "--param", "n=512", "--param", "pairs=16"}, {"--timeline"})
          .code,
      0)
      << read("stderr.txt");
  expect_launches(2, "launches of ");
}

TEST_F(Timelines, FollowMemoryRequestsThroughTheMachineAndBack) {
  // An L2 that the graph does not fit in.
  ASSERT_EQ(simulate(kDivergent, {"--timeline-requests", "1", "--set", "l2.cache.sets=1"}).code, 0)
      << read("stderr.txt");
  const TraceReader trace = timeline();
  double accesses = 0;
  for (const char* const kind : {"loads_l1_hit", "loads_l2_hit", "loads_dram", "stores", "atomics"}) {
    accesses += figure(std::string("sm.ldst.requests.") + kind + ".requests");
  }
  std::map<int, std::vector<std::pair<double, std::string>>> ways;
  std::map<std::string, double> cycles;
  for (const auto& [id, thread] : trace.threads()) {
    if (thread.name.rfind("requests: ", 0) != 0) continue;
    for (const TraceSlice& slice : thread.slices) {
      ways[slice.args.at("request").get<int>()].emplace_back(slice.ts, thread.process + " " + slice.name);
      cycles[slice.name] += slice.dur;
    }
  }
  EXPECT_EQ(static_cast<double>(ways.size()), accesses);
  std::set<std::string> seen;
  for (auto& [request, way] : ways) {
    std::sort(way.begin(), way.end());
    std::string line;
    for (const auto& [ts, stage] : way)
      line += stage.substr(stage.find(' ') == 2 ? 5 : stage.rfind(' ') + 1) + " ";
    seen.insert(line);
  }
  EXPECT_EQ(trace.flows().size(),
            static_cast<std::size_t>(std::count_if(ways.begin(), ways.end(),
                                                   [](const auto& way) { return way.second.size() > 1; })));
  const std::string to_dram =
      "l1d mshr memory_port request_network l2_queue l2 dram_queue dram l2 reply_queue reply_network fill ";
  EXPECT_TRUE(std::any_of(seen.begin(), seen.end(), [&](const std::string& way) {
    return way.size() >= to_dram.size() && way.substr(way.size() - to_dram.size()) == to_dram;
  })) << ::testing::PrintToString(seen);
  // A cycle is 1428571 fs; times are cut to thousandths of it.
  double dram = 0;
  for (const char* const kind : {"loads_l2_hit", "loads_dram", "stores", "atomics"}) {
    dram += figure(std::string("sm.ldst.requests.") + kind + ".dram");
  }
  EXPECT_GT(dram, 0);
  EXPECT_NEAR(cycles["dram"], dram / 1428571, 0.002 * static_cast<double>(ways.size()));
}

TEST_F(Timelines, FollowTheLinesThatTheTextureCacheFetches) {
  ASSERT_EQ(simulate({"convolution_texture", "--param", "width=64", "--param", "height=24"},
                     {"--timeline-requests", "1", "--set", "l2.cache.sets=1"})
                .code,
            0)
      << read("stderr.txt");
  const TraceReader trace = timeline();
  std::set<int> textures;
  std::map<int, std::map<double, std::string>> ways;
  for (const auto& [id, thread] : trace.threads()) {
    for (const TraceSlice& slice : thread.slices) {
      if (!slice.args.contains("request")) continue;
      const int request = slice.args.at("request").get<int>();
      if (slice.args.value("kind", "") == "texture") textures.insert(request);
      ways[request].emplace(slice.ts, slice.name);
    }
  }
  EXPECT_EQ(static_cast<double>(textures.size()), figure("sm.texture.misses"));
  std::set<std::string> seen;
  for (const int request : textures) {
    std::string line;
    for (const auto& [ts, stage] : ways.at(request)) line += stage + " ";
    seen.insert(line);
  }
  const std::string to_dram =
      "ldst l1d memory_port request_network l2_queue l2 dram_queue dram l2 reply_queue reply_network ";
  EXPECT_EQ(seen.count(to_dram), 1U) << ::testing::PrintToString(seen);
  // Warps that find the LD/ST unit taken wait for it in a state of their own.
  const auto waited = states(trace);
  EXPECT_GT(waited.at("pipeline_ldst_texture"), 0);
}

TEST_F(Timelines, FollowOneRequestInSoMany) {
  const auto followed = [this](const char* one_in) {
    EXPECT_EQ(simulate(kDivergent, {"--timeline-requests", one_in}).code, 0) << read("stderr.txt");
    std::set<std::pair<int, int>> numbers;
    const TraceReader trace = timeline();
    for (const auto& [id, thread] : trace.threads()) {
      for (const TraceSlice& slice : thread.slices) {
        if (slice.args.contains("number")) {
          numbers.emplace(slice.args.at("sm").get<int>(), slice.args.at("number").get<int>());
        }
      }
    }
    return numbers;
  };
  std::set<std::pair<int, int>> expected;
  for (const auto& one : followed("1")) {
    if (one.second % 7 == 0) expected.insert(one);
  }
  EXPECT_EQ(followed("7"), expected);
  EXPECT_TRUE(followed("0").empty());
}

TEST_F(Timelines, NeverChangeAResultAndAreTheSameHoweverTheRunIsSimulated) {
  for (const Words& workload : {kDivergent, Words{"long_warp", "--config", "warpman", "--set",
                                                  "core.resources.management=warp_temporal_spatial"}}) {
    const Words few{"--timeline-events", "20000", "--timeline-requests", "2", "--max-cycles", "9000"};
    Words without = workload;
    without.insert(without.end(), {"--max-cycles", "9000"});
    const int code = simulate(without).code;
    const std::string stats_without = read("out/stats.json");
    ASSERT_EQ(simulate(workload, few).code, code) << read("stderr.txt");
    EXPECT_TRUE(read("out/stats.json") == stats_without);
    const std::string expected = read("out/timeline.json");
    EXPECT_GT(expected.size(), 100'000U);
    for (const Words& way : {Words{"--no-sleep"},
                             {"--processes"},
                             {"--reverse-construction"},
                             {"--threads", "2", "--oversubscribe"}}) {
      Words more = few;
      more.insert(more.end(), way.begin(), way.end());
      ASSERT_EQ(simulate(workload, more).code, code) << read("stderr.txt");
      EXPECT_TRUE(read("out/timeline.json") == expected) << way.front();
    }
  }
}

/// The states of a trace, cycle by cycle, of a slot.
std::vector<std::string> cycle_by_cycle(const TraceThread& slot, double end) {
  std::vector<std::string> states(static_cast<std::size_t>(end), "no_warp");
  for (const TraceSlice& slice : slot.of_depth(1)) {
    for (auto c = static_cast<std::size_t>(slice.ts); static_cast<double>(c) < std::min(slice.end(), end);
         ++c)
      states[c] = slice.name;
  }
  return states;
}

TEST_F(Timelines, OfBoundedSizeShowTheStatesThatHeldLongestAndSaySo) {
  ASSERT_EQ(simulate(kDivergent, {"--timeline"}).code, 0) << read("stderr.txt");
  const TraceReader full = timeline();
  EXPECT_TRUE(full.other().at("left_out").empty());
  const double end = full.other().at("end_cycle");
  for (const int most : {20'000, 3'000}) {
    ASSERT_EQ(simulate(kDivergent, {"--timeline-events", std::to_string(most)}).code, 0)
        << read("stderr.txt");
    const TraceReader trace = timeline();
    EXPECT_LE(trace.events(), static_cast<std::size_t>(most));
    EXPECT_GT(trace.events(), static_cast<std::size_t>(most) / 10);
    const double quantum = trace.other().at("shortest_slice_cycles");
    EXPECT_GT(quantum, 1);
    const std::string said = trace.other().at("left_out").dump();
    EXPECT_NE(said.find("shorter than"), std::string::npos) << said;
    EXPECT_NE(read("stderr.txt").find("heddle: timeline.json leaves out states and lives shorter than "),
              std::string::npos)
        << read("stderr.txt");
    EXPECT_EQ(trace.other().at("state_cycles"), full.other().at("state_cycles"));
    unsigned merged = 0;
    for (const TraceThread* slot : trace.threads("SM 0", "warp slot ")) {
      const std::vector<std::string> truth = cycle_by_cycle(full.thread("SM 0", slot->name), end);
      for (const TraceSlice& slice : slot->of_depth(1)) {
        std::map<std::string, double> held;
        for (auto c = static_cast<std::size_t>(slice.ts); c < static_cast<std::size_t>(slice.end()); ++c) {
          ++held[truth[c]];
        }
        double longest = 0;
        for (const auto& [name, cycles] : held) longest = std::max(longest, cycles);
        EXPECT_EQ(held[slice.name], longest) << slot->name << " at " << slice.ts;
        EXPECT_EQ(slice.args.value("held", slice.dur), longest) << slot->name << " at " << slice.ts;
        merged += held.size() > 1 ? 1 : 0;
      }
    }
    EXPECT_GT(merged, 10U);
    for (const char* const name : {"IPC", "active warps", "MSHR entries"}) {
      EXPECT_NEAR(trace.integral("GPU", name), full.integral("GPU", name), 1e-6) << name;
    }
  }
}

TEST_F(Timelines, AreBoundedWhateverTheRunAndTheLeastSize) {
  ASSERT_EQ(
      run({"run", "bfs", "--param", "nodes=512", "--quiet", "--out", "out", "--timeline-events", "1000"})
          .code,
      0)
      << read("stderr.txt");
  const TraceReader trace = timeline();
  EXPECT_LE(trace.events(), 1000U);
  EXPECT_EQ(trace.threads("SM 1", "warp slot ").size(), 48U);
  EXPECT_TRUE(trace.threads("SM 2", "").empty());
  EXPECT_NE(read("stderr.txt").find("leaves out 13 of 15 SMs, the last ones; "), std::string::npos)
      << read("stderr.txt");
}

TEST_F(Timelines, ShowAWindowAndTheSmsAskedFor) {
  ASSERT_EQ(simulate(kDivergent, {"--timeline"}).code, 0) << read("stderr.txt");
  const TraceReader full = timeline();
  ASSERT_EQ(simulate(kDivergent, {"--timeline-window", "6000:10000", "--timeline-sms", "1"}).code, 0)
      << read("stderr.txt");
  const TraceReader part = timeline();
  EXPECT_TRUE(part.threads("SM 0", "").empty());
  EXPECT_EQ(part.other().at("first_cycle"), 6000);
  EXPECT_EQ(part.other().at("end_cycle"), 10000);
  unsigned states = 0;
  for (const TraceThread* slot : part.threads("SM 1", "warp slot ")) {
    expect_tiled(*slot, state_names());
    const std::vector<std::string> all = cycle_by_cycle(full.thread("SM 1", slot->name), 10000);
    const std::vector<std::string> window = cycle_by_cycle(*slot, 10000);
    for (std::size_t c = 0; c < 10000; ++c)
      ASSERT_EQ(window[c], c < 6000 ? "no_warp" : all[c]) << slot->name << " " << c;
    states += static_cast<unsigned>(slot->slices.size());
  }
  EXPECT_GT(states, 100U);
  unsigned cut = 0;
  for (const TraceThread* slot : part.threads("SM 1", "TB slot ")) {
    for (const TraceSlice& life : slot->slices) {
      const auto& lives = full.thread("SM 1", slot->name).slices;
      const auto same = std::find_if(lives.begin(), lives.end(), [&](const TraceSlice& l) {
        return l.name == life.name && l.args.at("launch") == life.args.at("launch");
      });
      ASSERT_NE(same, lives.end()) << life.name;
      EXPECT_EQ(life.ts, std::max(same->ts, 6000.0));
      EXPECT_EQ(life.end(), std::min(same->end(), 10000.0));
      EXPECT_EQ(life.args.contains("began_before"), same->ts < 6000) << life.name;
      EXPECT_EQ(life.args.contains("goes_on"), same->end() > 10000) << life.name;
      cut += static_cast<unsigned>(life.args.contains("began_before") + life.args.contains("goes_on"));
    }
  }
  EXPECT_GE(cut, 2U);
}

TEST_F(Timelines, OfARunThatIsCutShortAreWholeAndSaySo) {
  ASSERT_EQ(simulate(kTiled, {"--timeline", "--max-cycles", "1500"}).code, 7);
  const TraceReader trace = timeline();
  EXPECT_EQ(trace.other().at("status"), "partial");
  EXPECT_EQ(trace.other().at("reason"), "stopped at core cycle 1500, the limit of --max-cycles");
  EXPECT_EQ(trace.other().at("end_cycle"), 1501) << "that cycle has been simulated";
  std::map<std::string, double> cycles = states(trace);
  double all = 0;
  for (const auto& [name, sum] : cycles) all += sum;
  EXPECT_EQ(all, figure("sm.warp_cycles"));
  EXPECT_EQ(cycles["selected"], figure("sm.warp_instructions"));
  for (const TraceThread* slot : trace.threads("SM 0", "warp slot ")) {
    for (const TraceSlice& life : slot->of_depth(0))
      EXPECT_EQ(life.args.contains("goes_on"), life.end() == 1501);
  }
  const ProgramOutcome outcome = run({"run", "bfs", "--size", "large", "--quiet", "--out", "cut",
                                      "--timeline-sms", "0", "--max-seconds", "1"});
  EXPECT_EQ(outcome.code, 11) << outcome.err;
  EXPECT_EQ(timeline("cut/timeline.json").other().at("status"), "partial");
}

TEST_F(Timelines, GoWhereTheUserSays) {
  ASSERT_EQ(simulate(kTiled, {"--timeline=t.json"}).code, 0) << read("stderr.txt");
  EXPECT_FALSE(fs::exists(folder_ / "out/timeline.json"));
  EXPECT_EQ(timeline("t.json").other().at("workload"), "matrix_multiply");
  ASSERT_EQ(simulate(kTiled, {"--timeline"}).code, 0) << "the next run's";
  ASSERT_EQ(simulate(kTiled).code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "out/timeline.json")) << "a run removes what an earlier one left";
  const ProgramOutcome nowhere = simulate(kTiled, {"--timeline=no/such/folder.json"});
  EXPECT_EQ(nowhere.code, 6);
  EXPECT_EQ(nowhere.err, "heddle: no/such/folder.json: can't write: No such file or directory\n");
  EXPECT_FALSE(fs::exists(folder_ / "out/stats.json"));
}

TEST_F(Timelines, OfSmsThatThereAreNotAreRefused) {
  const ProgramOutcome outcome = simulate(kTiled, {"--timeline-sms", "0,2"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "heddle run: --timeline-sms: there is no SM 2; expected 0 to 1\n");
}

TEST_F(Timelines, OfAWindowAfterTheRunsEndSaySo) {
  ASSERT_EQ(simulate(kTiled, {"--timeline-window", "900000:"}).code, 0);
  EXPECT_EQ(
      read("stderr.txt"),
      "heddle: timeline.json leaves out everything: the run ended before cycle 900000, the window's first\n");
  EXPECT_TRUE(timeline().thread("SM 0", "warp slot 0").slices.empty());
}

}  // namespace
}  // namespace heddle
