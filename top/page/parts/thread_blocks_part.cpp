#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "top/page/parts/run_part.h"
#include "top/support/results.h"

namespace heddle {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostTbs = 3000;           ///< of a run that are drawn
constexpr std::size_t kMostSamples = 240;        ///< of a curve
constexpr std::size_t kMostWithHistograms = 12;  ///< whose histograms and warps are shown

/// The lives of the TBs as columns, which take less room than an object each; the earliest.
Json tb_columns(const Json& launches) {
  struct Tb {
    std::size_t launch;
    const Json* life;
  };
  std::vector<Tb> tbs;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    for (const Json& tb : launches[i].at("tbs")) tbs.push_back({i, &tb});
  }
  std::stable_sort(tbs.begin(), tbs.end(), [](const Tb& a, const Tb& b) {
    return whole_number(a.life->at("start")) < whole_number(b.life->at("start"));
  });
  Json shown{{"left_out", tbs.size() - std::min(tbs.size(), kMostTbs)}};
  tbs.resize(std::min(tbs.size(), kMostTbs));
  Json& of_launch = shown["launch"] = Json::array();
  for (const Tb& tb : tbs) of_launch.push_back(tb.launch);
  for (const char* const figure : {"tb", "sm", "slot", "start", "end"}) {
    Json& column = shown[figure] = Json::array();
    for (const Tb& tb : tbs) column.push_back(tb.life->at(figure));
  }
  return shown;
}

/// The TB with the lowest index and the one whose warps lived most unequally, with all their warps.
Json warps_of(const Json& tbs) {
  const auto by = [&tbs](const char* key, bool most) {
    const auto less = [key](const Json& a, const Json& b) {
      return a.at(key).get<double>() < b.at(key).get<double>();
    };
    return most ? std::max_element(tbs.begin(), tbs.end(), less)
                : std::min_element(tbs.begin(), tbs.end(), less);
  };
  const auto first = by("tb", false);
  const auto worst = by("rtru", true);
  Json shown = Json::array({*first});
  if (worst != first) shown.push_back(*worst);
  return shown;
}

/// How many of `values` lie in each of `bins` equal steps from 0 to the largest.
Json histogram(const std::vector<double>& values, std::size_t bins, double top) {
  std::vector<std::uint64_t> counts(bins);
  for (const double value : values) {
    const double place = value > 0 ? value / top * static_cast<double>(bins) : 0;
    const bool is_last = !(place < static_cast<double>(bins - 1));  // infinite ones of a damaged log, too
    ++counts[is_last ? bins - 1 : static_cast<std::size_t>(place)];
  }
  return {{"bin", top / static_cast<double>(bins)}, {"counts", counts}};
}

Json launch_of(const Json& launch) {
  constexpr std::size_t kBins = 25;
  const Json& tbs = launch.at("tbs");
  std::vector<double> cycles;
  std::vector<double> rtru;
  for (const Json& tb : tbs) {
    cycles.push_back(tb.at("end").get<double>() - tb.at("start").get<double>());
    if (tb.contains("rtru")) rtru.push_back(tb.at("rtru").get<double>());
  }
  Json shown{{"launch", launch.at("launch")}, {"kernel", launch.at("kernel")}, {"tbs_ended", tbs.size()}};
  // Thread blocks of drawn durations (heddle pairs of a timed workload) have no warps.
  for (const char* const figure : {"tbs_running", "rtru", "rtru_geometric_mean", "warps_by_instructions"}) {
    if (launch.contains(figure)) shown[figure] = launch.at(figure);
  }
  if (cycles.empty()) return shown;
  shown["tb_cycles"] = histogram(cycles, kBins, *std::max_element(cycles.begin(), cycles.end()));
  if (!rtru.empty()) {
    shown["tb_rtru"] = histogram(rtru, kBins, 1);
    shown["lives"] = warps_of(tbs);
  }
  return shown;
}

/// The allocated shares over time in at most kMostSamples steps; several become their mean, by their lengths.
Json allocation_of(const Json& samples) {
  const std::size_t step = (samples.size() + kMostSamples - 1) / kMostSamples;
  Json shown{{"end", Json::array()}};
  constexpr std::array<const char*, 4> kShares{"registers", "warp_slots", "shared_memory", "warps"};
  for (const char* const share : kShares) shown[share] = Json::array();
  double start = 0;
  for (std::size_t first = 0; first < samples.size(); first += step) {
    const std::size_t last = std::min(first + step, samples.size());
    std::array<double, kShares.size()> sums{};
    double at = start;
    for (std::size_t i = first; i < last; ++i) {
      const auto end = samples[i].at("end").get<double>();
      for (std::size_t s = 0; s < kShares.size(); ++s)
        sums[s] += samples[i].at(kShares[s]).get<double>() * (end - at);
      at = end;
    }
    shown["end"].push_back(samples[last - 1].at("end"));
    for (std::size_t s = 0; s < kShares.size(); ++s)
      shown[kShares[s]].push_back(at > start ? sums[s] / (at - start) : 0);
    start = at;
  }
  return shown;
}

}  // namespace

/// Of thread_blocks.json, which --tb-log writes.
Json thread_blocks_part(const std::filesystem::path& folder, const Json& /*stats*/) {
  const auto log = read_result(folder / "thread_blocks.json");
  if (!log) return nullptr;
  const Json& launches = log->at("launches");
  Json shown{{"launches", Json::array()}, {"tbs", tb_columns(launches)}};
  for (const Json& launch : launches) shown["launches"].push_back(launch_of(launch));
  for (std::size_t i = kMostWithHistograms; i < launches.size(); ++i) shown["launches"][i].erase("lives");
  if (log->contains("allocation")) shown["allocation"] = allocation_of(log->at("allocation"));
  if (log->contains("policy_intervals")) shown["policy_intervals"] = log->at("policy_intervals");
  if (log->contains("issue_pattern")) shown["issue_pattern"] = log->at("issue_pattern");
  return shown;
}

}  // namespace heddle
