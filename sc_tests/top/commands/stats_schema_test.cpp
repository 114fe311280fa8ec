// stats.json as other programs read it: by its schema, and by the lines of Python that docs/statistics.md
// gives.
#include <algorithm>

#include "sc_tests/top/commands/command_line_fixture.h"
#include "top/support/processes/child_process.h"

namespace heddle {
namespace {

class StatsInPython : public BuiltProgram {
 protected:
  /// What `/usr/bin/python3 ARGUMENTS`, Debian's, prints, in the test's folder.
  std::string python(const std::vector<std::string>& arguments, int expected_code = 0) {
    ChildStart start;
    start.command = {"/bin/sh", "-c", R"(cd "$0" && exec /usr/bin/python3 "$@" 2>&1)", folder_.string()};
    start.command.insert(start.command.end(), arguments.begin(), arguments.end());
    start.output = ChildStart::Output::kRead;
    ChildProcess process(start);
    std::string text = process.read_output();
    EXPECT_EQ(process.wait(), expected_code) << text;
    return text;
  }
  bool has_module(const std::string& module) {
    return std::system(("/usr/bin/python3 -c 'import " + module + "' 2>/dev/null").c_str()) == 0;
  }
};

TEST_F(StatsInPython, EveryKindOfRunIsAsTheSchemaSays) {
  if (!has_module("jsonschema")) GTEST_SKIP() << "there is no Debian package python3-jsonschema";
  const std::vector<std::string> fault{"run",
                                       write("fault.yaml",
                                             "name: fault\ndescription: d\nptx: fault.ptx\nbuffers: {}\n"
                                             "launches:\n  - {kernel: k, grid: 1, block: 32, args: []}\n")};
  write("fault.ptx",
        ".version 6.0\n.target sm_20\n.address_size 64\n.visible .entry k()\n{\n  trap;\n  ret;\n}\n");
  const std::vector<std::pair<int, std::vector<std::string>>> commands{
      {4, fault},
      {7, {"run", "bfs", "--param", "nodes=1024", "--max-cycles", "9000"}},
      {0, {"run", "histogram", "--param", "words=4096", "--scheduler", "ipaws"}},
      {0, {"run", "bfs", "--param", "nodes=512", "--scheduler", "two_level_active"}},
      {0,
       {"run", "hotspot", "--param", "n=64", "--scheduler", "oaws_dynamic+pro", "--set",
        "core.load_statistics=true"}},
      {0, {"run", "vector_add", "scalar_product", "--config", "srtf", "--set", "tb_dispatcher.policy=srtf"}},
      {0, {"run", "vector_add", "--param", "n=4096", "--scheduler", "ccws+gto"}},
      {0, {"run", "vector_add", "--param", "n=122880", "--sample"}},
      {0, {"run", "vector_add", "--param", "n=4096", "--sample"}}};
  std::vector<std::string> files;
  for (const auto& [code, command] : commands) {
    const std::string out = "run" + std::to_string(files.size());
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--set", "core.sms=3", "--quiet", "--out", out});
    const ProgramOutcome outcome = run(arguments);
    ASSERT_EQ(outcome.code, code) << out << ": " << outcome.err;
    files.push_back(out + "/stats.json");
  }
  const ProgramOutcome pairs = run({"pairs", "vector_add", "scalar_product", "--policy", "fifo", "--set",
                                    "core.sms=4", "--cache", "cache", "--out", "pairs"});
  ASSERT_EQ(pairs.code, 0) << pairs.err;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "pairs")) {
    if (entry.path().filename() == "stats.json") files.push_back(entry.path().string());
  }
  EXPECT_GT(files.size(), commands.size());
  std::swap(files.back(), files[commands.size() - 1]);  // which is damaged in many ways
  std::vector<std::string> arguments{
      (fs::path(test::source_dir()) / "sc_tests/top/report/check_stats_schema.py").string(),
      (fs::path(test::source_dir()) / "docs/stats.schema.json").string()};
  arguments.insert(arguments.end(), files.begin(), files.end());
  EXPECT_NE(python(arguments).find(" 0 wrong\n"), std::string::npos);
}

