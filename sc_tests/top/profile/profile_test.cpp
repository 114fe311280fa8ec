// profile.json of the built program: exact figures of small kernels, sums of others, the same whatever way it
// is simulated.
#include <numeric>

#include "sc_tests/top/commands/command_line_fixture.h"
#include "sc_tests/top/machines/sums.h"
#include "top/support/stats_file.h"

namespace heddle {
namespace {

using nlohmann::json;

class ProfileOfRuns : public BuiltProgram {
 protected:
  json profile(const std::string& out) const { return json::parse(read(out + "/profile.json")); }
  json run_profiled(std::vector<std::string> arguments, int code = 0) {
    arguments.insert(arguments.begin(), "run");
    arguments.insert(arguments.end(), {"--profile", "--quiet", "--out", "out"});
    const ProgramOutcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    return profile("out");
  }
  /// One warp runs `body` with the address of a buffer of 64 KB in %rd1 and its lane in %r1.
  json profile_of(const std::string& body, unsigned threads = 32) {
    write("small.ptx",
          ".version 3.2\n.target sm_20\n.address_size 64\n.file 1 \"small.cu\"\n"
          ".visible .entry small(.param .u64 a)\n{\n.reg .u64 %rd<9>;\n.reg .u32 %r<20>;\n"
          ".reg .pred %p<4>;\n.reg .f32 %f<9>;\n.shared .align 4 .b8 room[8192];\n"
          "ld.param.u64 %rd1, [a];\nmov.u32 %r1, %tid.x;\n" +
              body + "ret;\n}\n");
    const std::string workload = write("small.yaml",
                                       "name: small\ndescription: some lines\nptx: small.ptx\n"
                                       "buffers:\n  a: {type: u32, count: 16384, init: 0}\n"
                                       "launches:\n  - {kernel: small, grid: 1, block: " +
                                           std::to_string(threads) + ", args: [a]}\n");
    return run_profiled({workload, "--set", "core.sms=1"});
  }
  /// The lines whose text has `part`, which must be one.
  static json line(const json& profile, const std::string& part) {
    json found;
    for (const json& line : profile.at("kernels").at(0).at("lines")) {
      if (line.at("text").get<std::string>().find(part) == std::string::npos) continue;
      EXPECT_TRUE(found.is_null()) << "two lines have " << part;
      found = line;
    }
    EXPECT_FALSE(found.is_null()) << "no line has " << part;
    return found;
  }
  static std::uint64_t cycles(const json& profile, const json& entry, const std::string& state) {
    const json& states = profile.at("states");
    for (std::size_t s = 0; s < states.size(); ++s) {
      if (states[s].at("name") == state) return entry.at("cycles").at(s);
    }
    ADD_FAILURE() << "there is no state " << state;
    return 0;
  }
};

TEST_F(ProfileOfRuns, CountsTheLinesThatAnAccessTouches) {
  const json run = profile_of(
      "mul.wide.u32 %rd2, %r1, 128;\nadd.u64 %rd3, %rd1, %rd2;\n"
      "ld.global.u32 %r2, [%rd3];\n"      // 32 lines
      "add.u32 %r3, %r2, 1;\n"            // waits for it
      "ld.global.u32 %r4, [%rd3+4];\n"    // 32 lines, all there
      "st.global.u32 [%rd3+8], %r4;\n");  // 32 accesses
  const json load = line(run, "%r2, [%rd3]");
  EXPECT_EQ(load.at("issued"), 1);
  EXPECT_EQ(load.at("lanes"), 32);
  EXPECT_EQ(load.at("memory").at("space"), "global");
  EXPECT_EQ(load.at("memory").at("accesses"), 32);
  EXPECT_EQ(load.at("memory").at("lanes"), 32);
  EXPECT_EQ(load.at("memory").at("bytes"), 128);
  EXPECT_EQ(load.at("memory").at("moved_bytes"), 32 * 128);
  EXPECT_EQ(load.at("memory").at("l1d_misses"), 32);
  EXPECT_EQ(load.at("memory").at("l1d_hits"), 0);
  EXPECT_EQ(load.at("memory").at("results"), 1);
  const json again = line(run, "[%rd3+4]");
  EXPECT_EQ(again.at("memory").at("l1d_hits"), 32);
  EXPECT_EQ(again.at("memory").at("l1d_misses"), 0);
  const json store = line(run, "st.global");
  EXPECT_EQ(store.at("memory").at("accesses"), 32);
  EXPECT_EQ(store.at("memory").at("moved_bytes"), 32 * 32);
  EXPECT_EQ(store.at("memory").at("results"), 0);
  // The wait for the load is that of the line that needs it, and lasts until it may issue.
  const auto waited = cycles(run, line(run, "%r3, %r2, 1"), "scoreboard_memory");
  const std::uint64_t latency = load.at("memory").at("result_cycles");
  EXPECT_GT(latency, 200U);
  EXPECT_GE(waited, latency);
  EXPECT_LE(waited, latency + 5);
  EXPECT_EQ(cycles(run, load, "scoreboard_memory"), 0U);
}

TEST_F(ProfileOfRuns, LoadsOfALineUnderWayMerge) {
  const json run = profile_of(
      "ld.global.u32 %r2, [%rd1];\nld.global.u32 %r3, [%rd1+4];\nadd.u32 %r4, %r2, %r3;\n"
      "st.global.u32 [%rd1], %r4;\n");
  EXPECT_EQ(line(run, "%r2, [%rd1]").at("memory").at("l1d_misses"), 1);
  EXPECT_EQ(line(run, "%r3, [%rd1+4]").at("memory").at("l1d_merged"), 1);
  EXPECT_EQ(line(run, "%r2, [%rd1]").at("memory").at("accesses"), 1);
}

TEST_F(ProfileOfRuns, CountsBankConflictsAndConstants) {
  const json run = profile_of(
      "mov.u32 %r5, room;\nshl.b32 %r6, %r1, 2;\nadd.u32 %r7, %r5, %r6;\nshl.b32 %r8, %r1, 7;\n"
      "add.u32 %r9, %r5, %r8;\nst.shared.u32 [%r7], %r1;\n"  // a bank each
      "ld.shared.u32 %r10, [%r9];\n"                         // all of one bank
      "st.global.u32 [%rd1], %r10;\n");
  EXPECT_EQ(line(run, "st.shared").at("memory").at("bank_cycles"), 1);
  EXPECT_EQ(line(run, "st.shared").at("memory").at("bank_conflict_cycles"), 0);
  EXPECT_EQ(line(run, "ld.shared").at("memory").at("bank_cycles"), 32);
  EXPECT_EQ(line(run, "ld.shared").at("memory").at("bank_conflict_cycles"), 31);
  EXPECT_EQ(line(run, "ld.param").at("memory").at("constants"), 1);
  EXPECT_EQ(line(run, "ld.param").at("memory").count("l1d_hits"), 0U);
}

TEST_F(ProfileOfRuns, CountsTheLinesThatATextureFetchLooksUp) {
  const json run = run_profiled(
      {"convolution_texture", "--param", "width=64", "--param", "height=24", "--set", "core.sms=1"});
  const json statistics = stats("out");
  double lines = 0;
  double misses = 0;
  for (const json& kernel : run.at("kernels")) {
    for (const json& line : kernel.at("lines")) {
      if (!line.contains("memory") || line.at("memory").at("space") != "texture") continue;
      const json& memory = line.at("memory");
      EXPECT_EQ(memory.at("texture_lines").get<double>(),
                memory.at("texture_hits").get<double>() + memory.at("texture_pending_hits").get<double>() +
                    memory.at("texture_misses").get<double>())
          << line;
      EXPECT_EQ(memory.count("l1d_hits"), 0U);
      lines += memory.at("texture_lines").get<double>();
      misses += memory.at("texture_misses").get<double>();
    }
  }
  EXPECT_GT(misses, 0);
  EXPECT_GT(lines, misses);
  EXPECT_EQ(lines, find_metric(statistics.at("metrics"), "sm.ldst.texture_lines")->get<double>());
  // More warps want to fetch than a unit of four lanes a cycle serves.
  EXPECT_GT(cycles(run, run.at("gpu"), "pipeline_ldst_texture"), 1000U);
}

TEST_F(ProfileOfRuns, TellsLanesThatExecuteFromThoseOnThePath) {
  const json run = profile_of("setp.lt.u32 %p1, %r1, 5;\n@%p1 add.u32 %r2, %r1, 77;\nmov.u32 %r3, %r2;\n");
  const json guarded = line(run, "%r2, %r1, 77");
  EXPECT_EQ(guarded.at("lanes"), 5);
  EXPECT_EQ(guarded.at("path_lanes"), 32);
}

TEST_F(ProfileOfRuns, AWaitAtABarrierIsTheBarriersAndADrainTheExits) {
  const json run = profile_of(
      "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra LATE;\nbra MEET;\nLATE:\nld.global.u32 %r2, [%rd1];\n"
      "add.u32 %r3, %r2, 1;\nMEET:\nbar.sync 0;\nst.global.u32 [%rd1+64], %r1;\n",
      64);
  EXPECT_GT(cycles(run, line(run, "bar.sync"), "barrier"), 200U);
  EXPECT_EQ(cycles(run, line(run, "st.global"), "barrier"), 0U);
  EXPECT_GT(cycles(run, line(run, "ret"), "drain"), 100U) << "until the stores are acknowledged";
  EXPECT_EQ(line(run, "bar.sync").at("issued"), 2);
  EXPECT_EQ(line(run, "ld.global").at("issued"), 1);
}

TEST_F(ProfileOfRuns, LinesAreThoseOfThePtxFileAndItsSource) {
  const json run = profile_of(
      ".loc 1 12 3\nadd.u32 %r2, %r1, 1;\nadd.u32 %r3, %r2, 2;\n.loc 1 14 3\nadd.u32 %r4, %r3, 3;\n");
  EXPECT_EQ(line(run, "%r1, 1").at("line"), 15);
  EXPECT_EQ(line(run, "%r1, 1").at("source"), "small.cu:12");
  EXPECT_EQ(line(run, "%r2, 2").at("source"), "small.cu:12");
  EXPECT_EQ(line(run, "%r3, 3").at("source"), "small.cu:14");
  EXPECT_EQ(line(run, "ld.param").count("source"), 0U);
  EXPECT_EQ(run.at("kernels").at(0).at("name"), "small");
}

TEST_F(ProfileOfRuns, TheFunnelIsThatOfTheRun) {
  const json run = run_profiled({"vector_add", "--param", "n=20000", "--set", "core.sms=2"});
  const json& gpu = run.at("gpu");
  const double cycles = gpu.at("scheduler_cycles");
  const json statistics = stats("out");
  const auto metric = [&statistics](const std::string& name) {
    return find_metric(statistics.at("metrics"), name)->get<double>();
  };
  const json& funnel = gpu.at("funnel");
  EXPECT_NEAR(funnel.at("active"), metric("concurrent_warps") / 2, 1e-9) << "two schedulers an SM";
  const double slots = 48;
  EXPECT_NEAR(funnel.at("active"), metric("achieved_occupancy") * slots / 2, 1e-9);
  EXPECT_NEAR(funnel.at("issued"), metric("sm.warp_instructions") / cycles, 1e-9);
  EXPECT_GE(funnel.at("eligible"), funnel.at("issued"));
  EXPECT_GE(funnel.at("theoretical"), funnel.at("active"));
  const json& launch = statistics.at("launches").at(0).at("metrics");
  const double theoretical = find_metric(launch, "occupancy")->get<double>() * slots / 2;
  EXPECT_NEAR(funnel.at("theoretical"), theoretical, 1e-9);
  // gto issues whenever a warp is eligible.
  EXPECT_EQ(
      gpu.at("no_eligible_cycles").get<std::uint64_t>() + gpu.at("warp_instructions").get<std::uint64_t>(),
      gpu.at("scheduler_cycles").get<std::uint64_t>());
  EXPECT_NEAR(gpu.at("cycles_per_instruction"),
              gpu.at("warp_cycles").get<double>() / gpu.at("warp_instructions").get<double>(), 1e-9);
}

TEST_F(ProfileOfRuns, AThrottlingPolicyHoldsEligibleWarpsBack) {
  const json free = run_profiled({"bfs", "--param", "nodes=2048", "--set", "core.sms=1"});
  EXPECT_EQ(cycles(free, free.at("gpu"), "held_by_policy"), 0U);
  const json held = run_profiled({"bfs", "--param", "nodes=2048", "--set", "core.sms=1", "--scheduler",
                                  "swl+gto", "--set", "scheduler.swl.warps=2"});
  EXPECT_GT(cycles(held, held.at("gpu"), "held_by_policy"), 1000U);
}

/// A run: arguments, exit code.
struct ProfileCase {
  const char* name;
  std::vector<std::string> arguments;
  int code = 0;
};
void PrintTo(const ProfileCase& run, std::ostream* out) { *out << run.name; }

class ProfileSums : public ProfileOfRuns, public ::testing::WithParamInterface<ProfileCase> {};

TEST_P(ProfileSums, AreThoseOfTheStatistics) {
  const json profile = run_profiled(GetParam().arguments, GetParam().code);
  const test::Sums sums = test::check_profile(profile, stats("out"));
  EXPECT_EQ(sums.open, "");
  EXPECT_GT(sums.checked, 50U);
  const json statistics = stats("out");
  ASSERT_EQ(profile.at("launches").size(), statistics.at("launches").size());
  for (std::size_t i = 0; i < profile.at("launches").size(); ++i) {
    const json& launch = profile.at("launches").at(i);
    const json& metrics = statistics.at("launches").at(i).at("metrics");
    EXPECT_EQ(launch.at("warp_cycles"), *find_metric(metrics, "sm.warp_cycles")) << i;
    EXPECT_EQ(launch.at("warp_instructions"), *find_metric(metrics, "sm.warp_instructions")) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Runs, ProfileSums,
    ::testing::Values(
        ProfileCase{"bfs", {"bfs", "--param", "nodes=2048", "--set", "core.sms=2"}},
        ProfileCase{"barriers_and_banks", {"bitonic_sort", "--set", "core.sms=2"}},
        ProfileCase{
            "textures",
            {"convolution_texture", "--param", "width=64", "--param", "height=24", "--set", "core.sms=2"}},
        ProfileCase{"atomics", {"histogram", "--set", "core.sms=2", "--scheduler", "two_level_active"}},
        ProfileCase{"cut_off", {"hotspot", "--max-cycles", "3000", "--scheduler", "oaws_dynamic+pro"}, 7},
        ProfileCase{"warp_resources",
                    {"scalar_product", "--set", "core.sms=2", "--set",
                     "core.resources.management=warp_temporal_spatial"}},
        ProfileCase{"stages",
                    {"vector_add", "--param", "n=8192", "--set", "core.sms=1", "--set",
                     "scheduler.timing=hardware", "--set", "scheduler.choice_cycles=2"}},
        ProfileCase{"streams",
                    {"vector_add", "scalar_product", "--param", "n=8192", "--param", "pairs=8", "--param",
                     "length=256", "--set", "core.sms=2", "--arrival", "0"}}),
    [](const auto& test) { return std::string(test.param.name); });

class ProfileAnyWay : public ProfileOfRuns, public ::testing::WithParamInterface<ProfileCase> {};

TEST_P(ProfileAnyWay, IsTheSameAndChangesNoResult) {
  const auto results = [this](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run", "--quiet", "--out", "out", "--max-cycles", "4000"};
    arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    const int code = run(arguments).code;
    EXPECT_TRUE(code == 0 || code == 7) << code << read("stderr.txt");
    return read("out/stats.json") + read("out/cost.json");
  };
  const std::string without = results({});
  EXPECT_EQ(results({"--profile"}) == without, true) << "stats.json or cost.json depend on --profile";
  const std::string bytes = read("out/profile.json");
  EXPECT_GT(bytes.size(), 1000U);
  for (const std::vector<std::string>& variant : {std::vector<std::string>{"--no-sleep"},
                                                  {"--reverse-construction"},
                                                  {"--processes"},
                                                  {"--threads", "2", "--oversubscribe"}}) {
    std::vector<std::string> arguments{"--profile"};
    arguments.insert(arguments.end(), variant.begin(), variant.end());
    results(arguments);
    EXPECT_EQ(read("out/profile.json") == bytes, true) << arguments[1];
  }
}

INSTANTIATE_TEST_SUITE_P(
    Runs, ProfileAnyWay,
    ::testing::Values(ProfileCase{"bfs", {"bfs", "--param", "nodes=4096", "--scheduler", "pro"}},
                      // Reads parts that are counted when it hears of loads.
                      ProfileCase{"ccws", {"spmv", "--scheduler", "ccws+gto", "--set", "core.sms=4"}},
                      ProfileCase{"oaws",
                                  {"atax", "--scheduler", "oaws_dynamic+pro", "--set", "core.sms=4"}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_F(ProfileOfRuns, IsOfTheRunOnlyAndInTheRunsOfCompareAndSweep) {
  run_profiled({"vector_add", "--param", "n=512"});
  EXPECT_EQ(run({"run", "vector_add", "--param", "n=512", "--quiet", "--out", "out"}).code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "out/profile.json")) << "that of an earlier run";
  EXPECT_EQ(run({"compare", "vector_add", "--param", "n=512", "--scheduler", "gto,lrr", "--profile", "--out",
                 "two"})
                .code,
            0);
  EXPECT_EQ(profile("two/02-vector_add-lrr").at("scheduler"), "lrr");
  EXPECT_EQ(
      run({"sweep", "vector_add", "--param", "n=512", "--set", "core.sms=1,2", "--profile", "--out", "swept"})
          .code,
      0);
  EXPECT_EQ(profile("swept/02-core.sms=2").at("sms").size(), 2U);
  run({"pairs", "vector_add", "scalar_product", "--set", "core.sms=8", "--policy", "fifo", "--profile",
       "--cache", "cache", "--out", "pairs"});
  unsigned pairs = 0;
  for (const auto& entry : fs::directory_iterator(folder_ / "pairs")) {
    if (fs::exists(entry.path() / "profile.json")) ++pairs;
  }
  EXPECT_EQ(pairs, 1U) << read("stderr.txt");
  EXPECT_EQ(run({"run", "vector_add", "--functional", "--profile"}).code, 2);
  EXPECT_EQ(run({"pairs", "ercbench", "--profile"}).code, 2) << "nothing executes";
}

TEST_F(ProfileOfRuns, TheSummaryShowsTheHottestLines) {
  const ProgramOutcome outcome =
      run({"run", "bfs", "--param", "nodes=2048", "--set", "core.sms=1", "--profile", "--out", "out"});
  const std::size_t begin = outcome.out.find("Hottest lines\n");
  ASSERT_NE(begin, std::string::npos) << outcome.out;
  json hottest;
  std::uint64_t most = 0;
  std::uint64_t all = 0;
  const json kernels = profile("out").at("kernels");
  for (const json& kernel : kernels) {
    for (const json& line : kernel.at("lines")) {
      const auto states = line.at("cycles").get<std::vector<std::uint64_t>>();
      const std::uint64_t sum = std::accumulate(states.begin(), states.end() - 1, std::uint64_t{0});
      all += sum;
      if (sum > most) hottest = line;
      most = std::max(most, sum);
    }
  }
  const std::size_t first = outcome.out.find("bfs.ptx:", begin);
  ASSERT_NE(first, std::string::npos) << outcome.out;
  const std::string row = outcome.out.substr(first, outcome.out.find('\n', first) - first);
  EXPECT_EQ(row.find("bfs.ptx:" + std::to_string(hottest.at("line").get<unsigned>()) + " "), 0U) << row;
  char share[16];
  std::snprintf(share, sizeof(share), "%.1f%%", 100.0 * static_cast<double>(most) / static_cast<double>(all));
  EXPECT_NE(row.find(share), std::string::npos) << row;
}

}  // namespace
}  // namespace heddle
