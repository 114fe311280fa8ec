// docs/intervals.md says what is in the file, and its examples work.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "sc_tests/support/paths.h"
#include "sc_tests/top/intervals/intervals_fixture.h"

namespace heddle {
namespace {

constexpr const char* kPage = "intervals.md";

std::ifstream page_text() { return std::ifstream(test::source_dir() + "/docs/" + kPage); }

/// The rows of the page's tables below a heading, by cells.
std::vector<std::vector<std::string>> table_below(const std::string& heading) {
  std::ifstream page = page_text();
  std::vector<std::vector<std::string>> found;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.compare(0, 1, "#") == 0) inside = line.substr(line.find(' ') + 1) == heading;
    if (!inside || line.compare(0, 3, "| `") != 0) continue;
    std::vector<std::string>& cells = found.emplace_back();
    for (std::size_t at = 2; at < line.size();) {
      const std::size_t end = std::min(line.find(" |", at), line.size());
      cells.push_back(line.substr(at, end - at));
      at = end + 3;
    }
  }
  EXPECT_FALSE(found.empty()) << heading;
  return found;
}

/// What stands in code style, up to the colon after each.
std::vector<std::string> names_in(const std::string& cell) {
  static const std::regex kName("`([a-z_0-9]+)`");
  std::vector<std::string> names;
  for (std::sregex_iterator it(cell.begin(), cell.end(), kName); it != std::sregex_iterator(); ++it)
    names.push_back((*it)[1]);
  return names;
}

class IntervalPage : public IntervalsOfRuns {
 protected:
  std::vector<std::string> columns_of(const std::string& table) const {
    std::vector<std::string> names;
    for (const IntervalRow& row : rows("o", "SELECT name FROM pragma_table_info('" + table + "')"))
      names.push_back(row[0]);
    return names;
  }
};

TEST_F(IntervalPage, HasEveryTableAndColumnWithItsUnit) {
  ASSERT_EQ(run_into("o", {"vector_add", "--interval", "1000"}).code, 0);
  std::map<std::string, std::vector<std::string>> expected;
  for (const auto& cells : table_below("Tables")) {
    // Of the columns of `columns` and `launches` some are explained, with other names in the explanation.
    expected[names_in(cells[0]).at(0)] =
        names_in(std::regex_replace(cells[2], std::regex(": [^`]*`stats.json`"), ""));
  }
  for (const auto& cells : table_below("Of the run")) {
    for (const std::string& name : names_in(cells[0])) expected["run"].push_back(name);
  }
  const auto counters = [&](const std::string& heading, const std::string& table) {
    std::vector<std::string> names;
    for (const auto& cells : table_below(heading)) {
      names.push_back(names_in(cells[0]).at(0));
      EXPECT_EQ(rows("o", "SELECT unit FROM columns WHERE \"table\" = '" + table + "' AND name = '" +
                              names.back() + "'"),
                (IntervalRows{{cells.at(1)}}))
          << names.back();
    }
    expected[table].insert(expected[table].end(), names.begin(), names.end());
    return names;
  };
  const auto machine = counters("Counters of the machine", "intervals");
  const auto sm = counters("Counters of an SM", "sm");
  const auto partition = counters("Counters of a memory partition", "partition");
  expected["gpu"] = expected["intervals"];
  expected["gpu"].emplace_back("resident_tbs");
  expected["gpu"].insert(expected["gpu"].end(), sm.begin(), sm.end());
  expected["gpu"].insert(expected["gpu"].end(), partition.begin(), partition.end());

  std::set<std::string> tables;
  for (const IntervalRow& row : rows("o", "SELECT name FROM sqlite_schema")) tables.insert(row[0]);
  for (auto& [table, columns] : expected) {
    EXPECT_EQ(tables.erase(table), 1U) << table;
    std::vector<std::string> found = columns_of(table);
    std::sort(found.begin(), found.end());
    std::sort(columns.begin(), columns.end());
    EXPECT_EQ(found, columns) << table;
  }
  EXPECT_TRUE(tables.empty()) << *tables.begin() << " is not on the page";
}

TEST_F(IntervalPage, ItsExamplesWork) {
  ASSERT_EQ(run_into("o", {"bfs", "--scheduler", "ipaws", "--interval", "1000", "--set", "core.sms=2"}).code,
            0);
  std::ostringstream page;
  page << page_text().rdbuf();
  const std::string text = page.str();
  static const std::regex kQuery("sqlite 'SELECT ([^']*)'|read_sql\\(\"SELECT ([^\"]*)\"");
  unsigned queries = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), kQuery); it != std::sregex_iterator();
       ++it, ++queries) {
    const std::string query = "SELECT " + (*it)[1].str() + (*it)[2].str();
    EXPECT_FALSE(rows("o", query).empty()) << query;
  }
  EXPECT_EQ(queries, 4U);
}

/// Every signal that a scheduler has is in the table of states, numbers apart.
TEST_F(IntervalPage, NamesTheSignalsOfTheSchedulers) {
  static const std::regex kNumber("[0-9]+");
  std::map<std::string, std::set<std::string>> documented;
  for (const auto& cells : table_below("The scheduler's state")) {
    static const std::regex kSignal("`([a-z_0-9.]+)`");
    const std::string scheduler = names_in(cells[0]).at(0);
    for (std::sregex_iterator it(cells[1].begin(), cells[1].end(), kSignal); it != std::sregex_iterator();
         ++it)
      documented[scheduler].insert(std::regex_replace((*it)[1].str(), kNumber, ""));
  }
  for (const auto& [scheduler, signals] : documented) {
    const bool qualifier = scheduler == "swl" || scheduler == "ccws" || scheduler == "ocw_throttling";
    run_into("o", {"vector_add", "--scheduler", scheduler + (qualifier ? "+gto" : ""), "--interval", "1000",
                   "--set", "core.sms=1", "--max-cycles", "2000"});
    std::set<std::string> found;
    for (const IntervalRow& row : rows("o", "SELECT name FROM signals")) {
      const std::string name = std::regex_replace(row[0], kNumber, "");
      if (name.find(scheduler + ".") != std::string::npos) found.insert(name);
    }
    EXPECT_EQ(found, signals) << scheduler;
  }
}

}  // namespace
}  // namespace heddle
