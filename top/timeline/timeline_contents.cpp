#include "top/timeline/timeline_contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "top/support/results.h"
#include "top/timeline/timeline_settings.h"

namespace heddle {

namespace {

using Json = nlohmann::json;

/// Of a warp or TB slot's number and an SM's; far above what machines have.
constexpr unsigned kMostSlots = 1024;
constexpr unsigned kMostSms = 10'000;
/// The greatest cycle: a double counts them one by one up to it.
constexpr std::uint64_t kMostCycles = std::uint64_t{1} << 53U;

/// Of the text; what() says what is wrong.
class BadTimeline : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void refuse(const std::string& what) { throw BadTimeline(what); }

void expect(bool holds, const char* what) {
  if (!holds) refuse(what);
}

bool begins(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

/// "SM 3" after "SM ": 3.
std::optional<unsigned> number_after(std::string_view text, std::string_view with, unsigned bound) {
  if (!begins(text, with)) return std::nullopt;
  text.remove_prefix(with.size());
  unsigned number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size() || number >= bound) return std::nullopt;
  return number;
}

std::uint64_t whole(const Json& object, const char* name) {
  const Json& value = object.at(name);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMostCycles) {
    refuse(fmt::format("{} is no whole number from 0 to 2^53", name));
  }
  return value.get<std::uint64_t>();
}

double cycles(const Json& object, const char* name) {
  const Json& value = object.at(name);
  const double number = value.is_number() ? value.get<double>() : -1;
  if (!(number >= 0 && number <= static_cast<double>(kMostCycles))) {
    refuse(fmt::format("{} is no number of cycles", name));
  }
  return number;
}

unsigned state_of(const std::string& name) {
  static const std::map<std::string, unsigned> kStates = [] {
    std::map<std::string, unsigned> states{{"no_warp", SlotTrack::kNoWarp}};
    const std::vector<std::string> names = warp_state_names();
    for (unsigned s = 0; s < kNumResidentStates; ++s) states[names[s]] = s;
    return states;
  }();
  const auto found = kStates.find(name);
  if (found == kStates.end()) refuse(fmt::format("there is no state '{}'", name));
  return found->second;
}

class Reader {
 public:
  TimelineContents read(std::string_view text) {
    bool in_events = false;
    // Events are taken one by one and not kept.
    const auto take = [this, &in_events](int depth, Json::parse_event_t event, Json& parsed) {
      if (event == Json::parse_event_t::key && depth == 1) in_events = parsed == "traceEvents";
      if (!in_events || event != Json::parse_event_t::object_end || depth != 2) return true;
      take_event(parsed);
      return false;
    };
    try {
      const Json file = Json::parse(text.begin(), text.end(), take);
      expect(file.is_object() && file.contains("traceEvents"), "there is no list of events");
      contents_.about = file.at("otherData");
      expect(contents_.about.at("format") == kTimelineFormat, "it has another format");
      for (const char* const name : {"first_cycle", "end_cycle", "shortest_slice_cycles"}) {
        whole(contents_.about, name);
      }
      finish();
    } catch (const Json::exception& error) {
      refuse(error.what());
    }
    return std::move(contents_);
  }

 private:
  enum class What : std::uint8_t { kLaunches, kTbs, kWarps, kRequests };
  using Id = std::pair<std::uint64_t, std::uint64_t>;  ///< process, thread
  struct Track {
    What what = What::kRequests;
    std::string process;
    SlotTrack* slot = nullptr;  ///< in contents_; of all but requests
    Cycle end = 0;              ///< of the last life
    Cycle states_end = 0;       ///< of the last state, which lies in it
  };

  void take_event(const Json& event) {
    const std::string& phase = event.at("ph").get_ref<const std::string&>();
    if (phase == "M") {
      take_name(event);
    } else if (phase == "C") {
      take_counter(event);
    } else if (phase == "X") {
      take_slice(event);
    } else {
      // What a flow links, "request" of its slices tells too.
      expect(phase == "s" || phase == "t" || phase == "f", "there is an event of another phase");
    }
  }

  const std::string& process_of(const Json& event) const {
    const auto found = processes_.find(whole(event, "pid"));
    expect(found != processes_.end(), "a process has no name");
    return found->second;
  }

  void take_name(const Json& event) {
    const std::string& what = event.at("name").get_ref<const std::string&>();
    if (what == "process_name") {
      processes_[whole(event, "pid")] = event.at("args").at("name");
    } else if (what == "thread_name") {
      const auto [at, is_new] = tracks_.try_emplace({whole(event, "pid"), whole(event, "tid")});
      expect(is_new, "a track has two names");
      at->second = track_of(process_of(event), event.at("args").at("name"));
    }
  }

