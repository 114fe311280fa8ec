// Could a twin of a scheduler be driven by the waves? Each policy is built again here from its page, sees
// signals alone, and has to choose as the waves show.
#include "sc_tests/top/commands/scheduler_twin.h"

#include <set>

#include "sc_tests/top/commands/command_line_fixture.h"

namespace heddle {
namespace {

using test::bits_of;
using test::has;
using test::Mask;
using test::TwinBench;

constexpr unsigned kTwinSchedulers = 2;

/// docs/schedulers/lrr.md
class LrrTwin {
 public:
  explicit LrrTwin(TwinBench& bench) : warps_(bench.age.size()), next_(bench.schedulers()) {
    for (unsigned s = 0; s < next_.size(); ++s) next_[s] = s;
  }
  void begin_cycle() {}
  void end_cycle() {}
  std::optional<unsigned> choose(unsigned s, Mask among) const {
    const std::vector<unsigned> warps = bits_of(among);
    const auto at = std::lower_bound(warps.begin(), warps.end(), next_[s]);
    return at == warps.end() ? warps.front() : *at;
  }
  void issued(unsigned s, unsigned warp) { next_[s] = warp + 1 < warps_ ? warp + 1 : 0; }

 private:
  unsigned warps_;
  std::vector<unsigned> next_;
};

/// docs/schedulers/gto.md
class GtoTwin {
 public:
  explicit GtoTwin(TwinBench& bench) : bench_(bench), order_(bench.schedulers()), last_(bench.schedulers()) {}
  void begin_cycle() {
    for (const unsigned warp : bench_.started()) order_[warp % order_.size()].push_back(warp);
  }
  std::optional<unsigned> choose(unsigned s, Mask among) const {
    if (last_[s] && has(among, *last_[s])) return last_[s];
    for (const unsigned warp : order_[s]) {
      if (has(among, warp)) return warp;
    }
    return std::nullopt;
  }
  void issued(unsigned s, unsigned warp) {
    last_[s] = warp;
    if (!has(bench_.event("warp_finish"), warp)) return;
    last_[s].reset();
    order_[s].erase(std::find(order_[s].begin(), order_[s].end(), warp));
  }
  void end_cycle() {}

 private:
  TwinBench& bench_;
  std::vector<std::vector<unsigned>> order_;  ///< of each scheduler, the oldest first
  std::vector<std::optional<unsigned>> last_;
};

/// docs/schedulers/pro.md, in ideal timing: a sort is done when it is asked for.
class ProTwin {
 public:
  explicit ProTwin(TwinBench& bench) : bench_(bench) {}

  void begin_cycle() {
    const std::uint64_t now = bench_.vcd.cycle();
    for (const char* port : {"grid_dispatched0.", "grid_dispatched1."}) {
      if (bench_.event(std::string(port) + "valid") != 0) {
        dispatch(bench_.event(std::string(port) + "launch"));
      }
    }
    for (const unsigned slot : bits_of(bench_.event("tb_end"))) end(slot);
    for (const unsigned slot : bits_of(bench_.event("tb_start"))) start(slot, now);
    if (!order_.empty() && now == due_) {
      due_ = now + kThreshold;
      sort_tbs(1U << kNoWaitRank | 1U << kFinishNoWaitRank, {});
      for (const unsigned slot : order_) {
        if (state(slot) == kNoWait || state(slot) == kFinishNoWait) {
          sort_warps(slot, state(slot) == kFinishNoWait);
        }
      }
    }
  }
  std::optional<unsigned> choose(unsigned /*s*/, Mask among) const {
    for (const unsigned slot : order_) {
      for (const unsigned warp : tbs_[slot].warps) {
        if (has(among, warp)) return warp;
      }
    }
    return std::nullopt;
  }
  void issued(unsigned s, unsigned warp) {
    const auto slot = static_cast<unsigned>(bench_.tb_slot[warp]);
    Tb& tb = tbs_[slot];
    tb.progress += bench_.lanes(s);
    progress_[warp] += bench_.lanes(s);
    if (has(bench_.event("barrier_arrive"), warp)) {
      if (++tb.at_barrier == 1) sort_warps(slot, true);
      sort_tbs(1U << kBarrierRank, {});
    }
    if (has(bench_.event("warp_finish"), warp)) {
      if (++tb.finished == 1) sort_warps(slot, true);
      sort_tbs(1U << kFinishWaitRank, {});
    }
  }
  void end_cycle() {
    const Mask released = bench_.event("barrier_release");
    for (const unsigned slot : bits_of(resident_)) {
      unsigned count = 0;
      for (const unsigned warp : tbs_[slot].warps) count += has(released, warp) ? 1 : 0;
      if (count == 0) continue;
      const State before = state(slot);
      tbs_[slot].at_barrier -= count;
      if (state(slot) != before) sort_tbs(0, slot);
      sort_tbs(1U << kBarrierRank, {});
    }
  }

