#include "top/text/table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "top/text/text_width.h"

namespace heddle {
namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;
using For = TableColumn::For;

Table two_rows() {
  Table table({{"name", "name"}, {"share", "share", Kind::kPercent}, {"ratio", "ratio", Kind::kDecimal}});
  table.add({"a,\"b\"|", 0.25, 1.23456});
  table.add({"c", nullptr, nullptr});
  return table;
}

/// One as commands print them: keys, figures, details and a long text.
Table wide_table() {
  Table table({{"workload", "workload", Kind::kText, Rank::kDetail},
               {"scheduler", "scheduler", Kind::kText, Rank::kKey},
               {"cycles", "core cycles", Kind::kWhole},
               {"ipc", "warp instructions per cycle", Kind::kDecimal, Rank::kDetail},
               {"speedup", "speedup", Kind::kDecimal, Rank::kKey},
               {"why", "time against the first, by cause"}});
  table.add({"spmv:large", "gto", 1234567, 0.5, 1, nullptr});
  table.add({"spmv:large", "oaws_dynamic", 987654, 0.625, 1.25,
             "scoreboard_memory -20.1%, pipeline_ldst +3.2%, idle_no_warp -1.0%"});
  return table;
}

std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, display_width(line));
  return longest;
}

/// The records of a CSV text, by RFC 4180.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> records{{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& field = records.back().back();
    if (quoted) {
      const bool is_escape = text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"';
      if (is_escape) {
        field += text[++i];
      } else if (text[i] == '"') {
        quoted = false;
      } else {
        field += text[i];
      }
    } else if (text[i] == '"') {
      quoted = true;
    } else if (text[i] == ',') {
      records.back().emplace_back();
    } else if (text[i] == '\n') {
      records.push_back({""});
    } else {
      field += text[i];
    }
  }
  records.pop_back();
  return records;
}

TEST(Table, PrintsTheSameCellsInEveryFormat) {
  Table table = two_rows();
  EXPECT_EQ(
      table.markdown(),
      "| name | share | ratio |\n| --- | ---: | ---: |\n| a,\"b\"\\| | 25.0% | 1.235 |\n| c | - | - |\n");
  EXPECT_EQ(table.csv(), "name,share,ratio\n\"a,\"\"b\"\"|\",0.25,1.23456\nc,,\n");
  EXPECT_EQ(table.json().at(0).at("ratio"), 1.23456);
  EXPECT_TRUE(table.json().at(1).at("share").is_null());
  EXPECT_EQ(table.text({}),
            "name    share  ratio\n------  -----  -----\na,\"b\"|  25.0%  1.235\nc           -      -\n");
  EXPECT_THROW(table.add({"too", "short"}), std::logic_error);
}

TEST(Table, CsvIsReadBack) {
  Table table({{"a", "a"}, {"b", "b"}});
  table.add({"comma, quote \" and\nline", 0.1});
  table.add({"", nullptr});
  EXPECT_EQ(parse_csv(table.csv()), (std::vector<std::vector<std::string>>{
                                        {"a", "b"}, {"comma, quote \" and\nline", "0.1"}, {"", ""}}));
}

TEST(Table, JsonIsReadBackWithAllDigits) {
  Table table(std::vector<TableColumn>{{"x", "x", Kind::kPercent}});
  table.add({1.0 / 3});
  EXPECT_EQ(nlohmann::json::parse(table.print(OutputFormat::kJson)).at(0).at("x").get<double>(), 1.0 / 3);
}

TEST(Table, CountsAreGroupedForPeopleAlone) {
  Table table(std::vector<TableColumn>{{"n", "n", Kind::kWhole}});
  table.add({1234567});
  table.add({-4321.4});
  EXPECT_NE(table.text({}).find("1,234,567\n   -4,321\n"), std::string::npos) << table.text({});
  EXPECT_NE(table.markdown().find("| 1234567 |"), std::string::npos);
  EXPECT_NE(table.csv().find("\n1234567\n"), std::string::npos);
}

TEST(Table, FiguresOfSixDigitsAndMoreAreWholeAndGroupedAlike) {
  Table table({{"f", "f", Kind::kFigure}});
  for (const double value : {22705.75, 217417.4, 616002.0, 999999.7, 2750471.4, 0.0000125})
    table.add({value});
  EXPECT_EQ(table.text({}),
            "        f\n---------\n  22705.8\n  217,417\n  616,002\n1,000,000\n2,750,471\n 1.25e-05\n");
}