  Track track_of(const std::string& process, const std::string& name) {
    Track track;
    track.process = process;
    const auto sm = number_after(process, "SM ", kMostSms);
    if (begins(name, "requests: ")) return track;
    if (process == "GPU" && begins(name, "launches")) {
      const auto [at, is_new] = contents_.launches.try_emplace(name, SlotTrack({}));
      expect(is_new, "two tracks of launches have one name");
      track.what = What::kLaunches;
      track.slot = &at->second;
    } else if (sm && add_slot(contents_.sms[*sm].tbs, name, "TB slot ")) {
      track.what = What::kTbs;
      track.slot = &contents_.sms[*sm].tbs.back();
    } else if (sm && add_slot(contents_.sms[*sm].warps, name, "warp slot ")) {
      track.what = What::kWarps;
      track.slot = &contents_.sms[*sm].warps.back();
    } else {
      refuse(fmt::format("there is a track '{}' in '{}'", name, process));
    }
    return track;
  }

  /// Of a track that has this beginning; slots come in their order.
  static bool add_slot(std::deque<SlotTrack>& slots, const std::string& name, const char* beginning) {
    const auto number = number_after(name, beginning, kMostSlots);
    if (!number) return false;
    expect(*number == slots.size(), "slots are out of order");
    slots.emplace_back(CycleWindow());
    return true;
  }

  void take_counter(const Json& event) {
    const std::string& process = process_of(event);
    const auto sm = number_after(process, "SM ", kMostSms);
    expect(sm || process == "GPU", "there is a counter of another process");
    TimelineContents::Counters& counters = sm ? contents_.sms[*sm].counters : contents_.counters;
    const double value = event.at("args").at("value");
    TimelineContents::Points& points = counters[event.at("name")];
    const double from = cycles(event, "ts");
    expect(points.empty() || points.back().first < from, "a counter goes back");
    points.emplace_back(from, value);
  }

  void take_slice(const Json& event) {
    const auto found = tracks_.find({whole(event, "pid"), whole(event, "tid")});
    expect(found != tracks_.end(), "a track has no name");
    Track& track = found->second;
    if (track.what == What::kRequests) {
      take_visit(event, track);
    } else if (event.contains("args") && event.at("args").contains("launch")) {
      take_life(event, track);
    } else {
      take_state(event, track);
    }
  }

  void take_life(const Json& event, Track& track) {
    const Cycle start = whole(event, "ts");
    const Cycle duration = whole(event, "dur");
    const Json& about = event.at("args");
    end_life(track);
    expect(start >= track.end && duration > 0, "lives overlap");
    LifeOwner owner;
    owner.launch = whole(about, "launch");
    if (track.what != What::kLaunches) owner.tb = whole(about, "tb");
    if (track.what == What::kWarps) owner.warp = static_cast<unsigned>(whole(about, "warp") % kMostSlots);
    const std::uint64_t lives = about.contains("merged") ? whole(about, "merged") : 1;
    track.slot->begin(start, owner, lives);
    track.end = start + duration;
    track.states_end = start;
    if (lives == 1) take_kernel(event.at("name"), owner.launch);
  }

  /// "kernel TB 1 warp 2", "kernel TB 1" or "kernel".
  void take_kernel(std::string name, std::uint64_t launch) {
    const std::size_t tb = name.rfind(" TB ");
    if (tb != std::string::npos) name.resize(tb);
    contents_.kernels.try_emplace(launch, std::move(name));
  }

  void take_state(const Json& event, Track& track) {
    expect(track.what == What::kWarps, "there is a slice of what has no states");
    expect(whole(event, "ts") == track.states_end && track.states_end < track.end,
           "the states of a warp do not follow each other");
    const Cycle duration = whole(event, "dur");
    expect(duration > 0 && duration <= track.end - track.states_end, "a state goes on after its warp");
    track.slot->enter(track.states_end, state_of(event.at("name")));
    track.states_end += duration;
  }

  static void end_life(Track& track) {
    if (track.slot == nullptr) return;
    expect(track.what != What::kWarps || track.states_end == track.end, "a warp has cycles without a state");
    track.slot->end(track.end);
  }

  void take_visit(const Json& event, const Track& track) {
    const Json& about = event.at("args");
    TimelineContents::Request& request = contents_.requests[whole(about, "request")];
    request.way.push_back({event.at("name"), track.process, cycles(event, "ts"), cycles(event, "dur")});
    if (about.contains("kind")) request.about = about;
  }

  void finish() {
    for (auto& [id, track] : tracks_) end_life(track);
    for (auto& [id, request] : contents_.requests) {
      expect(request.about.is_object(), "a request has no beginning");
      whole(request.about, "sm");
      std::sort(request.way.begin(), request.way.end(),
                [](const auto& a, const auto& b) { return a.from < b.from; });
    }
  }

  TimelineContents contents_;
  std::map<std::uint64_t, std::string> processes_;
  std::map<Id, Track> tracks_;
};

}  // namespace

TimelineContents read_timeline(const std::string& file, std::string_view text) {
  try {
    return Reader().read(text);
  } catch (const BadTimeline& bad) {
    throw ResultsError(fmt::format("{}: is no timeline as this version writes it: {}", file, bad.what()));
  }
}

}  // namespace heddle
