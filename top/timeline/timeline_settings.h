#pragma once

#include <cstdint>
#include <vector>

#include "top/support/cycle_window.h"

namespace heddle {

/// In the folder for results.
constexpr const char* kTimelineFile = "timeline.json";

/// What it calls itself.
constexpr const char* kTimelineFormat = "heddle timeline 1";

/// What a timeline shows and how much of it at most.
struct TimelineSettings {
  static constexpr std::uint64_t kLeastEvents = 1'000;
  static constexpr std::uint64_t kMostEvents = 100'000'000;
  static constexpr std::uint64_t kMostRequestsBetween = 1'000'000'000;

  CycleWindow window;
  std::vector<unsigned> sms;          ///< ascending; none: all
  std::uint64_t events = 500'000;     ///< that the file has at most; kLeastEvents to kMostEvents
  std::uint64_t one_request_in = 64;  ///< memory requests that are followed; 0: none
};

}  // namespace heddle
