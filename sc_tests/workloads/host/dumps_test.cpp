// What is told of buffers after a run, for files.
#include "sc_tests/workloads/host/program_folder.h"

namespace heddle {
namespace {

using Values = std::vector<std::uint32_t>;

class Dumps : public test::ProgramFolder {
 protected:
  Dumps() {
    write("k.ptx",
          ".version 3.2\n.target sm_20\n.address_size 64\n.global .align 4 .u32 g_words[3] = {7, 8, 9};\n"
          ".visible .entry k()\n{\n  ret;\n}\n");
  }
  /// a: 0 to 7, b: 10 to 17, w: in a symbol; the list `dump` stands in line 8.
  static std::string with(const std::string& dump, const std::string& launches = "[]") {
    return "ptx: k.ptx\nparameters: {n: 8}\nbuffers:\n  a: {type: u32, count: n, init: {formula: i}}\n"
           "  b: {type: u32, count: n, init: {formula: 10 + i}}\n  w: {symbol: g_words, type: u32}\n"
           "launches: " +
           launches + "\ndump: " + dump + "\n";
  }
  static Values values(const BufferDump& dump) {
    Values all(dump.bytes / sizeof(std::uint32_t));
    std::memcpy(all.data(), dump.data, dump.bytes);
    return all;
  }
};

TEST_F(Dumps, AreWholeBuffersPartsAndSymbols) {
  const auto program = run(with("[w, a, {buffer: b, first: n - 3, count: 2}]"));
  const std::vector<BufferDump> dumps = program->dumps({});
  ASSERT_EQ(dumps.size(), 3U);
  EXPECT_EQ(dumps[0].buffer, "w");
  EXPECT_EQ(values(dumps[0]), (Values{7, 8, 9}));
  EXPECT_EQ(values(dumps[1]), (Values{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(dumps[2].buffer, "b");
  EXPECT_EQ(values(dumps[2]), (Values{15, 16}));
}

TEST_F(Dumps, AreOfWhatNamesReferToAtTheEnd) {
  const auto program = run(with("[{buffer: a, first: 1, count: 2}]", "[{swap: [a, b]}]"));
  EXPECT_EQ(values(program->dumps({}).at(0)), (Values{11, 12}));
}

TEST_F(Dumps, WholeOnesThatAreAskedForGoFirstAndOnce) {
  const auto program = run(with("[{buffer: a, count: 1}, {buffer: w, count: 1}]"));
  const std::vector<BufferDump> dumps = program->dumps({"b", "a", "b"});
  ASSERT_EQ(dumps.size(), 3U);
  EXPECT_EQ(dumps[0].buffer, "b");
  EXPECT_EQ(dumps[1].buffer, "a");
  EXPECT_EQ(dumps[1].bytes, 32U);
  EXPECT_EQ(values(dumps[2]), (Values{7}));
  try {
    program->dumps({"c"});
    FAIL() << "c is no buffer";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "unknown buffer 'c' (buffers: a, b, w)");
  }
}

TEST_F(Dumps, SayWhatIsWrongBeforeAnythingRuns) {
  EXPECT_EQ(error(with("[c]")), "w.yaml:8:8: unknown buffer 'c' (buffers: a, b, w)");
  EXPECT_EQ(error(with("[a, {buffer: a, first: 4}]")),
            "w.yaml:8:20: dump: 'a' is there already, expected it once");
  EXPECT_EQ(error(with("[{buffer: a, first: 4, count: 5}]")),
            "w.yaml:8:37: count of a part of 'a' is 5, expected 0..4");
  EXPECT_EQ(error(with("a")), "w.yaml:8:7: dump: expected a list, found a value");
  EXPECT_EQ(error(with("[{buffer: a, stride: 2}]")),
            "w.yaml:8:20: dump: unknown key 'stride' (keys: buffer, count, first)");
}

}  // namespace
}  // namespace heddle
