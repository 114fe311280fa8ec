// Commands that build or run several things: cost, compare, sweep, pairs, several workloads.
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "sc_tests/support/paths.h"
#include "sc_tests/top/commands/command_line_fixture.h"
#include "top/support/processes/exit_code.h"

namespace heddle {
namespace {

TEST_F(BuiltProgram, ShownConfigurationIsReadBack) {
  const ProgramOutcome shown =
      run({"config", "show", "--config", "gtx480", "--set", "core.sms=4", "--describe"});
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find("sms: 4  # default: 15"), std::string::npos);
  const std::string file = write("shown.yaml", shown.out);
  EXPECT_EQ(run({"config", "show", "--config", file, "--describe"}).out, shown.out);
}

TEST_F(BuiltProgram, CostIsPrintedInFourFormats) {
  const ProgramOutcome text = run({"cost", "--scheduler", "lrr", "--set", "core.sms=4"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_EQ(text.err, "");
  EXPECT_EQ(text.out.find("Cost: scheduler lrr, timing ideal, config gtx480\n"), 0U) << text.out;
  EXPECT_EQ(text.out.find("Technology scaled40"), std::string::npos) << text.out;
  const ProgramOutcome all =
      run({"cost", "--scheduler", "lrr", "--set", "core.sms=4", "--all", "--format", "markdown"});
  EXPECT_EQ(all.out.find("# Cost: scheduler lrr, "), 0U) << all.out;
  EXPECT_NE(all.out.find("Technology scaled40"), std::string::npos) << all.out;
  const ProgramOutcome json =
      run({"cost", "--format", "json", "--technology", "osu018", "--config", "gtx480"});
  const auto table = nlohmann::json::parse(json.out);
  EXPECT_EQ(table.at("scheduler"), "gto");
  EXPECT_EQ(table.at("sms"), 15);
  EXPECT_EQ(table.at("technology").at("nand2_area_um2").at("value"), 24);
  EXPECT_EQ(run({"cost", "--format", "csv"}).out.find("block,structure,kind,"), 0U);
}

TEST_F(BuiltProgram, CostNamesWhatIsWrong) {
  EXPECT_EQ(run({"cost", "--format", "pdf"}).code, 2);
  const ProgramOutcome scheduler = run({"cost", "--scheduler", "gtoo"});
  EXPECT_EQ(scheduler.code, 3);
  EXPECT_NE(scheduler.err.find("did you mean 'gto'?"), std::string::npos) << scheduler.err;
  const ProgramOutcome name = run({"cost", "--technology", "n7"});
  EXPECT_EQ(name.code, 3);
  EXPECT_NE(name.err.find("found no technology 'n7', expected one of"), std::string::npos) << name.err;
  const std::string file = write("cells.yaml", "technologies: {a: {fo4_ps: {value: 9, source: test}}}");
  const ProgramOutcome lacking = run({"cost", "--technology", file});
  EXPECT_EQ(lacking.code, 0);
  EXPECT_NE(lacking.err.find("'a' has no nand2_area_um2: area is left out\n"), std::string::npos)
      << lacking.err;
}

TEST_F(BuiltProgram, ComparesSchedulersSideBySide) {
  const std::vector<std::string> arguments{
      "compare", "vector_add", "atax",       "--scheduler",  "gto",    "--scheduler",
      "lrr",     "--set",      "core.sms=2", "--max-cycles", "100000", "--param",
      "n=64",    "--format",   "json",       "--out",        "c"};
  const ProgramOutcome outcome = run(arguments);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[0].at("speedup"), 1);
  EXPECT_EQ(rows[3].at("workload"), "atax");
  EXPECT_EQ(rows[3].at("scheduler"), "lrr");
  EXPECT_EQ(rows[4].at("workload"), "geometric mean");
  const auto single = stats("c/04-atax-lrr");
  EXPECT_EQ(rows[3].at("cycles"), single.at("metrics").at("cycles"));
  EXPECT_EQ(single.at("config").at("values").at("core.sms"), 2);
  EXPECT_EQ(run(arguments).out, outcome.out);
}

// They share the memory: a third of it is too little for the buffers. Who is not there has no share.
TEST_F(BuiltProgram, RunsSoManyAtOnceAsItIsTold) {
  const auto code_of = [this](const std::string& schedulers, const std::string& memory, const char* jobs) {
    return run({"compare", "vector_add", "--param", "n=8000000", "--max-cycles", "100", "--scheduler",
                schedulers, "--max-memory", memory, "--jobs", jobs, "--quiet", "--out", jobs})
        .code;
  };
  EXPECT_EQ(code_of("gto,lrr,oldest", "192M", "1"), static_cast<int>(ExitCode::kCycleLimit));
  EXPECT_EQ(code_of("gto,lrr,oldest", "192M", "3"), static_cast<int>(ExitCode::kMemoryLimit));
  EXPECT_EQ(code_of("gto,lrr", "384M", "6"), static_cast<int>(ExitCode::kCycleLimit));
}

TEST_F(BuiltProgram, ComparesTimings) {
  const ProgramOutcome outcome =
      run({"compare", "vector_add", "--timing", "--param", "n=512", "--format", "json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(outcome.out).at("runs");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].at("scheduler"), "gto");
  EXPECT_EQ(rows[0].at("ipc_ratio"), 1);  // gto waits for no part
  const std::string folder = "heddle-out/compare/02-vector_add-gto-hardware";
  EXPECT_EQ(stats(folder).at("config").at("values").at("scheduler.timing"), "hardware");
}

TEST_F(BuiltProgram, SweepsOverAllCombinations) {
  const ProgramOutcome outcome =
      run({"sweep", "vector_add", "--param", "n=2048", "--set", "core.sms=1,2", "--set", "core.tb_slots=1,4",
           "--set", "core.watchdog_cycles=5000", "--format", "csv", "--out", "s"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::vector<std::string> starts;
  for (std::string line; std::getline(lines, line);) starts.push_back(line.substr(0, line.find(",complete")));
  EXPECT_EQ(starts[0],
            "workload,scheduler,core.sms,core.tb_slots,status,tb_rounds,cycles,ipc_warp,speedup,bits_per_sm,"
            "nand2_per_sm");
  EXPECT_EQ(std::vector<std::string>(starts.begin() + 1, starts.end()),
            (std::vector<std::string>{"vector_add,gto,1,1", "vector_add,gto,1,4", "vector_add,gto,2,1",
                                      "vector_add,gto,2,4"}));
  EXPECT_EQ(stats("s/03-core.sms=2-core.tb_slots=1").at("config").at("values").at("core.watchdog_cycles"),
            5000);
}

// Three decimals would make 0.000 of small figures.
TEST_F(BuiltProgram, ASweepShowsMetricsWithSixDigitsAndTheirUnits) {
  const std::vector<std::string> sweep{"sweep",    "vector_add",
                                       "--param",  "n=64",
                                       "--set",    "core.sms=1,2",
                                       "--metric", "energy,energy_delay_product,energy_static_share",
                                       "--out",    "s",
                                       "--quiet",  "--format"};
  std::vector<std::string> words = sweep;
  words.emplace_back("markdown");
  const ProgramOutcome text = run(words);
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("| energy (nJ) | energy_delay_product (nJ s) | energy_static_share |"),
            std::string::npos)
      << text.out;
  words.back() = "json";
  const auto rows = nlohmann::json::parse(run(words).out);
  const auto product = rows.at(0).at("energy_delay_product").get<double>();
  ASSERT_LT(product, 0.1);
  std::ostringstream six;
  six << std::setprecision(6) << product;
  EXPECT_NE(text.out.find("| " + six.str() + " |"), std::string::npos) << six.str() << "\n" << text.out;
}

TEST_F(BuiltProgram, SweepsOverWorkloadsAtSizesWithTheirMeans) {
  const std::string two_sizes = write(
      "two_sizes.yaml", "ptx: " + test::source_dir() + "/workloads/kernels/vector_add/vector_add.ptx\n" +
                            "parameters: {n: 64}\n"
                            "sizes: {double: {n: 128}}\n"
                            "buffers: {a: {type: f32, count: n}, b: {type: f32, count: n},"
                            " c: {type: f32, count: n}}\n"
                            "launches:\n"
                            "  - {kernel: vector_add, grid: n / 32, block: 32, args: [a, b, c, n]}\n");
  const ProgramOutcome outcome = run({"sweep", two_sizes, two_sizes + ":double", "--set", "core.sms=1,2",
                                      "--metric", "rtru", "--format", "json", "--out", "s"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[2].at("workload"), "two_sizes:double");
  EXPECT_EQ(rows[2].at("speedup"), 1);      // each workload's first point
  EXPECT_EQ(rows[2].at("tb_rounds"), 0.5);  // 4 TBs, 8 a SM
  EXPECT_EQ(rows[3].at("tb_rounds"), 0.25);
  EXPECT_EQ(rows[5].at("workload"), "geometric mean");
  EXPECT_EQ(rows[5].at("core.sms"), "2");
  const double product = rows[1].at("speedup").get<double>() * rows[3].at("speedup").get<double>();
  EXPECT_DOUBLE_EQ(rows[5].at("speedup").get<double>(), std::sqrt(product));
  EXPECT_TRUE(rows[5].at("rtru").is_null());
  EXPECT_EQ(rows[4].at("level"), 2);
}

TEST_F(BuiltProgram, ASizeBehindTheNameGoesOverTheOption) {
  ASSERT_EQ(run({"run", "vector_add:large", "--size", "default", "--max-cycles", "9", "--out", "o"}).code, 7);
  EXPECT_EQ(stats("o").at("size"), "large");
  EXPECT_EQ(stats("o").at("parameters").at("n"), 1048576);
  const ProgramOutcome unknown = run({"run", "vector_add:big", "--functional"});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_NE(unknown.err.find("'big'"), std::string::npos) << unknown.err;
}

TEST_F(BuiltProgram, AFailedRunOfAComparisonIsToldAndHasNoRatio) {
  const ProgramOutcome outcome = run({"compare", "vector_add", "--scheduler", "gto", "--scheduler", "lrr",
                                      "--max-cycles", "50", "--format", "csv", "--out", "c"});
  EXPECT_EQ(outcome.code, 7);
  EXPECT_NE(outcome.err.find("heddle compare: vector_add lrr: stopped at core cycle 50"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.out.find("vector_add,lrr,cycle limit,5.6888"), std::string::npos) << outcome.out;
}

TEST_F(BuiltProgram, AStreamThatDidNotEndHasNoTurnaround) {
  const ProgramOutcome outcome = run({"run", "vector_add", "bfs", "--param", "n=64", "--set", "core.sms=2",
                                      "--max-cycles", "3000", "--format", "json", "--out", "o"});
  ASSERT_EQ(outcome.code, 7) << outcome.err;
  const auto streams = nlohmann::json::parse(outcome.out).at("streams");
  EXPECT_TRUE(streams.at(0).at("turnaround_cycles").is_number()) << streams;
  EXPECT_TRUE(streams.at(1).at("turnaround_cycles").is_null()) << streams;
}

TEST_F(BuiltProgram, AWrongTableOfEnergiesOrTechnologyIsToldOnceAndBeforeTheFirstRun) {
  const std::string table =
      write("mine.yaml",
            "description: d\nevents:\n  - {name: n, block: b, counts: [sm.l1d.hitz], nj: 2, low: 1, high: 3, "
            "source: s}\npower: []\n");
  const std::string unknown = "'sm.l1d.hitz'; did you mean 'sm.l1d.hits'?\n";
  const std::vector<std::vector<std::string>> commands{
      {"run", "vector_add", "--out", "o"},
      {"compare", "vector_add", "--scheduler", "gto,lrr", "--out", "o"},
      {"sweep", "vector_add", "--set", "core.sms=1,2", "--out", "o"},
      {"pairs", "vector_add", "hotspot", "--policy", "fifo", "--out", "o", "--cache", "cache"}};
  for (std::vector<std::string> words : commands) {
    words.insert(words.end(), {"--energy", table});
    const ProgramOutcome outcome = run(words);
    EXPECT_EQ(outcome.code, 3) << words[0];
    EXPECT_EQ(outcome.out, "") << words[0];
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(unknown), std::string::npos) << outcome.err;
    words.end()[-2] = "--technology";
    words.back() = "osu81";
    const ProgramOutcome technology = run(words);
    EXPECT_EQ(technology.code, 3) << words[0];
    EXPECT_EQ(std::count(technology.err.begin(), technology.err.end(), '\n'), 1) << technology.err;
    EXPECT_NE(technology.err.find("'osu81'"), std::string::npos) << technology.err;
  }
}

TEST_F(BuiltProgram, AWrongComparisonStartsNoRun) {
  const ProgramOutcome outcome = run({"sweep", "vector_add", "--set", "core.sms=2,no", "--out", "s"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("--set core.sms=no"), std::string::npos) << outcome.err;
  EXPECT_FALSE(fs::exists(folder_ / "s"));
  EXPECT_EQ(run({"compare", "vectoradd", "--timing"}).code, 3);
}

TEST_F(BuiltProgram, ASweepForAnUnknownMetricStartsNoRun) {
  const ProgramOutcome outcome = run({"sweep", "vector_add", "--param", "n=64", "--set", "core.sms=1,2",
                                      "--metric", "rtru,l1d_mis_rate", "--out", "s"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err,
            "heddle sweep: --metric l1d_mis_rate: stats.json has no such metric; did you mean "
            "'l1d_miss_rate'?\n");
  EXPECT_FALSE(fs::exists(folder_ / "s"));
}

TEST_F(BuiltProgram, AMetricThatOnlySomeRunsReportIsLeftOpenInTheOthers) {
  const ProgramOutcome outcome =
      run({"sweep", "vector_add", "--param", "n=64", "--set", "core.sms=1,2", "--scheduler", "gto,swl",
           "--metric", "sm.swl.limit", "--format", "csv", "--out", "s"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::vector<std::string> ends;
  for (std::string line; std::getline(lines, line);) ends.push_back(line.substr(line.rfind(',')));
  EXPECT_EQ(ends, (std::vector<std::string>{",sm.swl.limit", ",", ",", ",2.0", ",2.0"})) << outcome.out;
}

TEST_F(BuiltProgram, WhatABatchCannotBuildOrLaunchStartsNoRun) {
  // Refused when the GPU is built, and when the launches are held against the PTX.
  const ProgramOutcome machine =
      run({"sweep", "vector_add", "--param", "n=64", "--set", "interconnect.flit_bytes=16", "--set",
           "interconnect.input_buffer_flits=16,4", "--out", "s"});
  EXPECT_EQ(machine.code, 3);
  EXPECT_NE(machine.err.find("interconnect.input_buffer_flits: expected at least 12"), std::string::npos)
      << machine.err;
  EXPECT_FALSE(fs::exists(folder_ / "s"));
  const std::string workload =
      write("bad.yaml", "ptx: " + test::source_dir() +
                            "/workloads/kernels/vector_add/vector_add.ptx\n"
                            "buffers: {a: {type: f32, count: 64}}\n"
                            "launches: [{kernel: vector_sum, grid: 1, block: 64, args: [a]}]\n");
  const ProgramOutcome launch =
      run({"compare", "vector_add", workload, "--param", "n=64", "--scheduler", "gto,lrr", "--out", "c"});
  EXPECT_EQ(launch.code, 3);
  EXPECT_FALSE(fs::exists(folder_ / "c"));
}

// Tiles at the rims end half of their warps at once, and a partial thread block takes the room for two warps.
TEST_F(BuiltProgram, MatrixFragmentsLeavesRoomThatWarpLevelManagementUses) {
  const ProgramOutcome outcome =
      run({"sweep", "matrix_fragments", "--config", "warpman", "--param", "matrices=8", "--set", "core.sms=2",
           "--set", "core.resources.management=tb,warp_temporal_spatial", "--metric",
           "rtru,concurrent_warps,tb_dispatcher.partial_tbs", "--format", "json", "--out", "s"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_GT(rows[0].at("rtru").get<double>(), 0.1);
  EXPECT_GT(rows[1].at("tb_dispatcher.partial_tbs").get<double>(), 0);
  EXPECT_GT(rows[1].at("concurrent_warps").get<double>(), rows[0].at("concurrent_warps").get<double>() + 2);
}

TEST_F(BuiltProgram, ListsWhatThereIs) {
  EXPECT_NE(run({"list", "schedulers"}).out.find("gto "), std::string::npos);
  EXPECT_NE(run({"list", "dispatch_policies"}).out.find("fifo "), std::string::npos);
  EXPECT_NE(run({"list", "resource_managements"}).out.find("warp_temporal_spatial "), std::string::npos);
  EXPECT_NE(run({"list", "contention_controls"}).out.find("dueling "), std::string::npos);
  EXPECT_NE(run({"list", "configs"}).out.find("gtx480 "), std::string::npos);
  EXPECT_NE(run({"list", "workloads"}).out.find("atax "), std::string::npos);
}

TEST_F(BuiltProgram, RunsSeveralWorkloadsAtOnceAndChecksAll) {
  const ProgramOutcome outcome =
      run({"run", "vector_add", "scalar_product", "vector_add", "--config", "srtf", "--param", "n=4096",
           "--arrival", "0", "--arrival", "500", "--tb-log", "--out", "out"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("vector_add+scalar_product+vector_add#2"), std::string::npos) << outcome.out;
  const auto json = stats("out");
  ASSERT_EQ(json.at("streams").size(), 3U);
  EXPECT_EQ(json.at("streams").at(1).at("arrival_cycle"), 500);
  EXPECT_EQ(json.at("parameters").at("vector_add#2.n"), 4096);
  ASSERT_EQ(json.at("checks").size(), 3U);
  for (const auto& check : json.at("checks")) EXPECT_TRUE(check.at("passed").get<bool>()) << check;
  EXPECT_EQ(json.at("checks").at(2).at("buffer"), "vector_add#2.c");
  EXPECT_EQ(read("out/predictions.csv"), "cycle,launch,kernel,sm,tb_cycles,predicted_cycles,actual_cycles\n");
}

TEST_F(BuiltProgram, AParameterOfOneOfSeveralWorkloadsHasItsName) {
  const ProgramOutcome outcome = run({"run", "vector_add", "vector_add", "--set", "core.sms=2", "--param",
                                      "n=4096", "--param", "vector_add#2.n=64", "--out", "out", "--quiet"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(stats("out").at("parameters").at("vector_add.n"), 4096);
  EXPECT_EQ(stats("out").at("parameters").at("vector_add#2.n"), 64);
  const ProgramOutcome wrong = run({"run", "vector_add", "atax", "--param", "vector_ad.n=64"});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_NE(
      wrong.err.find("--param vector_ad.n=64: none of the workloads vector_add+atax has such a parameter; "
                     "did you mean 'vector_add.n'?"),
      std::string::npos)
      << wrong.err;
}

TEST_F(BuiltProgram, PairsOfWorkloadsRunAloneOnceAndGiveTheirThroughput) {
  const std::vector<std::string> command{"pairs",      "vector_add", "scalar_product", "--policy", "fifo",
                                         "--policy",   "sjf",        "--arrival",      "25%",      "--set",
                                         "core.sms=4", "--cache",    "cache",          "--format", "json",
                                         "--out",      "out"};
  const ProgramOutcome outcome = run(command);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "cache"), fs::directory_iterator()), 2);
  const auto& alone = json.at("alone_cycles");
  ASSERT_EQ(json.at("results").size(), 2U);
  for (const auto& result : json.at("results")) {
    const auto& pair = result.at("pairs").at(0);
    const double first = alone.at("vector_add").get<double>() / pair.at("shared_cycles").at(0).get<double>();
    const double second =
        alone.at("scalar_product").get<double>() / pair.at("shared_cycles").at(1).get<double>();
    EXPECT_NEAR(pair.at("stp").get<double>(), first + second, 1e-9);
    EXPECT_LE(first, 1.02);
  }
  // Again, from the cache; a damaged entry is run again.
  fs::remove_all(folder_ / "out");
  EXPECT_EQ(run(command).out, outcome.out);
  EXPECT_FALSE(fs::exists(folder_ / "out" / "alone"));
  for (const auto& entry : fs::directory_iterator(folder_ / "cache")) std::ofstream(entry.path()) << "{";
  EXPECT_EQ(run(command).out, outcome.out);
  EXPECT_TRUE(fs::exists(folder_ / "out" / "alone"));
}

TEST_F(BuiltProgram, PairsOfWorkloadsRunInBothOrdersRepeatedAndLogged) {
  const ProgramOutcome outcome =
      run({"pairs",     "vector_add", "scalar_product", "--policy",      "srtf",
           "--arrival", "0-4000",     "--both-orders",  "--repetitions", "2",
           "--seed",    "3",          "--tb-log",       "--set",         "core.sms=4",
           "--cache",   "cache",      "--format",       "json",          "--out",
           "out"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto result = nlohmann::json::parse(outcome.out).at("results").at(0);
  const auto& pairs = result.at("pairs");
  ASSERT_EQ(pairs.size(), 4U);
  EXPECT_EQ(pairs.at(0).at("first"), "vector_add");
  EXPECT_EQ(pairs.at(1).at("first"), "scalar_product");
  EXPECT_NE(pairs.at(0).at("arrival_cycles"), pairs.at(2).at("arrival_cycles"));
  std::uint64_t delays = 0;
  for (const auto& pair : pairs) delays += pair.at("sampling_delay_cycles").get<std::uint64_t>();
  EXPECT_GT(delays, 0U);
  EXPECT_EQ(result.at("repetitions").size(), 2U);
  std::size_t logs = 0;
  for (const auto& folder : fs::directory_iterator(folder_ / "out")) {
    logs += fs::exists(folder.path() / "thread_blocks.json") && fs::exists(folder.path() / "predictions.csv");
  }
  EXPECT_EQ(logs, 4U);
  const ProgramOutcome same = run({"pairs", "vector_add", "scalar_product", "--repetitions", "2"});
  EXPECT_EQ(same.code, 3);
  EXPECT_NE(same.err.find("all would be the same"), std::string::npos) << same.err;
}

TEST_F(BuiltProgram, AWorkloadRunsBesideItselfAndThreeRunAtOnce) {
  const ProgramOutcome outcome =
      run({"pairs", "vector_add", "--together", "3", "--policy", "fifo", "--arrival", "50%", "--set",
           "core.sms=4", "--cache", "cache", "--format", "csv", "--out", "out"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find("policy,arrival,repetition,first,second,third,first_cycles,second_cycles,"
                             "third_cycles,first_alone_cycles,second_alone_cycles,third_alone_cycles,stp,"),
            0U)
      << outcome.out;
  EXPECT_NE(outcome.out.find("fifo,50%,1,vector_add,vector_add#2,vector_add#3,"), std::string::npos)
      << outcome.out;
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "out" / "alone"), fs::directory_iterator()), 1);
  EXPECT_EQ(run({"pairs", "vector_add", "atax", "--together", "3"}).code, 3);
}

TEST_F(BuiltProgram, APolicyThatIsNamedTwiceIsShownTwice) {
  const ProgramOutcome outcome = run({"pairs", "vector_add", "--policy", "fifo,fifo", "--set", "core.sms=1",
                                      "--cache", "cache", "--format", "json", "--out", "out"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto results = nlohmann::json::parse(outcome.out).at("results");
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results.at(0), results.at(1));
  EXPECT_EQ(stats("out/02-vector_add-+-vector_add-2-fifo-100").at("status"), "complete");
}

TEST_F(BuiltProgram, PairsOfDrawnDurationsTakeInterference) {
  const std::string workload =
      write("bed.yaml",
            "kind: timed\nkernels:\n"
            "  - {name: a, tbs: 400, threads: 64, mean_cycles: 500, residency_slowdown: 2}\n"
            "  - {name: b, tbs: 200, threads: 64, mean_cycles: 900, launches: 2}\n");
  const auto alone = [&](const std::string& factor) {
    const ProgramOutcome outcome =
        run({"pairs", workload, "--policy", "fifo", "--interference", factor, "--format", "json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out).at("alone_cycles");
  };
  EXPECT_LT(alone("1").at("a"),
            alone("0").at("a"));  // the last round, which doesn't fill the SMs, is shorter
  EXPECT_EQ(alone("1").at("b"), alone("0").at("b"));
  EXPECT_EQ(run({"pairs", "vector_add", "atax", "--interference", "1"}).code, 2);
}

TEST_F(BuiltProgram, ASchedulerPerStreamSchedulesASingleProgramAsTheFirst) {
  const auto cycles = [&](const std::string& scheduler, const std::vector<std::string>& workloads) {
    std::vector<std::string> command{"run"};
    command.insert(command.end(), workloads.begin(), workloads.end());
    command.insert(command.end(),
                   {"--config", "srtf", "--set", "core.sms=2", "--set", "tb_dispatcher.mixed_sms=false",
                    "--scheduler", scheduler, "--out", "out", "--quiet"});
    const ProgramOutcome outcome = run(command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return stats("out").at("metrics").at("cycles").get<std::uint64_t>();
  };
  const std::uint64_t greedy = cycles("gto", {"histogram"});
  const std::uint64_t round_robin = cycles("lrr", {"histogram"});
  ASSERT_NE(greedy, round_robin);
  EXPECT_EQ(cycles("gto:lrr", {"histogram"}), greedy);
  EXPECT_EQ(cycles("lrr:gto", {"histogram"}), round_robin);
  // Of two, each by its own: SMs hold kernels of one stream at a time.
  const std::vector<std::string> two{"histogram", "scalar_product"};
  EXPECT_NE(cycles("gto:lrr", two), cycles("lrr:gto", two));
  EXPECT_EQ(cycles("gto:gto", two), cycles("gto", two));
}

TEST_F(BuiltProgram, APairWhoseRunAloneFailsCostsNoOtherPair) {
  const std::string bad =
      write("bad.yaml", "ptx: " + test::source_dir() +
                            "/workloads/kernels/vector_add/vector_add.ptx\n"
                            "buffers: {a: {type: f32, count: 64}}\n"
                            "launches: [{kernel: vector_add, grid: 10, block: 64, args: [a, a, a, 640]}]\n");
  const ProgramOutcome outcome =
      run({"pairs", "vector_add", bad, "scalar_product", "--policy", "fifo", "--set", "core.sms=4", "--cache",
           "cache", "--format", "json", "--out", "out"});
  EXPECT_NE(outcome.code, 0);
  const auto pairs = nlohmann::json::parse(outcome.out).at("results").at(0).at("pairs");
  ASSERT_EQ(pairs.size(), 3U);
  EXPECT_EQ(pairs.at(0).at("failure").get<std::string>().find("bad did not run alone: "), 0U);
  EXPECT_TRUE(pairs.at(1).contains("stp"));
  EXPECT_TRUE(pairs.at(2).contains("failure"));
  EXPECT_NE(outcome.err.find("heddle pairs: bad alone: "), std::string::npos) << outcome.err;
}

TEST_F(BuiltProgram, PairsOfUnknownWorkloadsEndAtOnce) {
  for (const char* const unknown : {"vector_ad", "vector_add:larg"}) {
    const ProgramOutcome outcome = run(
        {"pairs", "scalar_product", unknown, "--policy", "fifo,srtf", "--cache", "cache", "--out", "out"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find("did you mean '"), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(folder_ / "cache"));
  }
}

TEST_F(BuiltProgram, ListsDispatchPoliciesAndPricesThem) {
  const ProgramOutcome list = run({"list", "dispatch_policies"});
  EXPECT_EQ(list.code, 0);
  for (const char* name : {"fifo", "srtf_adaptive", "spatial", "even_share"}) {
    EXPECT_NE(list.out.find(std::string(name) + " "), std::string::npos) << list.out;
  }
  const ProgramOutcome cost =
      run({"cost", "--config", "srtf", "--set", "tb_dispatcher.policy=srtf", "--format", "json"});
  ASSERT_EQ(cost.code, 0) << cost.err;
  const auto json = nlohmann::json::parse(cost.out);
  std::uint64_t bits = 0;
  std::uint64_t papers = 0;
  for (const auto& row : json.at("structures")) {
    if (row.at("block") != "simple_slicing") continue;
    bits += row.at("bits").get<std::uint64_t>();
    papers += row.at("paper_bits").get<std::uint64_t>();
  }
  EXPECT_EQ(papers, 1688U);  // docs/thread-blocks.md
  EXPECT_EQ(bits, 2185U);
}

}  // namespace
}  // namespace heddle
