// The report as a browser shows it: Chromium without a window runs the page and prints what became of it.
#pragma once

#include <gmock/gmock.h>

#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sc_tests/top/commands/command_line_fixture.h"
#include "top/support/processes/child_process.h"

namespace heddle {

/// Tests that show a report of results they make in the test's folder; skipped where there is no Chromium.
class BrowsedReport : public BuiltProgram {
 protected:
  void SetUp() override {
    BuiltProgram::SetUp();
    if (!fs::exists(kChromium)) GTEST_SKIP() << "there is no " << kChromium << " (Debian's package chromium)";
  }

  /// Makes report.html of folders with results.
  void report(const std::vector<std::string>& folders) {
    std::vector<std::string> arguments{"report"};
    arguments.insert(arguments.end(), folders.begin(), folders.end());
    arguments.insert(arguments.end(), {"-o", "report.html"});
    const ProgramOutcome made = run(arguments);
    ASSERT_EQ(made.code, 0) << made.err;
  }

  /// What Chromium prints of report.html with these options, `--dump-dom` say, opened at `place`; its console
  /// must stay empty.
  std::string browse(const std::vector<std::string>& options, const std::string& place = "") {
    ChildStart start;
    start.command = {kChromium,
                     "--headless",
                     "--no-sandbox",
                     "--disable-gpu",
                     "--enable-logging=stderr",
                     "--user-data-dir=" + (folder_ / "profile").string()};
    start.command.insert(start.command.end(), options.begin(), options.end());
    start.command.push_back("file://" + (folder_ / "report.html").string() + place);
    start.output = ChildStart::Output::kRead;
    ChildProcess chromium(start);
    std::string text = chromium.read_output();
    EXPECT_EQ(chromium.wait(), 0) << text;
    EXPECT_THAT(text, Not(::testing::HasSubstr("CONSOLE"))) << "an error or a warning of the page";
    return text;
  }
  /// The page when its scripts have run; at "#numbers" with all tables unfolded.
  std::string page(const std::string& place = "") {
    std::string shown = browse({"--dump-dom"}, place);
    EXPECT_THAT(shown, ::testing::HasSubstr(R"(data-ready="true")")) << "put together to its end";
    return shown;
  }

  /// The part of a page between the figure's, or the section's, first and last tag.
  static std::string element(const std::string& page, const std::string& tag, const std::string& id) {
    const std::size_t begin = page.find("<" + tag + " id=\"" + id + "\"");
    EXPECT_NE(begin, std::string::npos) << id;
    if (begin == std::string::npos) return "";
    return page.substr(begin, page.find("</" + tag + ">", begin) - begin);
  }
  /// data-value of what a chart draws, by "row|key".
  static std::map<std::string, double> bars(const std::string& page, const std::string& id) {
    std::map<std::string, double> found;
    const std::string figure = element(page, "figure", id);
    static const std::regex kBar(R"--(data-row="([^"]*)" data-key="([^"]*)" data-value="([^"]*)")--");
    for (std::sregex_iterator it(figure.begin(), figure.end(), kBar); it != std::sregex_iterator(); ++it) {
      found[(*it)[1].str() + "|" + (*it)[2].str()] = std::stod((*it)[3]);
    }
    return found;
  }
  /// Points of the lines of a chart, by the line's name.
  static std::map<std::string, std::vector<std::pair<double, double>>> lines(const std::string& page,
                                                                             const std::string& id) {
    std::map<std::string, std::vector<std::pair<double, double>>> found;
    const std::string figure = element(page, "figure", id);
    static const std::regex kLine(R"--(data-row="([^"]*)" data-points="([^"]*)")--");
    for (std::sregex_iterator it(figure.begin(), figure.end(), kLine); it != std::sregex_iterator(); ++it) {
      std::istringstream points((*it)[2].str());
      auto& line = found[(*it)[1].str()];
      for (double x = 0, y = 0; points >> x && points.ignore() && points >> y;) line.emplace_back(x, y);
    }
    return found;
  }
  /// How often `what` stands in `text`.
  static std::size_t count(const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++found;
    return found;
  }

 private:
  static constexpr const char* kChromium = "/usr/bin/chromium";
};

}  // namespace heddle
