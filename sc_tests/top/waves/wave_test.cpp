#include <gtest/gtest.h>

#include <bitset>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <systemc>

#include "modules/messages/tick_order.h"
#include "tlm/clocked.h"
#include "top/support/output/atomic_file.h"
#include "top/waves/fst_file.h"
#include "top/waves/gtkw_file.h"
#include "top/waves/wave_recorder.h"
#include "top/waves/wave_window.h"

namespace heddle {
namespace {

std::string text_in(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(WaveRecorder, KeepsWhatAPatternAsksFor) {
  std::uint64_t a = 0;
  WaveRecorder recorder({"sm0.*", "sm1.l1d.hit"});
  bool wanted_sm2 = true;
  {
    WaveScope scope(recorder, "sm0");
    recorder.signal(a, 3, "x");
  }
  {
    WaveScope scope(recorder, "sm1");
    EXPECT_TRUE(recorder.wanted());
    recorder.signal(a, 3, "x");
    WaveScope l1d(recorder, "l1d");
    recorder.signal(a, 1, "hit");
  }
  {
    WaveScope scope(recorder, "sm2");
    wanted_sm2 = recorder.wanted();
  }
  EXPECT_FALSE(wanted_sm2);
  ASSERT_EQ(recorder.signals().size(), 2U);
  EXPECT_EQ(recorder.signals()[0].full_name(), "sm0.x");
  EXPECT_EQ(recorder.signals()[1].full_name(), "sm1.l1d.hit");
}

TEST(WaveRecorder, WithoutPatternsEverySignalIsWanted) {
  std::uint64_t a = 0;
  WaveRecorder recorder({});
  EXPECT_TRUE(recorder.wanted());
  recorder.signal(a, 3, "x");
  EXPECT_EQ(recorder.signals().size(), 1U);
}

TEST(WaveRecorder, AVersionIsThatOfTheScopeFromThereOnAndOfScopesInIt) {
  std::uint64_t a = 0;
  std::uint64_t outer = 0;
  std::uint64_t inner = 0;
  WaveRecorder recorder({});
  {
    const WaveScope scope(recorder, "sm0");
    recorder.signal(a, 1, "before");
    recorder.change_with(outer);
    recorder.signal(a, 1, "after");
    {
      const WaveScope column(recorder, "column", inner);
      recorder.enumeration(a, "own", {"x", "y"});
    }
    const WaveScope column(recorder, "another");
    recorder.signal(a, 1, "inherited");
  }
  recorder.signal(a, 1, "outside");
  std::map<std::string, const std::uint64_t*> versions;
  for (const WaveSignal& signal : recorder.signals()) versions[signal.name] = signal.version;
  const std::map<std::string, const std::uint64_t*> expected{
      {"before", nullptr}, {"after", &outer}, {"own", &inner}, {"inherited", &outer}, {"outside", nullptr}};
  EXPECT_EQ(versions, expected);
}

constexpr Ticks kCorePeriod = 10;

class WaveFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(::testing::TempDir()) /
        (std::string("heddle-waves-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return (folder_ / "waves.vcd").string(); }
  std::filesystem::path folder_;
};

using VcdFileTest = WaveFileTest;

std::vector<std::size_t> in_one_group(const std::vector<WaveSignal>& signals) {
  std::vector<std::size_t> groups(signals.size(), 0);
  return groups;
}

TEST_F(VcdFileTest, TimeIsInCoreCyclesAndEachClockRisesAtItsEdges) {
  std::uint64_t queue = 3;
  const std::vector<WaveSignal> signals{{&queue, 8, "partition0", "queue", {}}};
  VcdFile file(path(), signals, in_one_group(signals), {{"core", kCorePeriod}, {"l2", 15}});
  file.begin(20);
  queue = 4;
  file.sample(30, 0, 1);  // an edge of both
  queue = 5;
  file.sample(45, 0, 1);
  file.end(50);
  EXPECT_EQ(text_in(path()),
            "$comment 1 s is one core cycle, of 10 fs $end\n$timescale 1 ms $end\n"
            "$scope module gpu $end\n$scope module clock $end\n$var wire 1 ! core $end\n"
            "$var wire 1 \" l2 $end\n$upscope $end\n$scope module partition0 $end\n"
            "$var wire 8 # queue [7:0] $end\n$upscope $end\n$upscope $end\n$enddefinitions $end\n"
            "#2000\n$dumpvars\n1!\n1\"\nb11 #\n$end\n"
            "#2250\n0\"\n#2500\n0!\n"
            "#3000\n1!\n1\"\nb100 #\n"
            "#3500\n0!\n#3750\n0\"\n#4000\n1!\n"
            "#4500\n0!\n1\"\nb101 #\n"
            "#5000\n");
}

TEST_F(VcdFileTest, AnEdgeLessThanAUnitAfterTheBeginningIsOneOfTheBeginning) {
  const std::uint64_t queue = 3;
  const std::vector<WaveSignal> signals{{&queue, 8, "partition0", "queue", {}}};
  constexpr Ticks kCore =
      1428571;  // 700 MHz and 924: edge 132 of the one is 32 fs after edge 100 of the other
  VcdFile file(path(), signals, in_one_group(signals), {{"core", kCore}, {"dram", 1082251}});
  file.begin(100 * kCore);
  file.end(101 * kCore);
  const std::string text = text_in(path());
  EXPECT_EQ(text.substr(text.find("#100000")),
            "#100000\n$dumpvars\n1!\n1\"\nb11 #\n$end\n#100378\n0\"\n#100500\n0!\n#100757\n1\"\n#101000\n");
}

TEST_F(VcdFileTest, WritesNumbersInBinaryFlagsAsABitAndEnumerationsByName) {
  std::uint64_t values[] = {0, 0, 1};  // the file follows their order in memory
  std::uint64_t& wide = values[0];
  std::uint64_t& flag = values[1];
  std::uint64_t& state = values[2];
  const std::vector<WaveSignal> signals{{&wide, 64, "sm0", "wide", {}},
                                        {&wide, 3, "sm0", "low_bits", {}},
                                        {&flag, 1, "sm0", "flag", {}},
                                        {&state, 2, "sm0", "state", {"idle", "busy", "blocked"}}};
  VcdFile file(path(), signals, in_one_group(signals), {{"core", kCorePeriod}});
  file.begin(0);
  wide = ~std::uint64_t{0} - 2;
  flag = 1;
  state = 2;
  file.sample(10, 0, 1);
  file.end(30);
  const std::string text = text_in(path());
  EXPECT_NE(text.find("$var string 1 % state $end"), std::string::npos) << text;
  EXPECT_NE(text.find("b0 \"\nb0 #\n"), std::string::npos) << text;
  EXPECT_NE(text.find("sbusy %\n$end\n"), std::string::npos) << text;
  EXPECT_NE(text.find("b" + std::string(62, '1') + "01 "), std::string::npos) << text;
  EXPECT_NE(text.find("b101 #\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n1$\n"), std::string::npos) << text;
  EXPECT_NE(text.find("sblocked %\n"), std::string::npos) << text;
}

TEST_F(VcdFileTest, SignalsOfOneVariableAndClocksOfOnePeriodShareTheirCode) {
  std::uint64_t value = 0;
  const std::vector<WaveSignal> signals{{&value, 4, "sm0", "here", {}}, {&value, 4, "sm0.part", "there", {}}};
  VcdFile file(path(), signals, in_one_group(signals),
               {{"core", kCorePeriod}, {"interconnect", kCorePeriod}});
  file.begin(0);
  value = 9;
  file.sample(10, 0, 1);
  file.end(20);
  const std::string text = text_in(path());
  for (const char* declared : {"1 ! core", "1 ! interconnect", "4 \" here", "4 \" there"}) {
    EXPECT_NE(text.find(declared), std::string::npos) << declared << text;
  }
  const std::size_t change = text.find("b1001 \"");
  ASSERT_NE(change, std::string::npos) << text;
  EXPECT_EQ(text.find("b1001 \"", change + 1), std::string::npos) << text;
}

TEST_F(VcdFileTest, FindsAChangeWhereverItsVariableLies) {
  // Neighbours in memory are compared in blocks: each alone, and those beside it stay as they were.
  std::vector<std::uint64_t> values(37, 0);
  std::vector<WaveSignal> signals;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 20) signals.push_back({&values[i], 32, "sm0", "v" + std::to_string(i), {}});
  }
  VcdFile file(path(), signals, in_one_group(signals), {{"core", 2}});
  file.begin(0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = 100 + i;
    file.sample(2 * (i + 1), 0, 1);
  }
  file.end(200);
  const std::string text = text_in(path());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::string binary;
    for (std::size_t left = 100 + i; left != 0; left /= 2) binary.insert(0, 1, left % 2 == 0 ? '0' : '1');
    const std::size_t time = text.find("\n#" + std::to_string((i + 1) * 1000) + "\n");
    const std::size_t next = text.find('#', time + 2);
    const bool changed = text.substr(time, next - time).find("\nb" + binary + " ") != std::string::npos;
    EXPECT_EQ(changed, i != 20) << i;
  }
}

TEST_F(VcdFileTest, WritesAsManyChangesAsThereAreAtATimeInTheirOrder) {
  std::vector<std::uint64_t> values(300, 0);
  std::vector<WaveSignal> signals;
  std::vector<std::size_t> groups;
  for (std::size_t i = 0; i < values.size(); ++i) {
    signals.push_back({&values[i], 64, "sm0", "v" + std::to_string(i), {}});
    groups.push_back(i / 100);
  }
  VcdFile file(path(), signals, groups, {{"core", 2}});
  file.begin(0);
  const std::uint64_t high = std::uint64_t{1} << 63;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = high + i;
  file.sample(2, 0, 2);
  file.sample(4, 2, 3);
  file.end(6);
  std::istringstream text(text_in(path()));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    if (line[0] == '#' || line.size() > 64) lines.push_back(line.substr(0, 65));
  }
  ASSERT_EQ(lines.size(), values.size() + 7);
  EXPECT_EQ(lines[2], "#1000");
  EXPECT_EQ(lines[203], "#1500");
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(lines[i < 200 ? i + 3 : i + 5], "b" + std::bitset<64>(high + i).to_string()) << i;
  }
}

