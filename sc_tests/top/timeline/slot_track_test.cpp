#include "top/timeline/slot_track.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace heddle {
namespace {

constexpr unsigned kReady = 1;
constexpr unsigned kWaits = 4;

/// States of a life, each with its cycles.
using States = std::vector<std::pair<unsigned, Cycle>>;

States states_of(const SlotTrack& track, std::size_t life) {
  States states;
  for (std::size_t i = track.first_slice(life); i < track.end_slice(life); ++i) {
    states.emplace_back(track.slice(i).state, track.slice(i).cycles);
  }
  return states;
}

TEST(SlotTrack, LivesAreTiledByTheirStates) {
  SlotTrack track({});
  track.begin(100, {1, 2, 3});
  track.enter(100, kReady);
  track.enter(101, kWaits);
  track.enter(107, kReady);
  track.end(109);
  track.begin(109, {1, 5, 0});
  track.enter(109, kWaits);
  track.end(112);
  ASSERT_EQ(track.lives().size(), 2U);
  EXPECT_EQ(track.lives()[0].owner.warp, 3U);
  EXPECT_EQ(track.lives()[0].start, 100U);
  EXPECT_EQ(track.lives()[0].end, 109U);
  EXPECT_EQ(states_of(track, 0), (States{{kReady, 1}, {kWaits, 6}, {kReady, 2}}));
  EXPECT_EQ(states_of(track, 1), (States{{kWaits, 3}}));
  EXPECT_EQ(track.state_cycles()[kWaits], 9U);
}

TEST(SlotTrack, AWindowCutsLivesAndStates) {
  SlotTrack track({10, 20});
  const auto live = [&track](Cycle from, Cycle middle, Cycle to) {
    track.begin(from, {});
    track.enter(from, kReady);
    track.enter(middle, kWaits);
    track.end(to);
  };
  live(0, 5, 10);    // before it
  live(10, 11, 12);  // in it
  live(12, 15, 21);
  live(21, 22, 30);
  ASSERT_EQ(track.lives().size(), 2U);
  EXPECT_EQ(states_of(track, 0), (States{{kReady, 1}, {kWaits, 1}}));
  EXPECT_FALSE(track.lives()[0].began_before);
  EXPECT_FALSE(track.lives()[0].goes_on);
  EXPECT_EQ(states_of(track, 1), (States{{kReady, 3}, {kWaits, 5}}));
  EXPECT_EQ(track.lives()[1].end, 20U);
  EXPECT_TRUE(track.lives()[1].goes_on);

  SlotTrack before({10, 20});
  before.begin(3, {});
  before.enter(3, kReady);
  before.enter(9, kWaits);
  before.enter(13, kReady);
  before.stop(15);
  ASSERT_EQ(before.lives().size(), 1U);
  EXPECT_EQ(states_of(before, 0), (States{{kWaits, 3}, {kReady, 2}}));
  EXPECT_TRUE(before.lives()[0].began_before);
  EXPECT_TRUE(before.lives()[0].goes_on);
}

TEST(SlotTrack, StatesThatReachTheQuantumStayAndShorterOnesAreMerged) {
  SlotTrack track({});
  track.begin(0, {});
  Cycle now = 0;
  for (const auto& [state, cycles] : States{{1, 1}, {2, 2}, {3, 3}, {2, 8}, {1, 2}, {4, 7}, {5, 9}, {1, 1}}) {
    track.enter(now, state);
    now += cycles;
  }
  track.end(now);
  track.coarsen(8);
  // 1+2+3 are cut off by the 8 of state 2; 2+7 reach 8.
  EXPECT_EQ(states_of(track, 0), (States{{3, 6}, {2, 8}, {4, 9}, {5, 9}, {1, 1}}));
  EXPECT_EQ(track.slice(0).held, 3U);
  EXPECT_EQ(track.slice(1).held, 8U);
  EXPECT_EQ(track.slice(2).held, 7U);
  EXPECT_EQ(track.state_cycles()[1], 4U) << "sums stay exact";
}

TEST(SlotTrack, ShortLivesAreMergedButNotOverLongGaps) {
  SlotTrack track({});
  for (const Cycle start : {0, 5, 100, 104}) {
    track.begin(start, {0, start, 0});
    track.enter(start, kWaits);
    track.end(start + 3);
  }
  track.coarsen(16);
  ASSERT_EQ(track.lives().size(), 2U);
  EXPECT_EQ(track.lives()[0].lives, 2U);
  EXPECT_EQ(track.lives()[0].end, 8U);
  EXPECT_EQ(states_of(track, 0), (States{{kWaits, 8}}));
  EXPECT_EQ(track.slice(0).held, 6U) << "without the gap";
  EXPECT_EQ(track.lives()[1].owner.tb, 100U);
  EXPECT_EQ(track.lives()[1].start, 100U);
}

/// What holds at each cycle.
std::vector<unsigned> states_by_cycle(const SlotTrack& track, Cycle end) {
  std::vector<unsigned> states(end, SlotTrack::kNoWarp);
  for (std::size_t life = 0; life < track.lives().size(); ++life) {
    Cycle now = track.lives()[life].start;
    for (const auto& [state, cycles] : states_of(track, life)) {
      std::fill_n(states.begin() + static_cast<std::ptrdiff_t>(now), cycles, state);
      now += cycles;
    }
    EXPECT_EQ(now, track.lives()[life].end);
  }
  return states;
}

TEST(SlotTrack, WhatIsMergedAgainAndAgainShowsTheStateThatHeldLongest) {
  std::mt19937 random(7);
  SlotTrack track({});
  SlotTrack whole({});
  Cycle now = 0;
  Cycle quantum = 1;
  for (unsigned life = 0; life < 300; ++life) {
    now += random() % 40;
    for (SlotTrack* t : {&track, &whole}) t->begin(now, {});
    for (unsigned left = 1 + random() % 60; left != 0; --left) {
      const unsigned state = random() % kNumResidentStates;
      for (SlotTrack* t : {&track, &whole}) t->enter(now, state);
      now += 1 + (random() % 8 == 0 ? random() % 90 : random() % 4);
      if (random() % 900 == 0) track.coarsen(quantum *= 2);  // in the middle of a life
    }
    for (SlotTrack* t : {&track, &whole}) t->end(now);
  }
  EXPECT_GE(quantum, 16U);
  track.coarsen(quantum);
  EXPECT_EQ(track.state_cycles(), [&] {
    SlotTrack::Shares sums = whole.state_cycles();
    sums[SlotTrack::kNoWarp] = track.state_cycles()[SlotTrack::kNoWarp];
    return sums;
  }());
  const std::vector<unsigned> truth = states_by_cycle(whole, now);
  for (std::size_t life = 0; life < track.lives().size(); ++life) {
    Cycle from = track.lives()[life].start;
    for (std::size_t i = track.first_slice(life); i < track.end_slice(life); ++i) {
      const SlotTrack::Slice slice = track.slice(i);
      SlotTrack::Shares held{};
      for (Cycle c = from; c < from + slice.cycles; ++c) ++held[truth[c]];
      EXPECT_EQ(slice.state,
                static_cast<unsigned>(std::max_element(held.begin(), held.end()) - held.begin()));
      EXPECT_EQ(slice.held, held[slice.state]);
      from += slice.cycles;
    }
    EXPECT_EQ(from, track.lives()[life].end);
  }
  EXPECT_LE(track.size(), 5 * now / quantum + 1);
  const std::size_t size = track.size();
  track.coarsen(quantum);
  EXPECT_EQ(track.size(), size) << "nothing is left to merge";
  track.coarsen(2 * now);
  EXPECT_EQ(track.size(), 2U) << "a life and a state";
}

TEST(SlotTrack, WhatHasNoStatesHasNoneWhenItIsMerged) {
  SlotTrack track({});
  for (const Cycle start : {0, 10, 20}) {
    track.begin(start, {});
    track.end(start + 4);
  }
  track.coarsen(64);
  EXPECT_EQ(track.size(), 1U);
  EXPECT_EQ(track.lives()[0].lives, 3U);
}

}  // namespace
}  // namespace heddle