 private:
  enum State { kNoWait, kBarrierWait, kFinishWait, kBarrierWait1, kFinishNoWait, kFinish };
  static constexpr unsigned kFinishWaitRank = 0;
  static constexpr unsigned kBarrierRank = 1;
  static constexpr unsigned kNoWaitRank = 2;
  static constexpr unsigned kFinishNoWaitRank = 3;
  static constexpr std::uint64_t kThreshold = 1000;
  struct Tb {
    std::uint64_t index = 0;
    std::uint64_t launch = 0;
    std::uint64_t num_warps = 0;
    std::vector<unsigned> warps;  ///< in their order
    std::uint64_t progress = 0;
    unsigned at_barrier = 0;
    unsigned finished = 0;
    bool slow = false;
  };

  State state(unsigned slot) const {
    const Tb& tb = tbs_[slot];
    if (tb.finished == tb.num_warps) return kFinish;
    if (tb.slow) return tb.at_barrier != 0 ? kBarrierWait1 : kFinishNoWait;
    if (tb.finished != 0) return kFinishWait;
    return tb.at_barrier != 0 ? kBarrierWait : kNoWait;
  }
  unsigned rank(unsigned slot) const {
    static constexpr std::array<unsigned, 6> kRanks{kNoWaitRank,  kBarrierRank,      kFinishWaitRank,
                                                    kBarrierRank, kFinishNoWaitRank, 4};
    return kRanks[state(slot)];
  }
  bool before(unsigned a, unsigned b) const {
    const Tb& x = tbs_[a];
    const Tb& y = tbs_[b];
    if (rank(a) == kFinishWaitRank && x.finished != y.finished) return x.finished > y.finished;
    if (rank(a) == kBarrierRank && x.at_barrier != y.at_barrier) return x.at_barrier > y.at_barrier;
    if (x.progress != y.progress) return (x.progress > y.progress) != (state(a) == kFinishNoWait);
    return x.launch != y.launch ? x.launch < y.launch : x.index < y.index;
  }

  /// Odd-even transposition.
  template <class SwapNeeded>
  static void sort(std::vector<unsigned>& order, SwapNeeded swap_needed) {
    unsigned clean = 0;
    for (std::size_t phase = 0; clean < 2 && phase < order.size(); ++phase) {
      bool swapped = false;
      for (std::size_t i = phase % 2; i + 1 < order.size(); i += 2) {
        if (!swap_needed(order[i], order[i + 1])) continue;
        std::swap(order[i], order[i + 1]);
        swapped = true;
      }
      clean = swapped ? 0 : clean + 1;
    }
  }
  void sort_tbs(unsigned ranks, std::optional<unsigned> placed) {
    sort(order_, [&](unsigned first, unsigned second) {
      if (rank(first) != rank(second)) return rank(second) < rank(first);
      const bool compared = has(ranks, rank(first)) || placed == first || placed == second;
      return compared && before(second, first);
    });
  }
  void sort_warps(unsigned slot, bool ascending) {
    sort(tbs_[slot].warps, [&](unsigned first, unsigned second) {
      if (progress_[first] == progress_[second]) return second < first;
      return (progress_[second] < progress_[first]) == ascending;
    });
  }

  void dispatch(std::uint64_t launch) {
    dispatched_.push_back(launch);
    std::vector<unsigned> changed;
    for (const unsigned slot : bits_of(resident_)) {
      if (tbs_[slot].launch == launch) changed.push_back(slot);
    }
    for (const unsigned slot : changed) tbs_[slot].slow = true;
    if (changed.empty()) return;
    sort_tbs(1U << kNoWaitRank | 1U << kFinishNoWaitRank | 1U << kBarrierRank, {});
    for (const unsigned slot : changed) {
      if (state(slot) != kFinish) sort_warps(slot, true);
    }
  }
  void start(unsigned slot, std::uint64_t now) {
    if (resident_ == 0) due_ = now + kThreshold - now % kThreshold;
    tbs_[slot] = {};
    Tb& tb = tbs_[slot];
    tb.index = bench_.tb_index[slot];
    tb.launch = bench_.tb_launch[slot];
    tb.num_warps = bench_.tb_warps[slot];
    tb.slow = std::find(dispatched_.begin(), dispatched_.end(), tb.launch) != dispatched_.end();
    for (const unsigned warp : bits_of(bench_.event("warp_start"))) {
      if (bench_.tb_slot[warp] != slot) continue;
      tb.warps.push_back(warp);
      progress_[warp] = 0;
    }
    resident_ |= Mask{1} << slot;
    order_.push_back(slot);
    sort_tbs(0, slot);
  }
  void end(unsigned slot) {
    resident_ &= ~(Mask{1} << slot);
    order_.erase(std::find(order_.begin(), order_.end(), slot));
  }