/// The blocks of Python in docs/statistics.md.
std::vector<std::string> documented_lines() {
  std::stringstream page;
  page << std::ifstream(fs::path(test::source_dir()) / "docs/statistics.md").rdbuf();
  std::vector<std::string> blocks;
  const std::string text = page.str();
  const std::string mark = "```python\n";
  for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) {
    at += mark.size();
    blocks.push_back(text.substr(at, text.find("```", at) - at));
  }
  return blocks;
}

TEST_F(StatsInPython, TheDocumentedLinesOfPandasRead) {
  if (!has_module("pandas")) GTEST_SKIP() << "there is no Debian package python3-pandas";
  ASSERT_EQ(run({"run", "vector_add", "--param", "n=8192", "--quiet", "--out", "out"}).code, 0);
  const std::vector<std::string> blocks = documented_lines();
  ASSERT_GE(blocks.size(), 1U);
  write("read.py",
        blocks[0] +
            "\nprint(int(metrics['cycles']), int(metrics['sm.l1d.loads']), int(sms['warps'].sum()), "
            "int(sms.loc['sm3', 'warps']))\n");
  const auto json = stats("out");
  const auto& metrics = json.at("metrics");
  EXPECT_EQ(python({"read.py"}), metrics.at("cycles").dump() + " " + metrics.at("sm.l1d").at("loads").dump() +
                                     " " + metrics.at("sm").at("warps").dump() + " " +
                                     json.at("instances").at("sm").at("warps").at(3).dump() + "\n");
}

TEST_F(StatsInPython, TheDocumentedLinesOfPandasReadWhatStatsPrints) {
  if (!has_module("pandas")) GTEST_SKIP() << "there is no Debian package python3-pandas";
  for (const char* scheduler : {"gto", "lrr"}) {
    ASSERT_EQ(run({"run", "vector_add", "--param", "n=8192", "--scheduler", scheduler, "--quiet", "--out",
                   std::string("results/") + scheduler})
                  .code,
              0);
  }
  const ProgramOutcome figures =
      run({"stats", "results", "--metric", "ipc_warp,sm.l1d.*", "--format", "csv"});
  ASSERT_EQ(figures.code, 0) << figures.err;
  write("figures.csv", figures.out);
  const std::vector<std::string> blocks = documented_lines();
  ASSERT_GE(blocks.size(), 2U);
  EXPECT_EQ(std::count(blocks[1].begin(), blocks[1].end(), '\n'), 2);
  write("read.py", blocks[1] +
                       "\nfor run in ('gto', 'lrr'): print(int(table.loc['results/' + run, 'sm.l1d.loads']), "
                       "repr(float(table.loc['results/' + run, 'ipc_warp'])))\n");
  std::string expected;
  for (const char* scheduler : {"gto", "lrr"}) {
    const auto metrics = stats(std::string("results/") + scheduler).at("metrics");
    expected += metrics.at("sm.l1d").at("loads").dump() + " " + metrics.at("ipc_warp").dump() + "\n";
  }
  EXPECT_EQ(python({"read.py"}), expected);
}

