// What workloads launch, and what bounds them, as the program prints it.
#include "sc_tests/top/commands/command_line_fixture.h"
#include "top/support/stats_file.h"

namespace heddle {
namespace {

using nlohmann::json;

TEST_F(BuiltProgram, DescribesLaunchesAsARunHasThem) {
  const json rows =
      json::parse(run({"describe", "scalar_product", "--param", "pairs=45", "--format", "json"}).out);
  ASSERT_EQ(rows.size(), 1U);
  const json& row = rows[0];
  ASSERT_EQ(
      run({"run", "scalar_product", "--param", "pairs=45", "--param", "length=32", "--out", "o", "--quiet"})
          .code,
      0);
  const json written = stats("o");
  const json& launch = written.at("launches").at(0);
  const auto metric = [&launch](const char* name) { return *find_metric(launch.at("metrics"), name); };
  EXPECT_EQ(row.at("launch"), launch.at("kernel"));
  EXPECT_EQ(row.at("tbs"), 45);
  EXPECT_EQ(row.at("threads_per_tb"), launch.at("block").at(0));
  EXPECT_EQ(row.at("shared_bytes_per_tb"), metric("shared_bytes_per_tb"));
  EXPECT_EQ(row.at("tbs_per_sm"), metric("tbs_per_sm"));
  EXPECT_EQ(row.at("tb_rounds"), metric("tb_rounds"));
  EXPECT_EQ(row.at("limiter"), metric("occupancy_limiter"));
  EXPECT_EQ(row.at("occupancy"), metric("occupancy"));
  EXPECT_EQ(row.at("papers"), "PRO scalarProd scalarProdGPU");
}

TEST_F(BuiltProgram, DescribesSizesAndMachines) {
  const auto row = [this](std::vector<std::string> words) {
    words.insert(words.begin(), "describe");
    words.insert(words.end(), {"--format", "json"});
    return json::parse(run(words).out).at(0);
  };
  EXPECT_EQ(row({"hotspot:paper"}).at("tbs"), 1849);
  EXPECT_EQ(row({"hotspot", "--size", "paper"}).at("size"), "paper");
  EXPECT_EQ(row({"hotspot"}).at("size"), "default");
  const double rounds = row({"hotspot:paper"}).at("tb_rounds");
  EXPECT_DOUBLE_EQ(row({"hotspot:paper", "--set", "core.sms=5"}).at("tb_rounds"), 3 * rounds);
  EXPECT_EQ(row({"bfs"}).at("times"), "by data");
  EXPECT_GT(json::parse(run({"describe", "--format", "json"}).out).size(), 19U);
  EXPECT_EQ(run({"describe", "hotspot:nosuch"}).code, 3);
  EXPECT_NE(run({"describe", "hotspots"}).err.find("did you mean 'hotspot'"), std::string::npos);
}

TEST_F(BuiltProgram, DescribesWhatResultsSay) {
  ASSERT_EQ(
      run({"compare", "vector_add", "--param", "n=8192", "--scheduler", "gto,lrr", "--out", "c", "--quiet"})
          .code,
      0);
  const json rows = json::parse(run({"describe", "--results", "c", "--format", "json"}).out);
  ASSERT_EQ(rows.size(), 1U);
  const json gto = stats("c/01-vector_add-gto");
  const json lrr = stats("c/02-vector_add-lrr");
  const auto metric = [](const json& of, const char* name) {
    return find_metric(of.at("launches").at(0).at("metrics"), name)->get<double>();
  };
  EXPECT_EQ(rows[0].at("launch"), "vector_add");
  EXPECT_EQ(rows[0].at("cycles"), metric(gto, "cycles"));
  EXPECT_DOUBLE_EQ(rows[0].at("lrr_over_gto"), metric(lrr, "cycles") / metric(gto, "cycles"));
  EXPECT_DOUBLE_EQ(rows[0].at("issued"), metric(gto, "scheduler_share_issued"));
  EXPECT_EQ(rows[0].at("type"), "neutral (iPAWS)");
  EXPECT_EQ(json::parse(run({"describe", "bfs", "--results", "c", "--format", "json"}).out).size(), 0U);
  const ProgramOutcome nowhere = run({"describe", "--results", "nowhere"});
  EXPECT_EQ(nowhere.code, 3);
  EXPECT_EQ(nowhere.err, "heddle: nowhere: there is no such folder or database\n");
}

TEST_F(BuiltProgram, DescribesHowRunsEndedThatWereCutShort) {
  const std::vector<std::string> words{"run",     "vector_add", "--param", "n=8192",
                                       "--quiet", "--out",      "o",       "--max-cycles"};
  std::vector<std::string> partial = words;
  partial.emplace_back("1000");
  ASSERT_EQ(run(partial).code, 7);
  json rows = json::parse(run({"describe", "--results", "o", "--format", "json"}).out);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].at("status"), "cycle limit");
  EXPECT_NE(run({"describe", "--results", "o"}).out.find("cycle limit"), std::string::npos);
  ASSERT_EQ(run({words.begin(), words.end() - 1}).code, 0);
  rows = json::parse(run({"describe", "--results", "o", "--format", "json"}).out);
  EXPECT_EQ(rows.at(0).at("status"), "complete");
}