  TwinBench& bench_;
  std::array<Tb, 64> tbs_{};
  std::array<std::uint64_t, 64> progress_{};
  std::vector<unsigned> order_;  ///< TB slots in force
  Mask resident_ = 0;
  std::vector<std::uint64_t> dispatched_;
  std::uint64_t due_ = 0;
};

class SchedulerTwin : public BuiltProgram {
 protected:
  std::string waves_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "run");
    for (const char* word : {"--quiet", "--out", "out", "--vcd-scope", "sm0.*"}) arguments.emplace_back(word);
    const ProgramOutcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read("out/waves.vcd");
  }

  template <class Twin>
  void choose_as_shown(const std::vector<std::string>& arguments) {
    TwinBench bench(waves_of(arguments), kTwinSchedulers);
    Twin twin(bench);
    bench.run(twin);
    EXPECT_EQ(bench.difference, "");
    EXPECT_GT(bench.contested, 1000U) << "the run has to say something about the policy";
    EXPECT_EQ(bench.event("missed"), 0U);
  }
};

// A kernel with barriers, divergence or loads that miss, and several rounds of TBs on each SM.
const std::vector<std::string> kHistogram{"histogram", "--param", "words=8192", "--set", "core.sms=2"};
const std::vector<std::string> kBfs{"bfs", "--param", "nodes=2048", "--set", "core.sms=3"};

std::vector<std::string> under(std::vector<std::string> arguments, const char* scheduler) {
  arguments.insert(arguments.end(), {"--scheduler", scheduler});
  return arguments;
}

std::vector<std::string> in_hardware(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--set", "scheduler.timing=hardware"});
  return arguments;
}

TEST_F(SchedulerTwin, LrrFromItsWavesAlone) {
  choose_as_shown<LrrTwin>(under(kHistogram, "lrr"));
  choose_as_shown<LrrTwin>(under(kBfs, "lrr"));
}

TEST_F(SchedulerTwin, GtoFromItsWavesAlone) {
  choose_as_shown<GtoTwin>(under(kHistogram, "gto"));
  choose_as_shown<GtoTwin>(under(kBfs, "gto"));
}

TEST_F(SchedulerTwin, ProFromItsWavesAlone) {
  choose_as_shown<ProTwin>(under(kHistogram, "pro"));
  choose_as_shown<ProTwin>(under(kBfs, "pro"));
}

// A list of ages and a pointer take no cycle more than in ideal timing.
TEST_F(SchedulerTwin, InHardwareTimingToo) {
  choose_as_shown<LrrTwin>(in_hardware(under(kHistogram, "lrr")));
  choose_as_shown<GtoTwin>(in_hardware(under(kBfs, "gto")));
}

TEST_F(SchedulerTwin, AnotherPolicyThanTheOneThatRanIsFoundOut) {
  TwinBench bench(waves_of(under(kHistogram, "gto")), kTwinSchedulers);
  LrrTwin twin(bench);
  bench.run(twin);
  EXPECT_NE(bench.difference, "");
}

TEST_F(SchedulerTwin, EveryEventThatAPolicyIsToldHasAPort) {
  for (const char* scheduler :
       {"ccws+gto", "oaws_dynamic", "mascar", "ipaws", "two_level_active", "adapt_local"}) {
    test::VcdReader vcd(waves_of(under({"bfs", "--param", "nodes=1024", "--set", "core.sms=2"}, scheduler)));
    std::vector<test::VcdReader::Handle> first_ports;
    for (const auto& [name, signal] : vcd.names()) {
      const bool valid = name.find("sm0.events.") == 0 && name.find("0.valid") != std::string::npos;
      if (valid) first_ports.push_back(signal);
    }
    std::set<test::VcdReader::Handle> used;
    while (vcd.next()) {
      for (const auto port : first_ports) {
        if (vcd.value(port) != 0) used.insert(port);
      }
    }
    EXPECT_EQ(vcd.value(vcd.find("sm0.events.missed")), 0U) << scheduler;
    EXPECT_GE(used.size(), 1U) << scheduler << " is told of something by a port";
  }
}

}  // namespace
}  // namespace heddle