TEST_F(VcdFileTest, ItsTimesHaveNoLeadingZeros) {
  std::uint64_t value = 0;
  const std::vector<WaveSignal> signals{{&value, 4, "sm0", "value", {}}};
  VcdFile file(path(), signals, {0}, {{"core", kCorePeriod}});
  file.begin(0);
  file.end(20);
  const std::string text = text_in(path());
  EXPECT_NE(text.find("$end\n#500\n0!\n#1000\n1!\n#1500\n0!\n#2000\n"), std::string::npos) << text;
}

TEST_F(VcdFileTest, AClockThatIsAloneGoesOnWhereverItsTimesGetLonger) {
  std::uint64_t value = 0;
  const std::vector<WaveSignal> signals{{&value, 4, "sm0", "value", {}}};
  for (const std::uint64_t from : {0, 1, 997, 998, 999, 1000, 1001, 9998, 999999}) {
    VcdFile file(path(), signals, {0}, {{"core", kCorePeriod}});
    file.begin(from * kCorePeriod);
    std::string expected = "#" + std::to_string(from * 1000) + "\n$dumpvars\n1!\nb0 \"\n$end\n#" +
                           std::to_string(from * 1000 + 500) + "\n0!\n";
    for (std::uint64_t cycle = from + 1; cycle != from + 2100; ++cycle) {
      expected += "#" + std::to_string(cycle * 1000) + "\n1!\n";
      if (cycle % 700 == 0) {  // a change after one cycle and after hundreds
        value = value == 5 ? 2 : 5;
        file.sample(cycle * kCorePeriod, 0, 1);
        expected += value == 5 ? "b101 \"\n" : "b10 \"\n";
      }
      expected += "#" + std::to_string(cycle * 1000 + 500) + "\n0!\n";
    }
    file.end((from + 2100) * kCorePeriod);
    expected += "#" + std::to_string((from + 2100) * 1000) + "\n";
    const std::string text = text_in(path());
    EXPECT_EQ(text.substr(text.find("$enddefinitions $end\n") + 21), expected) << from;
    value = 0;
  }
}

