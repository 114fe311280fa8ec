// Processes are killed at random moments, many of them while they write: no file is cut off, and the next run
// in the same folder and with the same cache gives the right results.
#include <random>

#include "sc_tests/faults/fault_trial.h"
#include "sc_tests/support/paths.h"

namespace heddle {
namespace {

class Kills : public FaultTrial {
 protected:
  /// A command, on one SM and on two, and what it gives undisturbed.
  struct Command {
    std::vector<std::string> words;
    std::vector<ProgramOutcome> outcomes = {};
    std::vector<Files> results = {};
    std::vector<Files> caches = {};
    std::chrono::microseconds lasts = {};
    unsigned long writes = 0;  ///< calls of the command's own process
  };

  void SetUp() override {
    FaultTrial::SetUp();
    const std::string ptx = test::source_dir() + "/workloads/kernels/vector_add/vector_add.ptx";
    for (const char* const name : {"first", "second"}) {
      const std::string count = name == std::string("first") ? "64" : "96";
      write(std::string(name) + ".yaml",
            "ptx: " + ptx +
                "\nbuffers: {a: {type: f32, count: 128}, b: {type: f32, count: 128}, c: {type: f32, count: "
                "128}}\n"
                "launches: [{kernel: vector_add, grid: 4, block: 32, args: [a, b, c, " +
                count + "]}]\n");
    }
    commands_ = {
        {{"run", "first.yaml", "--quiet", "--tb-log", "--timeline", "--vcd", "--vcd-window", "0:300"}},
        {{"compare", "first.yaml", "--scheduler", "gto,lrr"}},
        {{"sweep", "first.yaml", "--set", "core.tb_slots=1,4"}},
        {{"pairs", "first.yaml", "second.yaml", "--policy", "fifo", "--cache", "cache"}}};
    for (Command& command : commands_) {
      for (unsigned sms = 1; sms <= 2; ++sms) {
        start_afresh();
        const auto began = std::chrono::steady_clock::now();
        command.outcomes.push_back(run(words(command, sms)));
        ASSERT_EQ(command.outcomes.back().code, 0) << read("stderr.txt");
        command.lasts =
            std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - began);
        command.results.push_back(files_of("out"));
        command.caches.push_back(files_of("cache"));
      }
      start_afresh();
      command.writes = calls("write", words(command, 2));
    }
    start_afresh();
  }
  void start_afresh() const {
    for (const char* const name : {"out", "cache"}) fs::remove_all(folder_ / name);
  }
  static std::vector<std::string> words(const Command& command, unsigned sms) {
    std::vector<std::string> all = command.words;
    all.insert(all.end(), {"--set", "core.sms=" + std::to_string(sms), "--out", "out"});
    return all;
  }
  /// The results of an earlier command's runs, which a killed one did not come to remove, stand in folders of
  /// their own.
  std::vector<Files> all_results() const {
    std::vector<Files> all;
    for (const Command& command : commands_)
      all.insert(all.end(), command.results.begin(), command.results.end());
    return all;
  }
  /// Whether the process was killed in a call that writes, its own or one of its runs'.
  bool kill_while_writing(const Command& command, unsigned sms, std::mt19937& draw) {
    const bool in_run = command.words.front() != "run" && draw() % 2 == 0;
    const unsigned long most = in_run ? commands_.front().writes : command.writes;
    const std::string fault = std::string("write ") + (in_run ? "run " : command.words.front() + " ") +
                              std::to_string(1 + draw() % most) + (in_run ? " kill_parent" : " kill");
    return run_with(fault, words(command, sms)).code == 128 + SIGKILL;
  }
  bool kill_at_any_time(const Command& command, unsigned sms, std::mt19937& draw) {
    const pid_t child = start(words(command, sms));
    std::this_thread::sleep_for(command.lasts * (draw() % 1000) / 1000);
    kill(child, SIGKILL);
    return finish(child).code == 128 + SIGKILL;
  }

  std::vector<Command> commands_;
};

TEST_F(Kills, AtAnyTimeLeaveNoFileCutOffAndNoWrongResult) {
  const unsigned kills = campaign_number("HEDDLE_KILLS", 8);
  std::mt19937 draw(campaign_number("HEDDLE_KILLS_SEED", 1));
  unsigned killed = 0;
  unsigned while_writing = 0;
  Files cached;
  for (const Command& command : commands_) {
    for (const Files& cache : command.caches) cached.insert(cache.begin(), cache.end());
  }
  unsigned number = 0;  // of trials: in some the program ends first
  for (; killed < kills && !HasFailure(); ++number) {
    const Command& command = commands_[number % commands_.size()];
    if (draw() % 8 == 0) start_afresh();
    if (draw() % 2 == 0) {
      const bool hit = kill_while_writing(command, 1 + draw() % 2, draw);
      while_writing += hit ? 1 : 0;
      killed += hit ? 1 : 0;
    } else {
      killed += kill_at_any_time(command, 1 + draw() % 2, draw) ? 1 : 0;
    }
    const std::string trial = "trial " + std::to_string(number) + ", " + command.words.front();
    expect_whole("out", all_results(), trial);
    for (const auto& [path, text] : files_of("cache")) {
      const bool whole = fs::path(path).extension() == ".tmp" || cached[path] == text;
      EXPECT_TRUE(whole) << trial << ": cache/" << path;
    }
    const unsigned sms = 1 + draw() % 2;
    const ProgramOutcome next = run(words(command, sms));
    EXPECT_EQ(next.code, 0) << trial << ": " << next.err;
    EXPECT_EQ(next.out, command.outcomes[sms - 1].out) << trial;
    for (const auto& [path, text] : command.results[sms - 1]) {
      if (path.rfind("alone/", 0) == 0) continue;  // not run when the cache has it
      EXPECT_EQ(files_of("out")[path] == text, true) << trial << ": " << path;
    }
  }
  std::cout << number << " trials: " << killed << " killed, " << while_writing
            << " of them in a call that writes" << std::endl;
  EXPECT_GT(while_writing, kills / 5);
}

}  // namespace
}  // namespace heddle