TEST_F(BuiltProgram, DescribesWhatADatabaseHasAsItsFoldersWouldSay) {
  ASSERT_EQ(
      run({"compare", "mvt", "vector_add:rounds", "--scheduler", "gto,lrr", "--out", "c", "--quiet"}).code,
      0);
  write("e.yaml", "workloads: [vector_add:rounds, mvt]\nschedulers: [lrr, gto]\n");
  ASSERT_EQ(run({"sweep", "e.yaml", "--db", "r.sqlite"}).code, 0);
  const auto described = [this](const std::string& results) {
    json rows = json::parse(run({"describe", "--results", results, "--format", "json"}).out);
    for (json& row : rows) {
      row.erase("cpu_seconds");
      row.erase("memory_bytes");
    }
    return rows;
  };
  const json rows = described("c");
  ASSERT_EQ(rows.size(), 3U);  // two kernels of mvt
  EXPECT_EQ(rows[2].at("size"), "rounds");
  EXPECT_EQ(rows[0].at("verified_under"), "gto, lrr");
  EXPECT_EQ(described("r.sqlite"), rows);
}

TEST_F(BuiltProgram, DescribesEachMachineOfResultsOnItsOwn) {
  const std::vector<std::string> sweep{"sweep", "vector_add",   "--param",     "n=4096",
                                       "--set", "core.sms=1,8", "--scheduler", "gto,lrr"};
  std::vector<std::string> in_folders = sweep;
  in_folders.insert(in_folders.end(), {"--out", "s", "--format", "json", "--quiet"});
  std::vector<std::string> in_database = sweep;
  in_database.insert(in_database.end(), {"--db", "r.sqlite"});
  const json swept = json::parse(run(in_folders).out);
  ASSERT_EQ(swept.size(), 4U);
  ASSERT_EQ(run(in_database).code, 0);
  const auto cycles = [&swept](const char* scheduler, const char* sms) {
    for (const json& row : swept) {
      if (row.at("scheduler") == scheduler && row.at("core.sms") == sms)
        return row.at("cycles").get<double>();
    }
    return 0.0;
  };
  for (const char* const results : {"s", "r.sqlite"}) {
    json rows = json::parse(run({"describe", "--results", results, "--format", "json"}).out);
    ASSERT_EQ(rows.size(), 2U) << results;
    for (const json& row : rows) {
      const std::string settings = row.at("settings");
      ASSERT_TRUE(settings == "core.sms=1" || settings == "core.sms=8") << settings;
      const char* const sms = settings == "core.sms=1" ? "1" : "8";
      // Of the launch, which the run's first cycle is not of.
      EXPECT_DOUBLE_EQ(row.at("lrr_over_gto"), (cycles("lrr", sms) - 1) / (cycles("gto", sms) - 1))
          << results;
      EXPECT_EQ(row.at("verified_under"), "gto, lrr");
    }
    EXPECT_NE(rows[0].at("settings"), rows[1].at("settings"));
  }
}

TEST_F(BuiltProgram, DescribesOfRunsAtTheSameTimeThoseThatAreAlone) {
  ASSERT_EQ(
      run({"run", "vector_add", "scalar_product", "--set", "core.sms=2", "--out", "c/both", "--quiet"}).code,
      0);
  const ProgramOutcome none = run({"describe", "--results", "c"});
  EXPECT_EQ(none.code, 3);
  EXPECT_NE(
      none.err.find("c: expected runs of one workload at a time, found 1 of kernels that run at the same "
                    "time"),
      std::string::npos)
      << none.err;
  ASSERT_EQ(run({"run", "vector_add", "--set", "core.sms=2", "--out", "c/alone", "--quiet"}).code, 0);
  EXPECT_EQ(json::parse(run({"describe", "--results", "c", "--format", "json"}).out).size(), 1U);
  write("e.yaml", "workloads: [vector_add, {at_once: [vector_add, scalar_product]}]\nset: {core.sms: 2}\n");
  ASSERT_EQ(run({"sweep", "e.yaml", "--db", "r.sqlite"}).code, 0);
  EXPECT_EQ(json::parse(run({"describe", "--results", "r.sqlite", "--format", "json"}).out).size(), 1U);
}