TEST_F(VcdFileTest, SaysWhenItCouldNotBeWritten) {
  std::uint64_t value = 0;
  const std::vector<WaveSignal> signals{{&value, 4, "sm0", "value", {}}};
  VcdFile file((folder_ / "none" / "waves.vcd").string(), signals, {0}, {{"core", kCorePeriod}});
  file.begin(0);
  file.end(10);
  EXPECT_TRUE(file.failed());
}

/// A block whose value changes at every third of its edges, asleep from the 40th on.
class Stepper : public Clocked {
 public:
  explicit Stepper(ClockDomain& domain) : Clocked(domain, tick_order::kMemory, "stepper") {}
  bool tick() override {
    if (domain().cycle() % 3 == 0) value = domain().cycle();
    return domain().cycle() < 40;
  }
  std::uint64_t value = 0;
};

using Blocks = std::vector<const Clocked*>;

class WaveWindowTest : public WaveFileTest {
 protected:
  std::string run(CycleWindow window) {
    ClockTree tree("tree");
    ClockDomain clock("clock", sc_core::sc_time::from_value(kCorePeriod), true, &tree);
    Stepper stepper(clock);
    const std::vector<WaveSignal> signals{{&stepper.value, 8, "sm0.unit", "value", {}}};
    WaveWindow waves("waves", path(), signals, {{"core", kCorePeriod}}, window, tree,
                     [&stepper](const std::string& /*scope*/) { return Blocks{&stepper}; });
    tree.run_ahead();
    sc_core::sc_start(sc_core::sc_time::from_value(1000));
    waves.close();
    started_ = waves.started();
    return text_in(path());
  }
  bool started_ = false;
};

