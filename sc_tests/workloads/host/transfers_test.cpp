// What the host writes between launches: fill and copy; and what it reads of buffers in expressions.
#include "sc_tests/workloads/host/program_folder.h"

namespace heddle {
namespace {

// put stores its second parameter in the first element of the buffer; each thread block adds 1 to the second.
constexpr const char* kTransfersPtx = R"(.version 3.2
.target sm_20
.address_size 64
.visible .entry put(.param .u64 to, .param .u32 value)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<3>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [value];
  st.global.u32 [%rd1], %r1;
  atom.global.add.u32 %r2, [%rd1+4], 1;
  ret;
}
)";

class Transfers : public test::ProgramFolder {
 protected:
  Transfers() { write("k.ptx", kTransfersPtx); }
  /// a: 0 to 7, b: zeros, w: 16-bit zeros, r: reals, in lines 3 to 6; the launches begin in line 8.
  static std::string with(const std::string& launches, const std::string& checks = "") {
    return "ptx: k.ptx\nbuffers:\n  a: {type: u32, count: 8, init: {formula: i}}\n  b: {type: u32, count: "
           "8}\n"
           "  w: {type: u16, count: 8}\n  r: {type: f32, count: 2, init: 1.5}\nlaunches:\n" +
           launches + checks;
  }
  std::vector<std::uint32_t> run_and_read(const std::string& launches, const char* buffer) const {
    const auto program = run(with(launches));
    std::vector<std::uint32_t> all;
    for (unsigned i = 0; i < 8; ++i) all.push_back(element<std::uint32_t>(*program, buffer, i));
    return all;
  }
  using Values = std::vector<std::uint32_t>;
};

TEST_F(Transfers, FillGivesAWholeBufferOrAPartValues) {
  EXPECT_EQ(run_and_read("- fill: {buffer: b, value: 7}\n", "b"), (Values{7, 7, 7, 7, 7, 7, 7, 7}));
  EXPECT_EQ(run_and_read("- fill: {buffer: b, first: 2, count: 3, formula: 10 + i}\n", "b"),
            (Values{0, 0, 10, 11, 12, 0, 0, 0}))
      << "i counts the part's elements";
  EXPECT_EQ(run_and_read("- fill: {buffer: a, first: 6, value: 0}\n", "a"), (Values{0, 1, 2, 3, 4, 5, 0, 0}));
  EXPECT_EQ(run_and_read("- fill: {buffer: a, first: 8, value: 0}\n", "a"), (Values{0, 1, 2, 3, 4, 5, 6, 7}));
}

// An expression has the elements as they are when the statement's turn comes.
TEST_F(Transfers, AFillReadsWhatWasThereBeforeIt) {
  EXPECT_EQ(run_and_read("- fill: {buffer: a, first: 1, count: 6, formula: \"10 + a[i]\"}\n", "a"),
            (Values{0, 10, 11, 12, 13, 14, 15, 7}));
  EXPECT_EQ(run_and_read("- fill: {buffer: a, formula: \"a[7 - i]\"}\n", "a"),
            (Values{7, 6, 5, 4, 3, 2, 1, 0}));
}

TEST_F(Transfers, FillHappensBetweenLaunches) {
  EXPECT_EQ(run_and_read("- {kernel: put, grid: 1, block: 1, args: [b, 5]}\n"
                         "- copy: {from: b, to: a, count: 1}\n"
                         "- fill: {buffer: b, value: 0}\n"
                         "- {kernel: put, grid: 3, block: 1, args: [b, 6]}\n",
                         "b"),
            (Values{6, 3, 0, 0, 0, 0, 0, 0}));
}

