// The viewer of timelines in the report, against the files that it shows.
#include <algorithm>

#include "sc_tests/support/trace_reader.h"
#include "sc_tests/top/page/report_browser_fixture.h"

namespace heddle {
namespace {

using test::TraceReader;
using test::TraceSlice;
using test::TraceThread;
using ::testing::HasSubstr;

class TimelineInBrowser : public BrowsedReport {
 protected:
  void SetUp() override {
    BrowsedReport::SetUp();
    if (IsSkipped()) return;
    const ProgramOutcome made = run({"run", "bfs", "--param", "nodes=512", "--set", "core.sms=2",
                                     "--timeline", "--timeline-requests", "4", "--quiet", "--out", "out"});
    ASSERT_EQ(made.code, 0) << made.err;
    trace_ = TraceReader::read(read("out/timeline.json"));
    report({"out"});
  }

  /// Has the page, when it is there, do what the script says.
  void then(const std::string& script) {
    const std::string page = read("report.html");
    const std::size_t end = page.rfind("</body>");
    ASSERT_NE(end, std::string::npos);
    std::ofstream(folder_ / "report.html")
        << page.substr(0, end) << "<script>" << script << "</script></body></html>\n";
  }
  void press(const std::vector<std::string>& keys) {
    std::string script = "{const chart = document.querySelector('#timeline-0 svg');";
    for (const std::string& key : keys) {
      script += "chart.dispatchEvent(new KeyboardEvent('keydown', {key: '" + key + "', bubbles: true}));";
    }
    then(script + "}");
  }

  /// Warp cycles of an SM in [from, to) by state.
  std::map<std::string, double> states(const std::string& sm, double from, double to) const {
    std::map<std::string, double> cycles;
    for (const TraceThread* slot : trace_.threads(sm, "warp slot ")) {
      for (const TraceSlice& slice : slot->of_depth(1)) {
        const double inside = std::min(slice.end(), to) - std::max(slice.ts, from);
        if (inside > 0) cycles[slice.name] += inside;
      }
    }
    return cycles;
  }
  /// What the chart shows has those cycles, and of no other state or SM any.
  void expect_states(const std::map<std::string, double>& bars, const std::string& sm, double from,
                     double to) const {
    std::map<std::string, double> expected;
    for (const auto& [state, cycles] : states(sm, from, to)) expected[sm + "|" + state] = cycles;
    std::map<std::string, double> shown;
    for (const auto& [key, cycles] : bars) {
      if (key.rfind("SM ", 0) == 0 && !is_counter(key)) shown[key] = cycles;
    }
    EXPECT_GT(expected.size(), 4U);
    EXPECT_EQ(shown, expected);
  }
  static bool is_counter(const std::string& key) {
    const std::string name = key.substr(key.find('|') + 1);
    return name == "IPC" || name == "active warps" || name == "MSHR entries";
  }

  double end() const { return trace_.other().at("end_cycle"); }