TEST_F(WaveWindowTest, ShowsTheCyclesFromItsFirstUpToItsLast) {
  const std::string text = run({7, 12});
  // Cycle 7 shows what cycle 6 left; 9 changes it; 12 is not in the window.
  EXPECT_NE(text.find("#7000\n$dumpvars\n1!\nb110 \"\n$end\n"), std::string::npos) << text;
  EXPECT_NE(text.find("#9000\n1!\nb1001 \"\n"), std::string::npos) << text;
  EXPECT_NE(text.find("#11500\n0!\n#12000\n"), std::string::npos) << text;
  EXPECT_EQ(text.substr(text.size() - 7), "#12000\n") << text;
}

TEST_F(WaveWindowTest, AChangeAtItsFirstCycleIsShownThere) {
  const std::string text = run({9, 12});
  EXPECT_NE(text.find("#9000\n$dumpvars\n1!\nb1001 \"\n$end\n"), std::string::npos) << text;
}

TEST_F(WaveWindowTest, ClocksGoOnWhenAllBlocksSleep) {
  const std::string text = run({50, 60});  // asleep since cycle 40
  EXPECT_NE(text.find("#50000\n$dumpvars\n1!\nb100111 \"\n$end\n"), std::string::npos) << text;
}

TEST_F(WaveWindowTest, AnOpenWindowEndsWithTheRun) {
  const std::string text = run({});
  EXPECT_NE(text.find("\n#39000\n1!\nb100111 \"\n"), std::string::npos) << text;
}