TEST_F(Transfers, CopyTakesAsManyElementsAsItSaysOrThereAre) {
  EXPECT_EQ(run_and_read("- copy: {from: a, to: b}\n", "b"), (Values{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(run_and_read("- copy: {from: {buffer: a, first: 2}, to: b, count: 2}\n", "b"),
            (Values{2, 3, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(run_and_read("- copy: {from: {buffer: a, first: 5}, to: {buffer: b, first: 1}}\n", "b"),
            (Values{0, 5, 6, 7, 0, 0, 0, 0}));
  EXPECT_EQ(run_and_read("- copy: {from: a, to: {buffer: a, first: 1}, count: 7}\n", "a"),
            (Values{0, 0, 1, 2, 3, 4, 5, 6}))
      << "what lies over each other is copied as it was";
}

/// In pieces of a megabyte, from either end.
TEST_F(Transfers, LongCopiesOverThemselvesAreAsTheyWere) {
  for (const bool up : {true, false}) {
    const std::string from = up ? "{buffer: x, first: 0}" : "{buffer: x, first: 100000}";
    const std::string to = up ? "{buffer: x, first: 100000}" : "{buffer: x, first: 0}";
    const auto program =
        run("ptx: k.ptx\nbuffers:\n  x: {type: u32, count: 1000000, init: {formula: i}}\nlaunches:\n"
            "- copy: {from: " +
            from + ", to: " + to + ", count: 900000}\n");
    for (const unsigned i : {0U, 1U, 99999U, 262143U, 262144U, 262145U, 555555U, 899999U}) {
      EXPECT_EQ(element<std::uint32_t>(*program, "x", up ? i + 100000 : i), up ? i : i + 100000) << up;
    }
  }
}

TEST_F(Transfers, FollowNamesThatWereSwapped) {
  EXPECT_EQ(run_and_read("- swap: [a, b]\n- fill: {buffer: b, count: 2, value: 9}\n", "a"),
            (Values{9, 9, 2, 3, 4, 5, 6, 7}));
}

TEST_F(Transfers, TellWhatTheyWriteAsCopiesToTheDevice) {
  HostProgram program(
      workload(with("- fill: {buffer: a, first: 2, count: 3, value: 7}\n"
                    "- copy: {from: a, to: {buffer: b, first: 1}, count: 2}\n"
                    "- {kernel: put, grid: 1, block: 1, args: [b, 5]}\n")));
  const std::uint64_t a = program.memory().find("a")->address;
  const std::uint64_t b = program.memory().find("b")->address;
  program.take_host_copies();
  ASSERT_NE(program.next(), nullptr);
  const std::vector<HostCopy> copies = program.take_host_copies();
  ASSERT_EQ(copies.size(), 2U);
  EXPECT_EQ(copies[0].address, a + 8);
  EXPECT_EQ(copies[0].bytes, 12U);
  EXPECT_EQ(copies[1].address, b + 4);
  EXPECT_EQ(copies[1].bytes, 8U);
}

TEST_F(Transfers, LaunchesReadWhatBuffersHold) {
  EXPECT_EQ(
      run_and_read("- {kernel: put, grid: \"a[3]\", block: \"a[1]\", args: [b, \"2 * a[a[2] + 3]\"]}\n", "b"),
      (Values{10, 3, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(
      run_and_read("- repeat: {count: \"a[4]\", as: k, launches: [{kernel: put, grid: 1, block: 1, args: "
                   "[b, \"k + b[0]\"]}]}\n",
                   "b"),
      (Values{6, 4, 0, 0, 0, 0, 0, 0}))
      << "0, 1, 3, 6: each launch reads what the one before has left";
  EXPECT_EQ(run_and_read("- set: {buffer: b, index: \"a[7]\", value: \"a[6] - 1\"}\n", "b"),
            (Values{0, 0, 0, 0, 0, 0, 0, 5}));
}

TEST_F(Transfers, ChecksMayLookAtAPart) {
  const std::string put = "- copy: {from: a, to: b}\n";
  const auto passes = [&](const std::string& check) {
    const auto program = run(with(put, "checks: [{buffer: b, " + check + "}]\n"));
    return program->check().at(0);
  };
  EXPECT_TRUE(passes("first: 2, count: 3, sum: 9").passed);
  EXPECT_EQ(passes("first: 2, count: 3, sum: 9").buffer, "b[2..4]");
  EXPECT_FALSE(passes("first: 2, count: 3, sum: 10").passed);
  EXPECT_TRUE(passes("stride: 3, sum: 9").passed) << "0, 3 and 6";
  EXPECT_EQ(passes("stride: 3, sum: 9").buffer, "b[0..6 by 3]");
  EXPECT_TRUE(passes("first: 1, stride: 3, count: 2, sum: 5").passed) << "1 and 4";
  EXPECT_EQ(passes("sum: 28").buffer, "b");
  const std::uint32_t expected[] = {5, 9, 7};
  write("part.bin", std::string(reinterpret_cast<const char*>(expected), sizeof expected));
  const CheckResult result = passes("first: 5, file: part.bin");
  EXPECT_EQ(result.mismatches, 1U);
  EXPECT_EQ(result.worst_index, 6U) << "in the buffer";
}

TEST_F(Transfers, BuffersThatDoNotFitAreSaidWithTheirPlace) {
  EXPECT_EQ(error("ptx: k.ptx\nbuffers:\n  a: {type: u8, count: 8589934592}\n  b: {type: u8, count: "
                  "1}\nlaunches: []\n"),
            "w.yaml:4:6: device memory: buffer 'b' needs 1 bytes, 0 of 8589934592 are free");
}

TEST_F(Transfers, SayWhatIsWrong) {
  EXPECT_EQ(error(with("- fill: {buffer: c, value: 7}\n")),
            "w.yaml:8:18: unknown buffer 'c' (buffers: a, b, r, w)");
  EXPECT_EQ(error(with("- fill: {buffer: b, first: 9, value: 7}\n")),
            "w.yaml:8:28: first of a part of 'b' is 9, expected 0..8");
  EXPECT_EQ(error(with("- copy: {from: a, to: w}\n")),
            "w.yaml:8:9: copy: 'a' is u32 but 'w' is u16; expected elements of the same size");
  EXPECT_EQ(error(with("- copy: {from: a, to: {buffer: b, first: 4}}\n")),
            "w.yaml:8:32: copy: 8 elements of 'a' to 'b', expected at most 4, its elements from there on");
  EXPECT_EQ(error(with("- {kernel: put, grid: \"a[8]\", block: 1, args: [b, 1]}\n")),
            "w.yaml:8:23: 'a[8]': index of 'a' is 8, expected 0..7");
  EXPECT_EQ(error(with("- {kernel: put, grid: \"r[0]\", block: 1, args: [b, 1]}\n")),
            "w.yaml:8:23: 'r[0]': expected an integer, got 1.5");
  EXPECT_EQ(error(with("- {kernel: put, grid: 1, block: 1, args: [b, 1]}\n",
                       "checks: [{buffer: b, count: 9, sum: 0}]\n")),
            "w.yaml:9:29: count of a check of 'b' is 9, expected 1..8");
}

}  // namespace
}  // namespace heddle
