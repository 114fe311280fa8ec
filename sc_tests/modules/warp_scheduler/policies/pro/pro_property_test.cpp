// PRO against a plain restatement of Algorithm 1, over random lives of thread blocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "sc_tests/modules/warp_scheduler/policies/pro/pro_rig.h"

namespace heddle {
namespace {

using testing::ProRig;

constexpr unsigned kTbs = 6;
constexpr unsigned kWarps = 4;

/// What a TB is to Algorithm 1: lists instead of registers, whole sorts instead of comparisons.
struct PlainTb {
  std::uint64_t index = 0;
  std::uint64_t progress = 0;
  std::map<unsigned, std::uint64_t> warps;
  unsigned waiting = 0, finished = 0;
  std::vector<unsigned> order;
};

class Plain {
 public:
  std::map<unsigned, PlainTb> tbs;  // by slot
  bool slow = false;
  std::vector<unsigned> in_finish_wait, in_barrier_wait, remaining, over;

  void start(unsigned slot, std::uint64_t index) {
    PlainTb& tb = tbs[slot] = {};
    tb.index = index;
    for (unsigned w = 0; w < kWarps; ++w) tb.warps[slot * kWarps + w] = 0;
    for (const auto& [warp, progress] : tb.warps) tb.order.push_back(warp);
    // In its place: from the end towards the front past those that come after it.
    auto place = remaining.end();
    while (place != remaining.begin() && before(slot, *(place - 1))) --place;
    remaining.insert(place, slot);
  }
  void end(unsigned slot) {
    take(slot);
    tbs.erase(slot);
  }
  void issue(unsigned warp, unsigned lanes) {
    tbs[warp / kWarps].warps[warp] += lanes;
    tbs[warp / kWarps].progress += lanes;
  }
  void arrive(unsigned warp) {
    PlainTb& tb = tbs[warp / kWarps];
    if (++tb.waiting == 1) {
      sort_warps(tb, true);
      if (tb.finished == 0 || slow) move(warp / kWarps, in_barrier_wait);
    }
    sort_barrier();
  }
  void release(unsigned slot) {
    PlainTb& tb = tbs[slot];
    tb.waiting = 0;
    if (tb.finished == 0 || slow) {
      take(slot);
      auto place = remaining.begin();  // it comes from a state above
      while (place != remaining.end() && before(*place, slot)) ++place;
      remaining.insert(place, slot);
    }
    sort_barrier();
  }
  void finish(unsigned warp) {
    const unsigned slot = warp / kWarps;
    PlainTb& tb = tbs[slot];
    if (++tb.finished == 1) {
      sort_warps(tb, true);
      if (!slow) move(slot, in_finish_wait);
    }
    if (tb.finished == kWarps) move(slot, over);
    sort_finish();
  }
  void grid_dispatched() {
    slow = true;
    for (const unsigned slot : std::vector<unsigned>(in_finish_wait)) {
      move(slot, tbs[slot].waiting != 0 ? in_barrier_wait : remaining);
    }
    sort_remaining();
    sort_barrier();
    for (auto& [slot, tb] : tbs) {
      if (tb.finished != kWarps) sort_warps(tb, true);
    }
  }
  void threshold() {
    sort_remaining();
    for (const unsigned slot : remaining) sort_warps(tbs[slot], slow);
  }
  std::vector<unsigned> order() const {
    std::vector<unsigned> all = in_finish_wait;
    for (const auto* list : {&in_barrier_wait, &remaining, &over})
      all.insert(all.end(), list->begin(), list->end());
    return all;
  }

 private:
  void take(unsigned slot) {
    for (auto* list : {&in_finish_wait, &in_barrier_wait, &remaining, &over}) {
      list->erase(std::remove(list->begin(), list->end(), slot), list->end());
    }
  }
  void move(unsigned slot, std::vector<unsigned>& to) {
    take(slot);
    to.push_back(slot);
  }
  bool before(unsigned a, unsigned b) {
    if (tbs[a].progress == tbs[b].progress) return tbs[a].index < tbs[b].index;
    return (tbs[a].progress > tbs[b].progress) != slow;
  }
  template <class Count>
  void sort_by(std::vector<unsigned>& list, Count count) {
    std::sort(list.begin(), list.end(), [&](unsigned a, unsigned b) {
      const PlainTb& x = tbs[a];
      const PlainTb& y = tbs[b];
      if (count(x) != count(y)) return count(x) > count(y);
      return x.progress != y.progress ? x.progress > y.progress : x.index < y.index;
    });
  }
  void sort_finish() {
    sort_by(in_finish_wait, [](const PlainTb& tb) { return tb.finished; });
  }
  void sort_barrier() {
    sort_by(in_barrier_wait, [](const PlainTb& tb) { return tb.waiting; });
  }
  void sort_remaining() {
    std::sort(remaining.begin(), remaining.end(), [&](unsigned a, unsigned b) { return before(a, b); });
  }
  static void sort_warps(PlainTb& tb, bool ascending) {
    std::sort(tb.order.begin(), tb.order.end(), [&](unsigned a, unsigned b) {
      if (tb.warps[a] == tb.warps[b]) return a < b;
      return (tb.warps[a] < tb.warps[b]) == ascending;
    });
  }
};

/// Random legal events: a warp issues, waits at a barrier until its siblings that have not finished do, or
/// finishes; TBs end and others take their slots until the grid is dispatched.
class Life {
 public:
  Life(std::uint32_t seed, hw::Timing timing) : rig(timing), random_(seed) {
    for (unsigned slot = 0; slot < kTbs; ++slot) start(slot);
  }