TEST_F(WaveWindowTest, WithoutItsFirstCycleThereIsNoFile) {
  run({500, 600});
  EXPECT_FALSE(started_);
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(WaveFileTest, LooksAtASignalWhenItMayHaveChanged) {
  ClockTree tree("tree");
  ClockDomain clock("clock", sc_core::sc_time::from_value(kCorePeriod), true, &tree);
  ClockDomain other("other", sc_core::sc_time::from_value(4 * kCorePeriod), true, &tree);
  Stepper stepper(clock);
  Stepper slow(other);
  std::uint64_t counted = 0;
  std::uint64_t version = 0;
  tree.edge_handled.listen([&] {  // before the window looks
    if (tree.time() < 40) return;
    counted = 1;
    version = tree.time() < 60 ? 0 : 1;
  });
  const std::vector<WaveSignal> signals{{&stepper.value, 8, "own", "value", {}},
                                        {&stepper.value, 8, "of_slow", "value", {}},
                                        {&stepper.value, 8, "of_any", "value", {}},
                                        {&counted, 8, "counted", "value", {}, &version}};
  WaveWindow waves("waves", path(), signals, {{"core", kCorePeriod}}, {2, 10}, tree,
                   [&](const std::string& scope) {
                     if (scope == "of_any") return Blocks();
                     return scope == "of_slow" ? Blocks{&slow} : Blocks{&stepper};
                   });
  sc_core::sc_start(sc_core::sc_time::from_value(200));
  waves.close();
  const std::string text = text_in(path());
  // 3, 6 and 9 are the changes; the slow block ticks at 4 and 8.
  EXPECT_NE(text.find("#3000\n1!\nb11 \"\nb11 $\n"), std::string::npos) << text;
  EXPECT_NE(text.find("#4000\n1!\nb11 #\n"), std::string::npos) << text;
  EXPECT_NE(text.find("#8000\n1!\nb110 #\n"), std::string::npos) << text;
  // It is 1 from 4 on, but its version says so at 6.
  EXPECT_NE(text.find("#6000\n1!\nb110 \"\nb110 $\nb1 %\n"), std::string::npos) << text;
}

TEST_F(WaveFileTest, AFileThatCouldNotBeWrittenIsAnError) {
  ClockTree tree("tree");
  ClockDomain clock("clock", sc_core::sc_time::from_value(kCorePeriod), true, &tree);
  Stepper stepper(clock);
  const std::vector<WaveSignal> signals{{&stepper.value, 8, "sm0.unit", "value", {}}};
  WaveWindow waves("waves", (folder_ / "none" / "waves.vcd").string(), signals, {{"core", kCorePeriod}}, {},
                   tree, [](const std::string& /*scope*/) { return Blocks(); });
  sc_core::sc_start(sc_core::sc_time::from_value(100));
  EXPECT_THROW(waves.close(), OutputError);
}

TEST(Gtkw, ShowsClocksThenSchedulersThenTheRest) {
  std::uint64_t v = 0;
  const std::vector<WaveSignal> signals{
      {&v, 48, "sm0", "resident", {}},
      {&v, 48, "sm0.scheduler0", "ready", {}},
      {&v, 4, "sm0.scheduler0", "cause", {"issued", "idle", "scoreboard"}},
      {&v, 32, "sm0.scheduler0", "issue_lanes", {}},
      {&v, 5, "sm0.scheduler0.lrr", "start0", {}},
      {&v, 1, "dram0", "bus_busy", {}},
      {&v, 7, "dram0", "queue", {}},
  };
  EXPECT_EQ(gtkw_text({{"core", 10}, {"dram", 7}}, signals, "/out", "waves.fst", "waves", 4711),
            "[dumpfile] \"/out/waves.fst\"\n"
            "[savefile] \"/out/waves.gtkw\"\n"
            "[timestart] 4711000\n"
            "*-12.5 4711000\n"
            "[size] 1600 1000\n"
            "[signals_width] 260\n"
            "@28\ngpu.clock.core\n"
            "@28\ngpu.clock.dram\n"
            "@800200\n-sm0.scheduler0\n"
            "@22\ngpu.sm0.scheduler0.ready[47:0]\n"
            "@22\ngpu.sm0.scheduler0.cause\n"
            "@22\ngpu.sm0.scheduler0.issue_lanes[31:0]\n"
            "@1000200\n-sm0.scheduler0\n"
            "@800200\n-sm0.scheduler0.lrr\n"
            "@24\ngpu.sm0.scheduler0.lrr.start0[4:0]\n"
            "@1000200\n-sm0.scheduler0.lrr\n"
            "@800200\n-sm0\n"
            "@22\ngpu.sm0.resident[47:0]\n"
            "@1000200\n-sm0\n"
            "@800200\n-dram0\n"
            "@28\ngpu.dram0.bus_busy\n"
            "@24\ngpu.dram0.queue[6:0]\n"
            "@1000200\n-dram0\n");
}

TEST(Gtkw, FoldsArraysAndTheLinesOfATable) {
  std::uint64_t v = 0;
  std::vector<WaveSignal> signals{
      {&v, 1, "sm0.oaws.dlc.line0", "valid", {}}, {&v, 8, "sm0.oaws.dlc.line0", "tag", {}},
      {&v, 1, "sm0.oaws.dlc.line1", "valid", {}}, {&v, 8, "sm0.oaws.dlc.line1", "tag", {}},
      {&v, 8, "sm0.few", "entry0", {}},           {&v, 8, "sm0.few", "entry1", {}}};
  for (unsigned i = 0; i < 5; ++i) signals.push_back({&v, 8, "sm0.score", "entry" + std::to_string(i), {}});
  const std::string text = gtkw_text({{"core", 10}}, signals, "/out", "waves.vcd", "waves", 0);
  const std::string table = "@c00200\n-sm0.oaws.dlc\n@28\ngpu.sm0.oaws.dlc.line0.valid\n";
  EXPECT_NE(text.find(table), std::string::npos) << text;
  EXPECT_NE(text.find("line1.tag[7:0]\n@1401200\n-sm0.oaws.dlc\n"), std::string::npos) << text;
  EXPECT_NE(text.find("@800200\n-sm0.few\n"), std::string::npos) << text;
  EXPECT_NE(text.find("@c00200\n-sm0.score\n@24\ngpu.sm0.score.entry0[7:0]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("entry4[7:0]\n@1401200\n-sm0.score\n"), std::string::npos) << text;
}

/// A PATH of one folder, while it lives.
class OnlyPath {
 public:
  explicit OnlyPath(const std::string& folder) {
    if (const char* path = std::getenv("PATH"); path != nullptr) before_ = path;
    setenv("PATH", folder.c_str(), 1);
  }
  ~OnlyPath() { setenv("PATH", before_.c_str(), 1); }
  OnlyPath(const OnlyPath&) = delete;
  OnlyPath& operator=(const OnlyPath&) = delete;

 private:
  std::string before_;
};

using FstTest = WaveFileTest;

TEST_F(FstTest, FindsTheConverterOnThePathOnlyIfItCanBeRun) {
  const OnlyPath path((folder_ / "none").string() + ":" + folder_.string());
  EXPECT_EQ(find_vcd2fst(), "");
  std::ofstream(folder_ / "vcd2fst") << "#!/bin/sh\n";
  EXPECT_EQ(find_vcd2fst(), "");
  std::filesystem::permissions(folder_ / "vcd2fst", std::filesystem::perms::owner_all);
  EXPECT_EQ(find_vcd2fst(), (folder_ / "vcd2fst").string());
}

TEST_F(FstTest, TakesThePlaceOfTheVcdFileUnlessItFails) {
  const std::string converter = (folder_ / "vcd2fst").string();
  const std::string vcd = (folder_ / "a.vcd").string();
  const std::string fst = (folder_ / "a.fst").string();
  std::ofstream(vcd) << "waves";
  std::ofstream(fst) << "of an earlier run";
  std::ofstream(converter) << "#!/bin/sh\nexit 1\n";
  std::filesystem::permissions(converter, std::filesystem::perms::owner_all);
  EXPECT_THROW(convert_to_fst(converter, vcd, fst), OutputError);
  EXPECT_TRUE(std::filesystem::exists(vcd));
  EXPECT_FALSE(std::filesystem::exists(fst));
  std::ofstream(converter) << "#!/bin/sh\ncp \"$1\" \"$2\"\n";
  convert_to_fst(converter, vcd, fst);
  EXPECT_EQ(text_in(fst), "waves");
  EXPECT_FALSE(std::filesystem::exists(vcd));
}

}  // namespace
}  // namespace heddle
