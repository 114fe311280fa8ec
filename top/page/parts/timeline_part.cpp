#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <system_error>

#include "base/input_file.h"
#include "base/limits.h"
#include "top/page/parts/run_part.h"
#include "top/support/results.h"
#include "top/timeline/timeline_contents.h"
#include "top/timeline/timeline_settings.h"

namespace heddle {

namespace {

using Json = nlohmann::json;

// Of a run, on the page.
constexpr std::size_t kMostSlices = 60'000;  ///< lives and states
constexpr std::size_t kMostPoints = 400;     ///< of a counter
constexpr std::size_t kMostRequests = 500;

std::size_t size_of(const TimelineContents& timeline) {
  std::size_t size = 0;
  for (const auto& [name, track] : timeline.launches) size += track.size();
  for (const auto& [number, sm] : timeline.sms) {
    for (const SlotTrack& track : sm.tbs) size += track.size();
    for (const SlotTrack& track : sm.warps) size += track.size();
  }
  return size;
}

void coarsen(TimelineContents& timeline, Cycle quantum) {
  for (auto& [name, track] : timeline.launches) track.coarsen(quantum);
  for (auto& [number, sm] : timeline.sms) {
    for (SlotTrack& track : sm.tbs) track.coarsen(quantum);
    for (SlotTrack& track : sm.warps) track.coarsen(quantum);
  }
}

/// Merges short slices until there are few enough, and leaves out the last SMs if that is not enough. Returns
/// the length in cycles up to which there may be merged ones; 1: nothing was.
Cycle reduce(TimelineContents& timeline, Cycle end) {
  Cycle quantum = 1;
  while (size_of(timeline) > kMostSlices && quantum <= end) coarsen(timeline, quantum *= 2);
  while (size_of(timeline) > kMostSlices && !timeline.sms.empty()) {
    timeline.sms.erase(std::prev(timeline.sms.end()));
  }
  return quantum;
}

/// Lives one after the other: start, cycles, launch, TB, warp, how many were merged.
Json lives_of(const SlotTrack& track) {
  Json shown = Json::array();
  for (const SlotTrack::Life& life : track.lives()) {
    for (const std::uint64_t number : {life.start, life.end - life.start, life.owner.launch, life.owner.tb,
                                       std::uint64_t{life.owner.warp}, life.lives}) {
      shown.push_back(number);
    }
  }
  return shown;
}

/// States of all lives: state, cycles.
Json states_of(const SlotTrack& track) {
  Json shown = Json::array();
  for (std::size_t life = 0; life < track.lives().size(); ++life) {
    for (std::size_t i = track.first_slice(life); i < track.end_slice(life); ++i) {
      const SlotTrack::Slice slice = track.slice(i);
      shown.push_back(slice.state);
      shown.push_back(slice.cycles);
    }
  }
  return shown;
}

double to_thousandths(double value) {
  constexpr double kDecimals = 1000;
  return std::round(value * kDecimals) / kDecimals;
}

/// Cycle, value from it on; of many points the means of equal spans from `begin` to `end`.
Json counter_of(const TimelineContents::Points& points, double begin, double end) {
  Json shown = Json::array();
  const auto put = [&shown](double from, double value) {
    shown.push_back(to_thousandths(from));
    shown.push_back(to_thousandths(value));
  };
  if (points.size() <= kMostPoints || end <= begin) {
    for (std::size_t i = 0; i < std::min(points.size(), kMostPoints); ++i) {
      put(points[i].first, points[i].second);
    }
    return shown;
  }
  const double span = (end - begin) / kMostPoints;
  std::size_t at = 0;
  for (std::size_t i = 0; i < kMostPoints; ++i) {
    const double from = begin + static_cast<double>(i) * span;
    double sum = 0;
    for (; at < points.size(); ++at) {
      const double next = at + 1 < points.size() ? points[at + 1].first : end;
      const double cycles = std::min(next, from + span) - std::max(points[at].first, from);
      if (cycles > 0) sum += cycles * points[at].second;
      if (next > from + span) break;
    }
    put(from, sum / span);
  }
  put(end, 0);
  return shown;
}

Json counters_of(const TimelineContents::Counters& counters, double begin, double end) {
  Json shown = Json::object();
  for (const auto& [name, points] : counters) shown[name] = counter_of(points, begin, end);
  return shown;
}

/// Some of the requests, all with equal distance in the order of their numbers.
Json requests_of(const TimelineContents& timeline) {
  Json shown = Json::array();
  const std::size_t step = (timeline.requests.size() + kMostRequests - 1) / kMostRequests;
  std::size_t place = 0;
  for (const auto& [number, request] : timeline.requests) {
    if (place++ % step != 0) continue;
    Json one = request.about;
    Json& way = one["way"] = Json::array();
    for (const TimelineContents::Visit& visit : request.way) {
      way.push_back({visit.stage, to_thousandths(visit.from), to_thousandths(visit.cycles), visit.process});
    }
    shown.push_back(std::move(one));
  }
  return shown;
}

/// Names of the kernels of those launches that lives are of.
Json kernels_of(const TimelineContents& timeline) {
  Json shown = Json::object();
  const auto add = [&](const SlotTrack& track) {
    for (const SlotTrack::Life& life : track.lives()) {
      const auto kernel = timeline.kernels.find(life.owner.launch);
      if (kernel != timeline.kernels.end()) shown[std::to_string(kernel->first)] = kernel->second;
    }
  };
  for (const auto& [name, track] : timeline.launches) add(track);
  for (const auto& [number, sm] : timeline.sms) {
    for (const SlotTrack& track : sm.tbs) add(track);
    for (const SlotTrack& track : sm.warps) add(track);
  }
  return shown;
}

Json state_names() {
  Json names = Json::array();
  for (unsigned s = 0; s < kNumResidentStates; ++s) {
    const WarpStateInfo& state = info(static_cast<WarpState>(s));
    names.push_back({{"name", state.name}, {"label", state.label}, {"nsight", state.nsight}});
  }
  names.push_back({{"name", "no_warp"}, {"label", "no warp"}, {"nsight", ""}});
  return names;
}

Json shown_of(TimelineContents timeline) {
  const Json& about = timeline.about;
  const auto begin = about.at("first_cycle").get<Cycle>();
  const auto end = about.at("end_cycle").get<Cycle>();
  const std::size_t sms = timeline.sms.size();
  const auto from = static_cast<double>(begin);
  const auto to = static_cast<double>(end);
  const Cycle quantum = std::max(reduce(timeline, end), about.at("shortest_slice_cycles").get<Cycle>());
  Json shown{{"first_cycle", begin},
             {"end_cycle", end},
             {"quantum", quantum},
             {"sms_left_out", sms - timeline.sms.size()},
             {"left_out", about.at("left_out")},
             {"state_cycles", about.at("state_cycles")},
             {"one_request_in", about.at("one_memory_request_in")},
             {"states", state_names()},
             {"counters", counters_of(timeline.counters, from, to)},
             {"requests", requests_of(timeline)},
             {"requests_in_file", timeline.requests.size()},
             {"kernels", kernels_of(timeline)},
             {"launches", Json::array()},
             {"sms", Json::array()}};
  for (const auto& [name, track] : timeline.launches) {
    shown["launches"].push_back({{"name", name}, {"lives", lives_of(track)}});
  }
  for (const auto& [number, sm] : timeline.sms) {
    Json tbs = Json::array();
    Json warps = Json::array();
    for (const SlotTrack& track : sm.tbs) tbs.push_back(lives_of(track));
    for (const SlotTrack& track : sm.warps) {
      warps.push_back({{"lives", lives_of(track)}, {"states", states_of(track)}});
    }
    shown["sms"].push_back({{"sm", number},
                            {"tbs", std::move(tbs)},
                            {"warps", std::move(warps)},
                            {"counters", counters_of(sm.counters, from, to)}});
  }
  return shown;
}

}  // namespace

Json timeline_part(const std::filesystem::path& folder, const Json& /*stats*/) {
  const std::filesystem::path file = folder / kTimelineFile;
  std::error_code failed;
  const std::uintmax_t bytes = std::filesystem::file_size(file, failed);
  if (failed) return nullptr;
  if (bytes > limits::kResultBytes) return {{"too_large_bytes", bytes}};
  try {
    return shown_of(read_timeline(file.string(), read_input_file(file.string(), limits::kResultBytes)));
  } catch (const InputFileError& error) {
    throw ResultsError(error.what());
  }
}

}  // namespace heddle