  void step() {
    rig.cycle += draw(4);
    if (rig.cycle / 1000 != thresholds_) {
      thresholds_ = rig.cycle / 1000;
      rig.policy->update(thresholds_ * 1000);
      plain.threshold();
    }
    rig.policy->update(rig.cycle);
    if (!plain.slow && draw(5000) == 0) {
      rig.grid_dispatched();
      plain.grid_dispatched();
    }
    const unsigned warp = draw(kTbs * kWarps);
    const unsigned slot = warp / kWarps;
    if (plain.tbs.count(slot) == 0 || ((done_ | waiting_) >> warp & 1U) != 0) return;
    const unsigned lanes = 1 + draw(32);
    rig.issue(warp, lanes);
    plain.issue(warp, lanes);
    const unsigned what = draw(40);
    if (what < 3) arrive(warp);
    if (what == 39) finish(warp);
  }
  void threshold() {
    rig.threshold();
    thresholds_ = rig.cycle / 1000;
    plain.threshold();
  }

  ProRig rig;
  Plain plain;

 private:
  unsigned draw(unsigned below) { return static_cast<unsigned>(random_()) % below; }
  void start(unsigned slot) {
    const WarpMask warps = ProRig::warps_of(slot);
    rig.start(slot, next_tb_, warps);
    plain.start(slot, next_tb_++);
    done_ &= ~warps;
  }
  void arrive(unsigned warp) {
    waiting_ |= warp_bit(warp);
    rig.arrive(warp);
    plain.arrive(warp);
    release_if_met(warp / kWarps);
  }
  void release_if_met(unsigned slot) {
    const WarpMask live = ProRig::warps_of(slot) & ~done_;
    if (live == 0 || (live & ~waiting_) != 0) return;
    waiting_ &= ~live;
    rig.release(slot, live);
    plain.release(slot);
  }
  void finish(unsigned warp) {
    const unsigned slot = warp / kWarps;
    done_ |= warp_bit(warp);
    rig.finish(warp);
    plain.finish(warp);
    release_if_met(slot);
    if (plain.tbs[slot].finished != kWarps) return;
    rig.end(slot);
    plain.end(slot);
    if (!plain.slow) start(slot);
  }

  std::mt19937 random_;
  WarpMask done_ = 0, waiting_ = 0;
  std::uint64_t next_tb_ = 0;
  std::uint64_t thresholds_ = 0;
};

class ProPropertyTest : public ::testing::TestWithParam<unsigned> {};

TEST_P(ProPropertyTest, IdealTimingFollowsAlgorithm1) {
  Life life(GetParam(), hw::Timing::kIdeal);
  for (unsigned event = 0; event < 12000; ++event) {
    life.step();
    ASSERT_EQ(life.rig.tbs(), life.plain.order()) << "event " << event;
    for (const auto& [slot, tb] : life.plain.tbs)
      ASSERT_EQ(life.rig.warps(slot), tb.order) << "event " << event;
  }
}

TEST_P(ProPropertyTest, HardwareTimingAlwaysHasAPermutationAndComesToTheSameOrder) {
  Life life(GetParam(), hw::Timing::kHardware);
  for (unsigned event = 0; event < 6000; ++event) {
    life.step();
    std::vector<unsigned> slots;
    for (const auto& [slot, tb] : life.plain.tbs) {
      slots.push_back(slot);
      std::vector<unsigned> warps = life.rig.warps(slot);
      for (WarpMask left = life.rig.policy->order().arriving(); left != 0; left &= left - 1) {
        if (life.rig.blocks().slot_of(lowest_warp(left)) == slot) warps.push_back(lowest_warp(left));
      }
      std::sort(warps.begin(), warps.end());
      ASSERT_EQ(warps.size(), kWarps);
      for (unsigned w = 0; w < kWarps; ++w) ASSERT_EQ(warps[w], slot * kWarps + w);
    }
    std::vector<unsigned> tbs = life.rig.tbs();
    std::sort(tbs.begin(), tbs.end());
    ASSERT_EQ(tbs, slots);
  }
  // Left alone, it comes to the order of the registers. The states that the clock does not sort have theirs
  // from the last event, when the sorter may have seen other values than Algorithm 1.
  life.threshold();
  life.rig.update_at(life.rig.cycle + 900);
  EXPECT_FALSE(life.rig.policy->order().tbs_stale());
  std::vector<unsigned> ranks;
  std::vector<unsigned> remaining;
  for (const unsigned slot : life.rig.tbs()) {
    ranks.push_back(pro_rank(life.rig.state(slot)));
    if (ranks.back() == 2 || ranks.back() == 3) remaining.push_back(slot);
  }
  EXPECT_TRUE(std::is_sorted(ranks.begin(), ranks.end()));
  EXPECT_EQ(remaining, life.plain.remaining);
  for (const unsigned slot : remaining) EXPECT_EQ(life.rig.warps(slot), life.plain.tbs[slot].order);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ProPropertyTest, ::testing::Range(1U, 9U));

}  // namespace
}  // namespace heddle
