// The papers' tables of benchmarks as files.
#include "workloads/papers/paper_tables.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "sc_tests/support/paths.h"
#include "workloads/timed/timed_workload.h"

namespace heddle {
namespace {

std::vector<PaperEntry> paper(const std::string& name) {
  return load_paper_tables(test::source_dir() + "/workloads/papers/" + name + ".yaml");
}

std::vector<PaperEntry> loaded(const std::string& text) {
  const auto path =
      std::filesystem::path(testing::TempDir()) / ("paper_tables_test_" + std::to_string(getpid()) + ".yaml");
  std::ofstream(path) << text;
  return load_paper_tables(path.string());
}

std::string table_error(const std::string& text) {
  try {
    loaded(text);
  } catch (const WorkloadError& error) {
    return error.what();
  }
  return "";
}

std::map<std::string, int> types(const std::vector<PaperEntry>& entries) {
  std::map<std::string, int> count;
  for (const PaperEntry& entry : entries) ++count[entry.type];
  return count;
}

TEST(PaperTables, HaveAsManyRowsAsThePapersTables) {
  EXPECT_EQ(paper("pro").size(), 25U);
  EXPECT_EQ(paper("warpman").size(), 13U);
  EXPECT_EQ(paper("srtf").size(), 8U);
  EXPECT_EQ(types(paper("ipaws")),
            (std::map<std::string, int>{{"GTO-friendly", 7}, {"RR-friendly", 7}, {"neutral", 10}}));
  EXPECT_EQ(types(paper("oaws")), (std::map<std::string, int>{{"divergent", 12}, {"coherent", 8}}));
}

TEST(PaperTables, GiveWhatTheirPaperGives) {
  const auto all = [](const std::vector<PaperEntry>& entries, auto gives) {
    return std::all_of(entries.begin(), entries.end(), gives);
  };
  EXPECT_TRUE(all(paper("pro"), [](const PaperEntry& e) { return e.tbs && !e.kernel.empty(); }));
  EXPECT_TRUE(all(paper("warpman"), [](const PaperEntry& e) {
    return e.warps_per_tb && e.resident_tbs && e.registers_per_tb && e.shared_bytes;
  }));
  EXPECT_TRUE(
      all(paper("srtf"), [](const PaperEntry& e) { return e.tbs && e.threads_per_tb && e.resident_tbs; }));
}

// The same table is what timed pairs are drawn from.
TEST(PaperTables, OfSrtfAreThoseOfItsTimedPairs) {
  const auto entries = paper("srtf");
  const TimedWorkload timed = load_timed_workload(test::source_dir() + "/workloads/timed/ercbench.yaml");
  ASSERT_EQ(timed.kernels.size(), entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(timed.kernels[i].tbs, entries[i].tbs) << entries[i].benchmark;
    EXPECT_EQ(timed.kernels[i].threads_per_tb, entries[i].threads_per_tb) << entries[i].benchmark;
  }
}

TEST(PaperTables, AnEntryIsReadWhole) {
  const auto entries = loaded(
      "paper: P\nentries:\n  - {table: '2', suite: S, benchmark: B, kernel: k, type: neutral, tbs: 1, "
      "threads_per_tb: 2, warps_per_tb: 3, resident_tbs: 4, resident_warps: 5, registers_per_tb: 6, "
      "shared_bytes: 7, swl_warps: 8, note: n, workload: w, launch: l, size: s, few_rounds: f}\n");
  ASSERT_EQ(entries.size(), 1U);
  const PaperEntry& e = entries[0];
  EXPECT_EQ(e.paper + e.table + e.suite + e.benchmark + e.kernel + e.type + e.note + e.workload + e.launch +
                e.size + e.few_rounds,
            "P2SBkneutralnwlsf");
  EXPECT_EQ(e.tbs, 1U);
  EXPECT_EQ(e.threads_per_tb, 2U);
  EXPECT_EQ(e.warps_per_tb, 3U);
  EXPECT_EQ(e.resident_tbs, 4U);
  EXPECT_EQ(e.resident_warps, 5U);
  EXPECT_EQ(e.registers_per_tb, 6U);
  EXPECT_EQ(e.shared_bytes, 7U);
  EXPECT_EQ(e.swl_warps, 8U);
  EXPECT_EQ(e.mark.line, 3U);
}

TEST(PaperTables, ErrorsNameTheirPlace) {
  const std::string head = "paper: P\nentries:\n  - ";
  EXPECT_NE(table_error(head + "{table: '2', suite: S, benchmark: B, workload: w, tb: 3}\n").find(":3:"),
            std::string::npos);
  EXPECT_NE(table_error(head + "{table: '2', suite: S, benchmark: B}\n").find("workload"), std::string::npos);
  EXPECT_NE(table_error(head + "{table: '2', suite: S, benchmark: B, workload: w, tbs: -1}\n").find("tbs"),
            std::string::npos);
  EXPECT_NE(table_error("paper: P\n").find("entries"), std::string::npos);
}

}  // namespace
}  // namespace heddle
