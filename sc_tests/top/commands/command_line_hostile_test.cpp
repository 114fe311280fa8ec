// Workloads and configurations that would crash the program, or keep it busy or waiting without end.
#include "sc_tests/top/commands/command_line_fixture.h"

namespace heddle {
namespace {

class HostileInput : public BuiltProgram {
 protected:
  /// Ends with exit code 3 and one message that has `part`, within a few seconds.
  void expect_refused(const std::vector<std::string>& arguments, const std::string& part) {
    const auto began = std::chrono::steady_clock::now();
    std::vector<std::string> words = arguments;
    words.insert(words.end(), {"--max-seconds", "10"});
    const ProgramOutcome outcome = run(words);
    EXPECT_EQ(outcome.code, 3) << part << ": " << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(9)) << part;
  }
  std::string workload(const std::string& text) const {
    return write("w.yaml",
                 "ptx: " + test::source_dir() + "/workloads/kernels/vector_add/vector_add.ptx\n" + text);
  }
};

TEST_F(HostileInput, AliasesThatContainThemselves) {
  expect_refused({"check", workload("launches: &a [{repeat: {count: 1, launches: *a}}]\n")},
                 "w.yaml:2:45: found an alias that contains itself");
  expect_refused({"check", write("gpu.yaml", "core: &a {sms: *a}\n")}, "found an alias that contains itself");
  expect_refused({"cost", "--technology", write("t.yaml", "technologies: &a {x: *a}\n")},
                 "found an alias that contains itself");
  expect_refused({"check", write("timed.yaml", "kind: timed\nkernels: &a [*a]\n")},
                 "found an alias that contains itself");
}

TEST_F(HostileInput, AliasesThatUnfoldWithoutEnd) {
  std::string text = "launches:\n- {kernel: vector_add, grid: 1, block: 1, args: [&a0 {struct: [{i32: 1}]}";
  for (unsigned i = 1; i <= 33; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    text += ", &a" + std::to_string(i) + " {struct: [" + below + ", " + below + "]}";
  }
  expect_refused({"check", workload(text + "]}\n")}, "expected at most 100000 values, lists and maps");
}

TEST_F(HostileInput, NestingAndSize) {
  expect_refused({"check", write("deep.yaml", std::string(100'000, '['))},
                 "expected at most 64 lists and maps in each other");
  expect_refused({"check", write("large.yaml", std::string((4 << 20) + 1, ' '))},
                 "large.yaml: expected at most 4194304 bytes, found 4194305");
  std::string parameters = "parameters:\n";
  for (unsigned i = 0; i < 1001; ++i) parameters += "  p" + std::to_string(i) + ": 1\n";
  expect_refused({"check", workload(parameters)}, "parameters: expected at most 1000, found 1001");
  expect_refused({"check", workload("parameters: {n: \"" + std::string(4095, '1') + "+1\"}\n")},
                 "expected at most 4096 characters, found 4097");
}

TEST_F(HostileInput, LoopsOfTheHostWithoutALaunch) {
  const std::string endless = "launches:\n- repeat: {count: 1000000000000000000, launches: ";
  for (const char* mode : {"--functional", "--quiet"}) {
    expect_refused({"run", workload(endless + "[]}\n"), mode}, "w.yaml:3:3: found 1000000 steps of the host");
    expect_refused(
        {"run",
         workload("buffers: {a: {type: i32, count: 1}}\n" + endless + "[{set: {buffer: a, value: 1}}]}\n"),
         mode},
        "w.yaml:4:3: found 1000000 steps of the host");
    expect_refused({"run",
                    workload("buffers: {a: {type: i32, count: 1}}\nlaunches:\n- while: {buffer: a, equal: 0, "
                             "at_most: 1000000000000000000, launches: []}\n"),
                    mode},
                   "w.yaml:4:3: found 1000000 steps of the host");
  }
}

TEST_F(HostileInput, FilesThatAreNone) {
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  const std::string buffer = "buffers:\n  a: {type: u8, count: 4, init: {file: pipe}}\nlaunches: []\n";
  const std::string check =
      "buffers:\n  a: {type: u8, count: 4}\nlaunches: []\nchecks: [{buffer: a, file: pipe}]\n";
  expect_refused(
      {"check", write("gpu.yaml", "base: pipe\n")},
      "gpu.yaml:1:7: base: " + (folder_ / "pipe").string() + ": expected a regular file, found a pipe");
  expect_refused({"check", write("gpu.yaml", "base: /dev/zero\n"), "--allow-outside"},
                 "gpu.yaml:1:7: base: /dev/zero: expected a regular file, found a device");
  expect_refused({"check", write("v.yaml", "ptx: pipe\nlaunches: []\n")},
                 "expected a regular file, found a pipe");
  expect_refused({"check", workload(buffer)}, "w.yaml:3:33: the file '" + (folder_ / "pipe").string() +
                                                  "': expected a regular file, found a pipe");
  expect_refused({"run", workload(check), "--functional"}, "expected a regular file, found a pipe");
  expect_refused({"run", "vector_add", "--config", (folder_ / "pipe").string()},
                 "expected a regular file, found a pipe");
  expect_refused({"run", (folder_ / "pipe").string()}, "expected a regular file, found a pipe");
  expect_refused({"check", "/dev/zero"}, "expected a regular file, found a device");
  expect_refused({"cost", "--technology", "/dev/zero"}, "expected a regular file, found a device");
  expect_refused({"run", "vector_add", "--arrival", "0", "--alone", (folder_ / "pipe").string()},
                 "expected the run times alone of vector_add");
}

TEST_F(HostileInput, ValuesThatDoNotFit) {
  const auto with = [this](const std::string& buffer, const std::string& rest = "") {
    return workload("buffers:\n  a: " + buffer + "\nlaunches: []\n" + rest);
  };
  expect_refused({"check", with("{type: f32, count: 4, init: 1e300}")},
                 "w.yaml:3:34: buffer 'a', element 0: 1e+300 does not fit f32");
  expect_refused({"check", with("{type: f32, count: 4, init: {random: {seed: 1, high: 1e39}}}")},
                 "w.yaml:3:59: buffer 'a': 1e+39 does not fit f32");
  expect_refused({"check", with("{type: f64, count: 4, init: {lcg: {seed: 1, low: -1e308, high: 1e308}}}")},
                 "expected finite numbers and a finite distance");
  expect_refused({"check", with("{type: f32, count: 4, init: {lcg: {seed: 4294967296}}}")},
                 "w.yaml:3:47: seed is 4294967296, expected 0..4294967295");
  expect_refused({"check", with("{type: u8, count: 4, init: 300}")},
                 "w.yaml:3:33: buffer 'a', element 0: 300 does");
  expect_refused({"check", with("{type: u32, count: 4, init: -1}")}, "-1 does not fit u32");
  expect_refused({"check", with("{type: i32, count: 4, init: 1.5}")}, "1.5 is not a whole number");
  expect_refused({"check", with("{type: f64, count: 4, init: 1e999}")}, "number does not fit a double");
  expect_refused({"check", with("{type: i32, count: 4}", "checks: [{buffer: a, sum: 0, absolute: -1}]\n")},
                 "w.yaml:5:40: absolute is -1, expected a finite number of at least 0");
  expect_refused(
      {"check", with("{type: i32, count: 4}", "checks: [{buffer: a, sum: 0, relative: sqrt(-1)}]\n")},
      "w.yaml:5:40: relative is ");
  expect_refused({"check", with("{type: i32, count: 4}", "checks: [{buffer: a, sum: 0, relative: 1.0/0}]\n")},
                 "w.yaml:5:40: relative is inf");
}

TEST_F(HostileInput, TextsThatAreNoTexts) {
  expect_refused({"cost", "--technology", write("t.yaml", "technologies: {a: {description: [1]}}\n")},
                 "t.yaml:1:33: expected a text");
  expect_refused({"cost", "--technology", write("t.yaml", "technologies: {[1]: {}}\n")},
                 "t.yaml:1:16: expected a text");
  expect_refused({"cost", "--technology", write("t.yaml", "? [1]\n: 1\n")}, "expected a text");
}

TEST_F(HostileInput, ReferencesOfOtherWorkloads) {
  const auto with = [this](const std::string& reference) {
    return workload(
        "parameters: {n: 100, size: 9, width: 0, most_steps: 1, most_walls: 1}\n"
        "buffers:\n  a: {type: f32, count: 1}\n  b: {type: f32, count: 1}\n  c: {type: f32, count: 1}\n"
        "  wall: {type: u8, count: 1}\n  met_and_steps: {type: u32, count: 1}\n"
        "launches: []\nchecks: [{buffer: a, reference: " +
        reference + "}]\n");
  };
  expect_refused({"run", with("matrix_multiply"), "--functional"},
                 "reference 'matrix_multiply': it reaches for element 1 of a buffer that has 1");
  expect_refused({"run", with("rays"), "--functional"},
                 "reference 'rays': parameter 'width' is 0, expected 1..");
}

}  // namespace
}  // namespace heddle