TEST_F(BuiltProgram, ListsThePapersBenchmarksBesideOurs) {
  const json rows = json::parse(run({"list", "papers", "--format", "json"}).out);
  EXPECT_EQ(rows.size(), 90U);
  const auto hotspot = std::find_if(rows.begin(), rows.end(),
                                    [](const json& row) { return row.at("kernel") == "calculate_temp"; });
  ASSERT_NE(hotspot, rows.end());
  EXPECT_EQ(hotspot->at("their_tbs"), 1849);
  EXPECT_EQ(hotspot->at("tbs"), 1849);
  EXPECT_EQ(hotspot->at("differs"), "");
  EXPECT_NE(run({"list", "papers", "--format", "markdown"}).out.find("| 4096 -> 4100 |"), std::string::npos);
}

/// The words of "heddle describe --size paper", without the first.
std::vector<std::string> words_of(const std::string& command) {
  std::istringstream stream(command);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  words.erase(words.begin());
  return words;
}

// Between "<!-- table: COMMAND -->" and "<!-- end -->".
TEST_F(BuiltProgram, ThePageOfThePapersWorkloadsHasTheTablesThatItsCommandsPrint) {
  std::ifstream page(fs::path(test::source_dir()) / "docs/papers-workloads.md");
  const std::string begin = "<!-- table: ";
  unsigned tables = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.compare(0, begin.size(), begin) != 0) continue;
    const std::string command =
        line.substr(begin.size(), line.size() - begin.size() - std::string(" -->").size());
    std::string table;
    while (std::getline(page, line) && line != "<!-- end -->") table += line + "\n";
    EXPECT_EQ(table, run(words_of(command)).out) << command << ": make pages";
    ++tables;
  }
  EXPECT_EQ(tables, 2U);
}

/// The cells of "| a | b |".
std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::size_t begin = row.find("| ");
  for (std::size_t end = row.find(" |"); end != std::string::npos; end = row.find(" |", end + 1)) {
    cells.push_back(begin + 2 <= end ? row.substr(begin + 2, end - begin - 2) : "");
    begin = end + 1;
  }
  return cells;
}

// What `make verify` measured: each kernel of each workload, under all its schedulers, in ten minutes and a
// gigabyte.
TEST_F(BuiltProgram, ThePageOfThePapersWorkloadsSaysWhatWasVerifiedOfEachKernel) {
  std::set<std::string> missing;
  for (const json& row : json::parse(run({"describe", "--size", "paper", "--format", "json"}).out))
    missing.insert(row.at("workload").get<std::string>() + " " + row.at("launch").get<std::string>());
  std::ifstream page(fs::path(test::source_dir()) / "docs/papers-workloads.md");
  std::string line;
  while (std::getline(page, line) && line.compare(0, 16, "<!-- measured in") != 0) {
  }
  std::getline(page, line);
  const std::vector<std::string> names = cells_of(line);
  std::getline(page, line);  // how columns are aligned
  const auto column = [&names](std::string_view name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  ASSERT_LT(column("memory, MB"), names.size()) << "make verify; make pages";
  while (std::getline(page, line) && line != "<!-- end -->") {
    const std::vector<std::string> cells = cells_of(line);
    ASSERT_EQ(cells.size(), names.size()) << line;
    const std::string kernel = cells[column("workload")] + " " + cells[column("launch")];
    EXPECT_EQ(missing.erase(kernel), 1U) << kernel;
    EXPECT_EQ(cells[column("size")], "paper") << kernel;
    for (const char* scheduler : {"gto", "lrr", "pro", "ipaws", "oaws_dynamic", "ccws+gto", "mascar"})
      EXPECT_NE(
          (", " + cells[column("outputs verified under")] + ",").find(", " + std::string(scheduler) + ","),
          std::string::npos)
          << kernel << " was not verified under " << scheduler;
    EXPECT_LT(std::stod(cells[column("simulated in, s")]), 600) << kernel;
    EXPECT_LT(std::stod(cells[column("memory, MB")]), 1024) << kernel;
  }
  EXPECT_TRUE(missing.empty()) << *missing.begin() << " is not in the table: make verify; make pages";
}

}  // namespace
}  // namespace heddle
