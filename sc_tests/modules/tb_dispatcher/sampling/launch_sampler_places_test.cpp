// Sampling of a machine whose TBs begin whenever a place is free.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "modules/tb_dispatcher/sampling/launch_sampler.h"
#include "sc_tests/modules/tb_dispatcher/sampling/sampler_support.h"

namespace heddle {
namespace {

/// A machine that holds kRound TBs, whatever they do; a free place is taken by the next one at once. All
/// execute an instruction in ten cycles.
class Places {
 public:
  using Length = std::function<double(std::uint64_t tb)>;
  Places(std::uint64_t tbs, Length length) : tbs_(tbs), length_(std::move(length)) {}

  double whole() {
    run(nullptr);
    return cycle_;
  }
  LaunchSampler sampled() {
    LaunchSampler sampler({tbs_, kRound}, {});
    run(&sampler);
    sampler.end(now());
    return sampler;
  }
  std::vector<std::uint64_t> skipped;  ///< TBs

 private:
  struct Place {
    std::uint64_t tb = 0;
    double begin = 0;
    double end = 0;
    bool taken = false;
  };
  SampleMark now() const {
    double executed = executed_;
    for (const Place& place : places_) {
      if (place.taken) executed += (cycle_ - place.begin) / 10;
    }
    return {static_cast<std::uint64_t>(cycle_), static_cast<std::uint64_t>(executed)};
  }
  void run(LaunchSampler* sampler) {
    cycle_ = executed_ = 0;
    std::uint64_t next = 0;
    std::fill(places_.begin(), places_.end(), Place{});
    for (;;) {
      for (Place& place : places_) {
        if (place.taken || next == tbs_) continue;
        if (sampler != nullptr && sampler->wants_mark(next)) sampler->mark(next, now());
        while (sampler != nullptr && sampler->skips()) {
          TbWork work;
          work.tbs = 1;
          work.warp_instructions = static_cast<std::uint64_t>(length_(next) / 10);
          sampler->skipped(work);
          skipped.push_back(next++);
        }
        place = {next, cycle_, cycle_ + length_(next), true};
        ++next;
      }
      Place* first = nullptr;
      for (Place& place : places_) {
        if (place.taken && (first == nullptr || place.end < first->end)) first = &place;
      }
      if (first == nullptr) return;
      cycle_ = first->end;
      executed_ += (first->end - first->begin) / 10;
      first->taken = false;
      if (sampler != nullptr && sampler->ended(first->tb, static_cast<std::uint64_t>(cycle_)))
        sampler->mark_older(now());
    }
  }

  std::uint64_t tbs_;
  Length length_;
  std::array<Place, kRound> places_;
  double cycle_ = 0;
  double executed_ = 0;
};

/// Of 100 rounds; it is simulated, and ends beside the last TBs, between two sections, or after all.
TEST(LaunchSamplerPlacesTest, WhatPassesBesideATbThatOutlastsTheRestPassesOnce) {
  const std::uint64_t tbs = 100 * kRound;
  std::size_t simulated = 0;
  std::size_t alone = 0;
  for (std::uint64_t at = 0; at < tbs; at += 35) {
    for (const double rounds : {1.0, 10.0, 30.0, 60.0, 90.0, 120.0}) {
      Places places(tbs, [&](std::uint64_t tb) {
        return (tb == at ? rounds : 1) * (900 + static_cast<double>(tb * 7919 % 200));
      });
      const double whole = places.whole();
      const LaunchSampler sampler = places.sampled();
      if (std::count(places.skipped.begin(), places.skipped.end(), at) != 0) continue;
      ++simulated;
      EXPECT_NEAR(sampler.cycles(), whole, half_interval(sampler)) << at << ", " << rounds;
      EXPECT_NEAR(sampler.cycles(), whole, 0.03 * whole) << at << ", " << rounds;
      alone += sampler.overlapped_cycles() > 0 ? 1 : 0;
    }
  }
  EXPECT_GE(simulated, 24U);
  EXPECT_GE(alone, 8U);
}

}  // namespace
}  // namespace heddle