  TraceReader trace_;
};

TEST_F(TimelineInBrowser, ShowsTheCyclesCountersAndRequestsOfTheFile) {
  const std::string page = this->page();
  const auto shown = bars(page, "timeline-0");
  expect_states(shown, "SM 0", 0, end());
  for (const char* const counter : {"IPC", "active warps", "MSHR entries"}) {
    const double sum = trace_.integral("SM 0", counter);
    EXPECT_GT(sum, 0) << counter;
    EXPECT_NEAR(shown.at(std::string("SM 0|") + counter), sum, 0.001 * end()) << counter;
  }
  std::map<std::string, double> stages;
  for (const auto& [id, thread] : trace_.threads()) {
    if (thread.name.rfind("requests: ", 0) != 0) continue;
    for (const TraceSlice& slice : thread.slices) {
      stages["request " + slice.args.at("request").dump() + "|" + slice.name] += slice.dur;
    }
  }
  std::size_t requests = 0;
  for (const auto& [key, cycles] : shown) {
    if (key.rfind("request ", 0) != 0) continue;
    ++requests;
    if (key.substr(key.find('|')) != "|l2") {  // before DRAM and after it
      EXPECT_NEAR(cycles, stages.at(key), 0.0011) << key;
    }
  }
  EXPECT_GT(requests, 50U);
  const std::string section = element(page, "section", "timeline");
  EXPECT_THAT(section, HasSubstr("warps spend most, "));
  EXPECT_THAT(section, Not(HasSubstr("Left out: here, states"))) << "nothing was merged";
}

TEST_F(TimelineInBrowser, KeysChooseTheSmZoomAndMove) {
  press({"ArrowDown", "+", "+", "ArrowRight"});
  const std::string page = this->page();
  const std::string figure = element(page, "figure", "timeline-0");
  std::smatch window;
  static const std::regex kWindow("SM 1, cycles ([0-9,]+) to ([0-9,]+)\\.");
  ASSERT_TRUE(std::regex_search(figure, window, kWindow)) << figure.substr(0, 3000);
  const auto cycle = [](std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ','), text.end());
    return std::stod(text);
  };
  const double from = cycle(window[1]);
  const double to = cycle(window[2]);
  EXPECT_NEAR(to - from, end() / 4, 2);
  EXPECT_NEAR(from, end() * (3.0 / 8 + 1.0 / 16), 4) << "a quarter of the window later";
  expect_states(bars(page, "timeline-0"), "SM 1", from, to);
}

TEST_F(TimelineInBrowser, KeysStayInsideAndGoBackToAll) {
  press({"-", "ArrowLeft", "ArrowUp"});
  EXPECT_THAT(element(page(), "figure", "timeline-0"), HasSubstr("SM 1, cycles 0 to "))
      << "from the first to the last SM";
  press({"+", "+", "0"});
  expect_states(bars(page(), "timeline-0"), "SM 1", 0, end());
}

TEST_F(TimelineInBrowser, SaysWhatIsUnderThePointer) {
  const TraceThread& slot = trace_.thread("SM 0", "warp slot 0");
  const TraceSlice& state = *std::max_element(
      slot.slices.begin(), slot.slices.end(),
      [](const auto& a, const auto& b) { return (a.depth == 1 ? a.dur : 0) < (b.depth == 1 ? b.dur : 0); });
  const double middle = state.ts + state.dur / 2;
  then(
      "const chart = document.querySelector('#timeline-0 svg');"
      "const row = [...chart.querySelectorAll('text')].find((text) => text.textContent === 'warp slot 0');"
      "const box = chart.getBoundingClientRect();"
      "const left = 96, right = chart.width.baseVal.value - 28;"
      "chart.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + left + (right - left) * " +
      std::to_string(middle / end()) + ", clientY: box.top + Number(row.getAttribute('y'))}));");
  const std::vector<TraceSlice> lives = slot.of_depth(0);
  const auto life =
      std::find_if(lives.begin(), lives.end(), [middle](const TraceSlice& l) { return l.end() > middle; });
  ASSERT_NE(life, lives.end());
  const auto with_commas = [](double cycle) {
    std::string digits = std::to_string(static_cast<long>(cycle));
    for (std::size_t place = digits.size(); place > 3;) digits.insert(place -= 3, ",");
    return digits;
  };
  const std::string kernel = life->name.substr(0, life->name.find(" TB "));
  const std::string expected = "warp slot 0: " + kernel + ", launch " + life->args.at("launch").dump() +
                               ", TB " + life->args.at("tb").dump() + ", warp " +
                               life->args.at("warp").dump() + ", ";
  const std::string figure = element(page(), "figure", "timeline-0");
  EXPECT_THAT(figure, HasSubstr(expected));
  EXPECT_THAT(figure, HasSubstr(", " + with_commas(state.ts) + " to " + with_commas(state.end())));
}

}  // namespace
}  // namespace heddle
