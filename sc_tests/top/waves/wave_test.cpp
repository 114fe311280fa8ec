#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <systemc>

#include "modules/messages/tick_order.h"
#include "tlm/clocked.h"
#include "top/waves/gtkw_file.h"
#include "top/waves/vcd_window.h"
#include "top/waves/wave_recorder.h"

namespace heddle {
namespace {

std::string read(const std::string& path) {
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

/// Counts the edges of a clock of 10 time units.
struct Counter : sc_core::sc_module {
  SC_HAS_PROCESS(Counter);
  explicit Counter(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_METHOD(edge);
    sensitive << event;
    dont_initialize();
    event.notify(sc_core::sc_time::from_value(10));
  }
  void edge() {
    ++value;
    if (value < 20) event.notify(sc_core::sc_time::from_value(10));
  }
  sc_core::sc_event event;
  std::uint64_t value = 0;
};

class VcdWindowTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("heddle-vcd-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string run(CycleWindow window) {
    Counter counter("counter");
    const std::vector<WaveSignal> signals{{&counter.value, 8, "sm0.unit", "value", {}}};
    VcdWindow vcd("vcd", (folder_ / "waves").string(), signals, window, sc_core::sc_time::from_value(10));
    sc_core::sc_start(sc_core::sc_time::from_value(1000));
    vcd.close();
    started_ = vcd.started();
    return read((folder_ / "waves.vcd").string());
  }
  std::filesystem::path folder_;
  bool started_ = false;
};

TEST_F(VcdWindowTest, WritesTheCyclesFromItsFirstUpToItsLast) {
  const std::string text = run({5, 8});
  EXPECT_NE(text.find("= 50 timescale units"), std::string::npos) << text;
  EXPECT_NE(text.find("b101 aaaab"), std::string::npos) << "the value at cycle 5\n" << text;
  EXPECT_NE(text.find("\n#70\n"), std::string::npos) << "the last cycle inside\n" << text;
  EXPECT_NE(text.find("b111 aaaab"), std::string::npos) << text;
  EXPECT_EQ(text.find("b100 aaaab"), std::string::npos) << "cycle 4 is before the window\n" << text;
  EXPECT_EQ(text.find("b1000 aaaab"), std::string::npos) << "cycle 8 is after the window\n" << text;
  EXPECT_EQ(text.find("\n#90"), std::string::npos) << text;
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

class FollowingVcdWindowTest : public VcdWindowTest {
 protected:
  std::string run(CycleWindow window) {
    ClockTree tree("tree");
    ClockDomain clock("clock", sc_core::sc_time::from_value(10), true, &tree);
    Stepper stepper(clock);
    const std::vector<WaveSignal> signals{{&stepper.value, 8, "sm0.unit", "value", {}}};
    VcdWindow vcd("vcd", (folder_ / "waves").string(), signals, window, sc_core::sc_time::from_value(10));
    vcd.follow(tree);
    tree.run_ahead();
    sc_core::sc_start(sc_core::sc_time::from_value(1000));
    vcd.close();
    return read((folder_ / "waves.vcd").string());
  }
};

TEST_F(FollowingVcdWindowTest, WritesWhatChangesAtItsTimeOnly) {
  const std::string text = run({7, 16});
  EXPECT_NE(text.find("= 70 timescale units"), std::string::npos) << text;
  // Cycle 7 shows what cycle 6 left; changes follow at 9, 12 and 15, at the cycle and with its number.
  EXPECT_NE(text.find("b110 aaaab"), std::string::npos) << text;
  EXPECT_NE(text.find("\n#90\nb1001 aaaaa\nb1001 aaaab\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n#120\nb1100 aaaaa\nb1100 aaaab\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n#150\nb1111 aaaaa\nb1111 aaaab\n"), std::string::npos) << text;
  for (const char* time : {"\n#80\n", "\n#100\n", "\n#110\n", "\n#180\n"}) {
    EXPECT_EQ(text.find(time), std::string::npos) << time << text;
  }
}

TEST_F(FollowingVcdWindowTest, ShowsTheLastCycleOfTheWindow) {
  const std::string text = run({50, 60});  // asleep since cycle 40
  EXPECT_NE(text.find("= 500 timescale units"), std::string::npos) << text;
  EXPECT_NE(text.find("\n#590\nb111011 aaaaa\n"), std::string::npos) << text;
}

TEST_F(FollowingVcdWindowTest, AnOpenWindowEndsWithTheRun) {
  const std::string text = run({});
  EXPECT_NE(text.find("\n#390\nb100111 aaaaa\nb100111 aaaab\n"), std::string::npos) << text;
}

TEST_F(VcdWindowTest, NestsScopesAndNamesSignals) {
  const std::string text = run({0, 3});
  EXPECT_NE(
      text.find("$scope module sm0 $end\n$scope module unit $end\n$var wire    8  aaaab  value [7:0]  $end"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("core_cycle [63:0]"), std::string::npos) << text;
}

TEST_F(VcdWindowTest, WindowBehindTheEndWritesNoFile) {
  run({500, 600});
  EXPECT_FALSE(started_);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "waves.vcd"));
}

TEST(Gtkw, GroupsSignalsAndNamesValues) {
  std::uint64_t v = 0;
  const std::vector<WaveSignal> signals{
      {&v, 48, "sm0.scheduler0", "ready", {}},
      {&v, 3, "sm0.scheduler0", "cause", {"issued", "idle", "scoreboard"}},
      {&v, 3, "sm0.scheduler1", "cause", {"issued", "idle", "scoreboard"}},
      {&v, 1, "dram0", "bus_busy", {}},
      {&v, 7, "dram0", "queue", {}},
  };
  const GtkwFile file = make_gtkw(signals, "/out", "waves", 4711);
  EXPECT_EQ(file.text,
            "[dumpfile] \"/out/waves.vcd\"\n"
            "[savefile] \"/out/waves.gtkw\"\n"
            "[timestart] 4711\n"
            "*-23 4711\n"
            "[size] 1600 1000\n"
            "[signals_width] 260\n"
            "@24\nSystemC.core_cycle[63:0]\n"
            "@800200\n-sm0.scheduler0\n"
            "@22\nSystemC.sm0.scheduler0.ready[47:0]\n"
            "@2024\n^1 /out/waves-cause-0.txt\nSystemC.sm0.scheduler0.cause[2:0]\n"
            "@1000200\n-sm0.scheduler0\n"
            "@800200\n-sm0.scheduler1\n"
            "@2024\n^1 /out/waves-cause-0.txt\nSystemC.sm0.scheduler1.cause[2:0]\n"
            "@1000200\n-sm0.scheduler1\n"
            "@800200\n-dram0\n"
            "@28\nSystemC.dram0.bus_busy\n"
            "@24\nSystemC.dram0.queue[6:0]\n"
            "@1000200\n-dram0\n");
  ASSERT_EQ(file.filters.size(), 1U);
  EXPECT_EQ(file.filters.at("waves-cause-0.txt"), "0 issued\n1 idle\n2 scoreboard\n");
}

TEST(Gtkw, RemovesTheFiltersOfAnEarlierRunAndNothingElse) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("heddle_filters_" + std::to_string(getpid()));
  fs::create_directories(folder / "waves-folder-1.txt");
  const auto write = [&folder](const char* name, const char* text) { std::ofstream(folder / name) << text; };
  const std::vector<const char*> foreign{"waves-notes-1.txt", "waves-7.txt",     "waves-cause-x.txt",
                                         "waves-cause-3.csv", "more-mode-0.txt", "waves-empty-2.txt"};
  for (const char* name : foreign) write(name, "0 issued\n1 idle\n");
  write("waves-notes-1.txt", "0 issued\nread the second one\n");
  write("waves-empty-2.txt", "");
  write("waves-cause-0.txt", "0 issued\n");
  write("waves-mode-1.txt", "0 equal\n1 saturated\n");
  write("waves-old-state-12.txt", "0 a\n");
  GtkwFile file;
  file.filters["waves-cause-0.txt"] = "0 issued\n";
  remove_stale_filters(file, folder.string(), "waves");
  EXPECT_TRUE(fs::exists(folder / "waves-cause-0.txt"));  // of this run
  EXPECT_FALSE(fs::exists(folder / "waves-mode-1.txt"));
  EXPECT_FALSE(fs::exists(folder / "waves-old-state-12.txt"));
  for (const char* name : foreign) EXPECT_TRUE(fs::exists(folder / name)) << name;
  EXPECT_TRUE(fs::exists(folder / "waves-folder-1.txt"));
  remove_stale_filters(file, (folder / "none").string(), "waves");  // nothing to do
  fs::remove_all(folder);
}

}  // namespace
}  // namespace heddle