TEST_F(BuiltProgram, StatsPrintsFiguresOfRunsLaunchesAndBlocks) {
  ASSERT_EQ(
      run({"run", "vector_add", "--param", "n=8192", "--set", "core.sms=2", "--quiet", "--out", "out"}).code,
      0);
  const auto json = stats("out");
  const std::string loads = json.at("metrics").at("sm.l1d").at("loads").dump();
  const std::string head = "run,workload,scheduler,status,";
  const std::string run_of = "out,vector_add,gto,complete,";
  EXPECT_EQ(run({"stats", "out", "--metric", "sm.l1d.load?", "--format", "csv"}).out,
            head + "metric,value,unit\n" + run_of + "sm.l1d.loads," + loads + ",accesses\n");
  EXPECT_EQ(run({"stats", "out", "--metric", "sm.l1d.loads", "--of", "launches", "--format", "csv"}).out,
            head + "launch,kernel,metric,value,unit\n" + run_of + "0,vector_add,sm.l1d.loads," + loads +
                ",accesses\n");
  const auto& of_sms = json.at("instances").at("sm.l1d").at("loads");
  EXPECT_EQ(run({"stats", "out", "--metric", "sm.l1d.loads", "--of", "blocks", "--format", "csv"}).out,
            head + "block,metric,value,unit\n" + run_of + "sm0.l1d,sm.l1d.loads," + of_sms[0].dump() +
                ",accesses\n" + run_of + "sm1.l1d,sm.l1d.loads," + of_sms[1].dump() + ",accesses\n");
  const auto printed =
      nlohmann::json::parse(run({"stats", "out", "--metric", "cycles", "--format", "json"}).out);
  ASSERT_EQ(printed.size(), 1U);
  EXPECT_EQ(printed[0].at("value"), json.at("metrics").at("cycles"));
  EXPECT_EQ(printed[0].at("run"), "out");
}

/// So that nobody takes what a run had counted when it was cut short for what its program takes.
TEST_F(BuiltProgram, StatsSaysHowARunEnded) {
  const std::vector<std::string> words{"run",        "vector_add", "--param", "n=8192",      "--set",
                                       "core.sms=2", "--quiet",    "--out",   "out/partial", "--max-cycles"};
  std::vector<std::string> partial = words;
  partial.emplace_back("1000");
  ASSERT_EQ(run(partial).code, 7);
  std::vector<std::string> complete(words.begin(), words.end() - 2);
  complete.emplace_back("out/whole");
  ASSERT_EQ(run(complete).code, 0);
  const auto rows =
      nlohmann::json::parse(run({"stats", "out", "--metric", "cycles", "--format", "json"}).out);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at("status"), "cycle limit");
  EXPECT_EQ(rows[1].at("status"), "complete");
  EXPECT_NE(run({"stats", "out", "--metric", "cycles"}).out.find("cycle limit"), std::string::npos);
  EXPECT_EQ(run({"stats", "out/whole", "--metric", "cycles"}).out.find("complete"), std::string::npos);
}

TEST_F(BuiltProgram, StatsSaysWhatIsWrong) {
  ProgramOutcome none = run({"stats", "nowhere"});
  EXPECT_EQ(none.code, 3);
  EXPECT_EQ(none.err, "heddle: nowhere: there is no such folder\n");
  EXPECT_EQ(run({"stats"}).err, "heddle stats: expected a folder with results; see `heddle stats --help`\n");
  EXPECT_EQ(run({"stats", "out", "--of", "block"}).err,
            "heddle stats: --of: expected runs, launches or blocks, found 'block'; did you mean 'blocks'?\n");
  ASSERT_EQ(
      run({"run", "vector_add", "--param", "n=8192", "--set", "core.sms=2", "--quiet", "--out", "out"}).code,
      0);
  none = run({"stats", "out", "--metric", "ipc_warps"});
  EXPECT_EQ(none.code, 3);
  EXPECT_EQ(none.err, "heddle: no figure is called 'ipc_warps'; did you mean 'ipc_warp'?\n");
}

// A run of one launch on the default machine; unit and description of a figure stand there once.
TEST_F(BuiltProgram, StatsOfOneLaunchAreUnder150Kilobytes) {
  ASSERT_EQ(run({"run", "spmv", "--quiet", "--out", "out"}).code, 0);
  const auto json = stats("out");
  ASSERT_EQ(json.at("launches").size(), 1U);
  ASSERT_EQ(json.at("config").at("name"), "gtx480");
  EXPECT_LT(fs::file_size(folder_ / "out/stats.json"), 150000U);
}

}  // namespace
}  // namespace heddle
