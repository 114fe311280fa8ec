#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "top/timeline/slot_track.h"

namespace heddle {

/// What a timeline.json tells (docs/timeline.md), for those who draw it.
struct TimelineContents {
  /// Values from a cycle on, each up to the next one's.
  using Points = std::vector<std::pair<double, double>>;
  using Counters = std::map<std::string, Points>;

  struct Sm {
    std::deque<SlotTrack> tbs;
    std::deque<SlotTrack> warps;
    Counters counters;
  };
  struct Visit {
    std::string stage;
    std::string process;  ///< "SM 3", "partition 0"
    double from = 0;      ///< cycles
    double cycles = 0;
  };
  struct Request {
    nlohmann::json about;  ///< kind, sm, warp_slot, pc, address, number
    std::vector<Visit> way;
  };

  nlohmann::json about;  ///< otherData
  std::map<std::string, SlotTrack> launches;
  Counters counters;  ///< of the GPU
  std::map<unsigned, Sm> sms;
  std::map<std::uint64_t, Request> requests;
  std::map<std::uint64_t, std::string> kernels;  ///< by launch, as far as names tell
};

/// Reads the text of the timeline `file`. Throws ResultsError for what Timeline would not have written.
TimelineContents read_timeline(const std::string& file, std::string_view text);

}  // namespace heddle