TEST(Table, HasColumnsForPeopleAndForPrograms) {
  Table table({{"a", "a"},
               {"people", "people", Kind::kText, Rank::kUsual, For::kPeople},
               {"programs", "programs", Kind::kText, Rank::kUsual, For::kPrograms}});
  table.add({"1", "2", "3"});
  EXPECT_EQ(table.csv(), "a,programs\n1,3\n");
  EXPECT_EQ(table.markdown(), "| a | people |\n| --- | --- |\n| 1 | 2 |\n");
  EXPECT_EQ(table.text({}).find("programs"), std::string::npos);
  EXPECT_FALSE(table.json().at(0).contains("people"));
}

TEST(Table, NoLineIsLongerThanTheTerminal) {
  for (std::size_t width = 4; width <= 200; ++width) {
    EXPECT_LE(longest_line(wide_table().text({width, false})), width) << width;
  }
}

TEST(Table, WithoutATerminalNothingIsLeftOutOrBroken) {
  const std::string text = wide_table().text({});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  EXPECT_NE(text.find("warp instructions per cycle"), std::string::npos);
  EXPECT_NE(text.find("scoreboard_memory -20.1%, pipeline_ldst +3.2%, idle_no_warp -1.0%"),
            std::string::npos);
}

TEST(Table, AWideTerminalHasAllInALineEach) {
  EXPECT_EQ(wide_table().text({200, false}), wide_table().text({}));
}

TEST(Table, ANarrowerOneWrapsHeadingsAndTexts) {
  const std::string text = wide_table().text({80, false});
  EXPECT_EQ(text.find("Not shown"), std::string::npos) << text;
  EXPECT_NE(text.find("spmv:large"), std::string::npos);
  EXPECT_NE(text.find("\n------"), std::string::npos);
}

TEST(Table, AVeryNarrowOneLeavesDetailsOutAndSaysSo) {
  const std::string text = wide_table().text({40, false});
  EXPECT_EQ(text.find("spmv:large"), std::string::npos) << text;
  EXPECT_NE(text.find("oaws_dynamic"), std::string::npos);
  EXPECT_NE(text.find("1.250"), std::string::npos);
  EXPECT_NE(text.find("Not shown for want of width"), std::string::npos) << text;
  EXPECT_NE(text.find("workload"), std::string::npos) << text;
}

TEST(Table, WhereKeysHaveNoRoomARowIsAList) {
  const std::string text = wide_table().text({14, false});
  EXPECT_NE(text.find("scheduler:\n  oaws_dynamic\n"), std::string::npos) << text;
  EXPECT_NE(text.find("core cycles:\n  987,654\n"), std::string::npos) << text;
}

TEST(Table, WideCharactersStayAligned) {
  Table table({{"name", "name"}, {"n", "n", Kind::kWhole}});
  table.add({"漢字", 1});
  table.add({"Zürich", 22});
  EXPECT_EQ(table.text({}), "name     n\n------  --\n漢字     1\nZürich  22\n");
}

TEST(Table, ControlCharactersOfNamesDoNotReachATerminal) {
  Table table(std::vector<TableColumn>{{"name", "name"}});
  table.add({"a\033[31m\nb\xff"});
  const std::string text = table.text({});
  EXPECT_NE(text.find("a [31m b\\xff"), std::string::npos) << text;
}

TEST(Table, ColoursAreForThoseWhoWantThem) {
  Table table({{"x", "x", Kind::kDecimal, Rank::kKey, For::kAll,
                [](const Table::Cell& cell) { return cell.get<double>() > 1 ? Ink::kGood : Ink::kBad; }}});
  table.add({2});
  table.add({0.5});
  EXPECT_EQ(table.text({0, false}).find('\033'), std::string::npos);
  const std::string text = table.text({0, true});
  EXPECT_NE(text.find("\033[32m2.000\033[0m"), std::string::npos) << text;
  EXPECT_NE(text.find("\033[31m0.500\033[0m"), std::string::npos) << text;
}

}  // namespace
}  // namespace heddle
