// What every warp did, of profile.json: accounts of the run, its launches and schedulers, and the lines of
// its kernels.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "modules/counts/warp_state.h"
#include "top/page/parts/run_part.h"
#include "top/support/results.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int kReadFormat = 1;
constexpr std::size_t kMostLaunches = 100;   ///< that are shown one by one
constexpr std::size_t kMostSchedulers = 64;  ///< likewise
constexpr std::size_t kMostLines = 1500;     ///< of all kernels of a run: a page is to stay small

/// Null when the run was not profiled.
Json profile_of(const fs::path& folder) {
  const fs::path file = folder / "profile.json";
  std::optional<Json> profile = read_result(file);
  if (!profile) return nullptr;
  if (profile->at("format") != kReadFormat) {
    throw ResultsError(fmt::format("{}: expected format {}", file.string(), kReadFormat));
  }
  return std::move(*profile);
}

/// Null also when it was cut short before its first instruction: sections have nothing to show of it, and it
/// is not to take the place of a run that has more.
Json profile_with_instructions(const fs::path& folder) {
  Json profile = profile_of(folder);
  if (!profile.is_null() && whole_number(profile.at("gpu").at("warp_instructions")) == 0) return nullptr;
  return profile;
}

/// Those of resident warps.
std::uint64_t cycles_of(const Json& entry) {
  const auto cycles = whole_numbers(entry.at("cycles"));
  std::uint64_t sum = 0;
  for (std::size_t s = 0; s < std::min<std::size_t>(cycles.size(), kNumResidentStates); ++s) sum += cycles[s];
  return sum;
}

std::uint64_t cycles_of_kernel(const Json& kernel) {
  std::uint64_t sum = 0;
  for (const Json& line : kernel.at("lines")) sum += cycles_of(line);
  return sum;
}

void keep_hottest(Json::array_t& lines, std::size_t room) {
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Json& a, const Json& b) { return cycles_of(a) > cycles_of(b); });
  lines.resize(room);
  std::sort(lines.begin(), lines.end(),
            [](const Json& a, const Json& b) { return a.at("index") < b.at("index"); });
}

/// Places of the launches in which most warp cycles go by, in their order.
std::vector<std::size_t> busiest(const Json& launches) {
  std::vector<std::size_t> places(launches.size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(), [&launches](std::size_t a, std::size_t b) {
    return cycles_of(launches[a]) > cycles_of(launches[b]);
  });
  places.resize(std::min(places.size(), kMostLaunches));
  std::sort(places.begin(), places.end());
  return places;
}

Json members_of(const Json& entry, std::initializer_list<const char*> names) {
  Json members = Json::object();
  for (const char* const name : names) members[name] = entry.at(name);
  return members;
}

/// Of each scheduler what the funnel has of all.
Json schedulers_of(const Json& profile) {
  Json schedulers = Json::array();
  for (const Json& sm : profile.at("sms")) {
    const Json& own = sm.at("schedulers");
    for (std::size_t s = 0; s < own.size() && schedulers.size() < kMostSchedulers; ++s) {
      const auto cycles = whole_numbers(own[s].at("cycles"));
      std::uint64_t eligible = 0;
      for (std::size_t state = 0; state < cycles.size(); ++state) {
        if (is_eligible(static_cast<WarpState>(state))) eligible += cycles[state];
      }
      Json shown =
          members_of(own[s], {"warp_cycles", "warp_instructions", "scheduler_cycles", "no_eligible_cycles"});
      shown["name"] = fmt::format("sm{}.scheduler{}", whole_number(sm.at("sm")), s);
      shown["eligible_cycles"] = eligible;
      schedulers.push_back(std::move(shown));
    }
  }
  return schedulers;
}

}  // namespace

Json profile_part(const fs::path& folder, const Json& /*stats*/) {
  const Json profile = profile_of(folder);
  if (profile.is_null()) return profile;
  return members_of(profile.at("gpu"), {"warp_cycles", "warp_instructions", "scheduler_cycles",
                                        "no_eligible_cycles", "cycles", "funnel"});
}

Json profile_detail_part(const fs::path& folder, const Json& /*stats*/) {
  const Json profile = profile_with_instructions(folder);
  if (profile.is_null()) return profile;
  Json shown{{"states", Json::array()}, {"launches", Json::array()}, {"schedulers", schedulers_of(profile)}};
  for (const Json& state : profile.at("states")) {
    shown["states"].push_back(members_of(state, {"name", "label", "nsight", "resident"}));
  }
  std::size_t schedulers = 0;
  for (const Json& sm : profile.at("sms")) schedulers += sm.at("schedulers").size();
  shown["schedulers_left_out"] = schedulers - shown.at("schedulers").size();
  const Json& launches = profile.at("launches");
  for (const std::size_t place : busiest(launches)) {
    shown["launches"].push_back(
        members_of(launches[place], {"id", "kernel", "warp_instructions", "warp_cycles", "cycles"}));
  }
  shown["launches_left_out"] = launches.size() - shown.at("launches").size();
  return shown;
}

/// The kernels in which most warp cycles go by come first. Of one that does not fit those lines are kept in
/// which most do; the others are counted.
Json source_part(const fs::path& folder, const Json& /*stats*/) {
  Json profile = profile_with_instructions(folder);
  if (profile.is_null()) return profile;
  auto& kernels = profile.at("kernels").get_ref<Json::array_t&>();
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const Json& a, const Json& b) { return cycles_of_kernel(a) > cycles_of_kernel(b); });
  Json shown{{"kernels", Json::array()}};
  std::size_t room = kMostLines;
  std::size_t left_out = 0;
  for (Json& kernel : kernels) {
    auto& lines = kernel.at("lines").get_ref<Json::array_t&>();
    if (lines.size() > room) {
      left_out += lines.size() - room;
      keep_hottest(lines, room);
    }
    room -= lines.size();
    if (!lines.empty()) shown["kernels"].push_back(std::move(kernel));
  }
  shown["left_out"] = left_out;
  return shown;
}

}  // namespace heddle
