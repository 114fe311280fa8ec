#include "top/timeline/timeline.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "top/timeline/request_tracks.h"

namespace heddle {

namespace {

using OrderedJson = nlohmann::ordered_json;

// Shares of the events.
constexpr std::uint64_t kCounterShare = 8;
constexpr std::uint64_t kRequestShare = 4;
constexpr std::uint64_t kLaunchShare = 16;

/// A track's name and its place.
constexpr std::uint64_t kTrackEvents = 2;
/// A process has as many, and the GPU a label besides.
constexpr std::uint64_t kProcessEvents = 2;
constexpr std::uint64_t kGpuEvents = kProcessEvents + 1;
/// Of a followed request at a stage: a slice and a part of a flow.
constexpr std::uint64_t kVisitEvents = 2;
constexpr unsigned kSeriesOfGpu = SmTimeline::kNumCounters;

constexpr const char* kCounterNames[SmTimeline::kNumCounters] = {"IPC", "active warps", "MSHR entries"};
constexpr SmTimeline::Counter kCounters[SmTimeline::kNumCounters] = {
    SmTimeline::Counter::kIssued, SmTimeline::Counter::kWarps, SmTimeline::Counter::kMshrEntries};

std::vector<unsigned> all_sms(const Gpu& gpu) {
  std::vector<unsigned> sms(gpu.config().core.sms);
  std::iota(sms.begin(), sms.end(), 0U);
  return sms;
}

std::string json_text(const std::string& text) {
  return OrderedJson(text).dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, "; "));
}

using StateTexts = std::array<std::string, SlotTrack::kStates>;

std::string state_text(unsigned state) {
  return json_text(state == SlotTrack::kNoWarp ? "no_warp" : info(static_cast<WarpState>(state)).name);
}

/// How slices of states end.
const StateTexts& state_endings() {
  static const StateTexts kTexts = [] {
    StateTexts texts;
    for (unsigned s = 0; s < texts.size(); ++s) texts[s] = TraceFile::slice_ending(state_text(s));
    return texts;
  }();
  return kTexts;
}

/// The same of merged ones, up to the cycles for which the state held.
const StateTexts& merged_endings() {
  static const StateTexts kTexts = [] {
    StateTexts texts;
    for (unsigned s = 0; s < texts.size(); ++s) {
      texts[s] = fmt::format(R"(,"name":{},"args":{{"held":)", state_text(s));
    }
    return texts;
  }();
  return kTexts;
}

}  // namespace

Timeline::Timeline(Gpu& gpu, TimelineSettings settings, const std::string& path)
    : gpu_(gpu), settings_(std::move(settings)), file_(path) {
  if (file_.failed()) throw OutputError(file_.problem());
  if (settings_.sms.empty()) settings_.sms = all_sms(gpu);
  const Ticks period = gpu.core_clock().period_ticks();
  const std::uint64_t least = track_events_of_sm() + slot_events_of_sm();
  for (const unsigned sm : settings_.sms) {
    if ((sms_.size() + 1) * least + kGpuEvents > slot_share()) {
      ++sms_left_out_;
    } else {
      sms_.push_back(std::make_unique<SmTimeline>(gpu.sm(sm), gpu.config(), settings_, period));
    }
  }
}

/// Of names and of what lives in slots.
std::uint64_t Timeline::slot_share() const {
  const std::uint64_t all = settings_.events;
  return all - all / kCounterShare - all / kRequestShare - all / kLaunchShare;
}

std::uint64_t Timeline::track_events_of_sm() const {
  const CoreConfig& core = gpu_.config().core;
  return kProcessEvents + kTrackEvents * (core.warps + core.tb_slots);
}

/// When everything is merged: a life and a state of each warp slot, a life of each TB slot.
std::uint64_t Timeline::slot_events_of_sm() const {
  const CoreConfig& core = gpu_.config().core;
  return 2 * std::uint64_t{core.warps} + core.tb_slots;
}

std::size_t Timeline::size() const {
  std::size_t size = 0;
  for (const auto& sm : sms_) size += sm->size();
  return size;
}

/// What is in the window before `cycle`.
Cycle Timeline::cycles_until(Cycle cycle) const {
  const Cycle end = std::min<Cycle>(cycle, settings_.window.to);
  return end > settings_.window.from ? end - settings_.window.from : 0;
}

void Timeline::coarsen_to(std::size_t most) {
  for (;;) {
    for (const auto& sm : sms_) sm->coarsen(quantum_);
    // When nothing is longer, all that can be merged is.
    if (size() <= most || quantum_ > cycles_until(gpu_.core_clock().cycle_now() + 1)) return;
    quantum_ *= 2;
  }
}

Cycle Timeline::interval() const { return sms_.empty() ? 1 : sms_.front()->counter(kCounters[0]).interval(); }

void Timeline::widen_intervals_for(Cycle now) {
  const std::uint64_t series = sms_.size() * SmTimeline::kNumCounters + kSeriesOfGpu;
  // One event for each interval, and one at the end.
  while (!sms_.empty() && (cycles_until(now) / interval() + 2) * series > settings_.events / kCounterShare) {
    for (const auto& sm : sms_) sm->widen_intervals();
  }
}

void Timeline::thin_requests() {
  const auto visits = [this] {
    return std::accumulate(sms_.begin(), sms_.end(), std::size_t{0},
                           [](std::size_t sum, const auto& sm) { return sum + sm->requests().visits(); });
  };
  while (visits() * kVisitEvents > settings_.events / kRequestShare) {
    for (const auto& sm : sms_) sm->requests().thin();
  }
}

void Timeline::look() {
  const std::uint64_t share = slot_share() - sms_.size() * track_events_of_sm() - kGpuEvents;
  // Well below the share, so that it is not done all the time.
  if (size() > share) coarsen_to(share / 4 * 3);
  widen_intervals_for(gpu_.core_clock().cycle_now());
  thin_requests();
}

void Timeline::choose_launches(const RunResult& result) {
  const std::uint64_t share = settings_.events / kLaunchShare;
  const std::size_t streams = std::max<std::size_t>(result.streams.size(), 1);
  const std::size_t shown = std::min<std::size_t>(streams, share / (kTrackEvents + 1));
  streams_left_out_ = streams - shown;
  launches_.assign(shown, SlotTrack(settings_.window));
  for (const LaunchResult& launch : result.launches) {
    if (launch.stream >= shown) continue;
    launches_[launch.stream].begin(launch.first_cycle, {launch.id, 0, 0});
    if (launch.complete) {
      launches_[launch.stream].end(launch.first_cycle + launch.cycles);
    } else {
      launches_[launch.stream].stop(end_);
    }
  }
  const auto events = [this] {
    return std::accumulate(launches_.begin(), launches_.end(), std::size_t{0},
                           [](std::size_t sum, const SlotTrack& t) { return sum + kTrackEvents + t.size(); });
  };
  while (events() > share) {
    launch_quantum_ *= 2;
    for (SlotTrack& track : launches_) track.coarsen(launch_quantum_);
  }
}

void Timeline::say_what_is_left_out() {
  const auto say = [this](std::string text) { left_out_.push_back(std::move(text)); };
  if (end_ <= settings_.window.from) {
    say(fmt::format("everything: the run ended before cycle {}, the window's first", settings_.window.from));
    return;
  }
  if (sms_left_out_ != 0) {
    say(fmt::format("{} of {} SMs, the last ones", sms_left_out_, sms_left_out_ + sms_.size()));
  }
  if (quantum_ > 1) {
    say(fmt::format("states and lives shorter than {} cycles, merged with those beside them", quantum_));
  }
  if (launch_quantum_ > 1)
    say(fmt::format("launches shorter than {} cycles, merged likewise", launch_quantum_));
  if (streams_left_out_ != 0) say(fmt::format("launches of {} streams, the last ones", streams_left_out_));
  const std::uint64_t one_in = sms_.empty() ? 0 : sms_.front()->requests().one_in();
  if (one_in > settings_.one_request_in) {
    say(fmt::format("memory requests but one in {} instead of one in {}", one_in, settings_.one_request_in));
  }
}

std::string Timeline::other_data(const TimelineOrigin& origin, const RunResult& result) const {
  OrderedJson data;
  data["format"] = kTimelineFormat;
  data["time_unit"] = "a microsecond stands for one core cycle";
  data["core_cycle_fs"] = gpu_.core_clock().period_ticks();
  data["program"] = origin.program;
  data["configuration"] = origin.configuration;
  data["scheduler"] = origin.scheduler;
  data["workload"] = origin.workload;
  data["command"] = origin.command;
  data["status"] = result.end == RunEnd::kComplete ? "complete" : "partial";
  data["reason"] = result.reason.substr(0, result.reason.find('\n'));
  data["first_cycle"] = std::min<Cycle>(settings_.window.from, end_);
  data["end_cycle"] = end_;
  data["warp_slots"] = gpu_.config().core.warps;
  data["tb_slots"] = gpu_.config().core.tb_slots;
  data["shortest_slice_cycles"] = quantum_;
  data["counter_interval_cycles"] = interval();
  data["one_memory_request_in"] = sms_.empty() ? 0 : sms_.front()->requests().one_in();
  data["left_out"] = left_out_;
  OrderedJson& states = data["state_cycles"] = OrderedJson::object();
  for (const auto& sm : sms_) {
    OrderedJson& of_sm = states[fmt::format("SM {}", sm->sm())] = OrderedJson::object();
    const SlotTrack::Shares cycles = sm->state_cycles();
    for (unsigned s = 0; s < kNumResidentStates; ++s) {
      of_sm[info(static_cast<WarpState>(s)).name] = cycles[s];
    }
  }
  return data.dump(1, ' ', false, OrderedJson::error_handler_t::replace);
}

void Timeline::write(const TimelineOrigin& origin, const RunResult& result) {
  // The cycle in which a run was stopped has been simulated.
  end_ = std::min<Cycle>(settings_.window.to, result.cycles + (result.end == RunEnd::kComplete ? 0 : 1));
  for (const auto& sm : sms_) sm->stop(end_);
  const std::uint64_t share = slot_share() - sms_.size() * track_events_of_sm() - kGpuEvents;
  coarsen_to(share);
  widen_intervals_for(end_);
  thin_requests();
  const unsigned slices = gpu_.config().l2.slices_per_channel;
  const Ticks period = gpu_.core_clock().period_ticks();
  auto requests = std::make_unique<RequestTracks>(sms_, slices, period);
  while (requests->events() > settings_.events / kRequestShare) {
    for (const auto& sm : sms_) sm->requests().thin();
    requests = std::make_unique<RequestTracks>(sms_, slices, period);
  }
  choose_launches(result);
  say_what_is_left_out();
  for (const LaunchResult& launch : result.launches) kernels_.push_back(launch.kernel);

  file_.open(other_data(origin, result));
  file_.name_process(trace_process::kGpu, 0, "\"GPU\"");
  const std::string label =
      left_out_.empty() ? "a microsecond is a core cycle"
                        : fmt::format("a microsecond is a core cycle; left out: {}", joined(left_out_));
  file_.label_process(trace_process::kGpu, json_text(label));
  write_launches(result);
  for (unsigned c = 0; c < SmTimeline::kNumCounters; ++c) write_total(kCounters[c], kCounterNames[c]);
  for (const auto& sm : sms_) write_sm(*sm);
  requests->write(file_);
  file_.close();
}

void Timeline::write_launches(const RunResult& result) {
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const std::string name =
        result.streams.empty() ? "launches" : fmt::format("launches of {}", result.streams[i].name);
    const TraceTrack track = file_.add_track(trace_process::kGpu, static_cast<unsigned>(i), json_text(name));
    write_lives(launches_[i], track, What::kLaunch);
  }
}

void Timeline::write_sm(const SmTimeline& sm) {
  const std::uint64_t process = trace_process::kFirstSm + sm.sm();
  file_.name_process(process, static_cast<unsigned>(process), fmt::format("\"SM {}\"", sm.sm()));
  for (unsigned c = 0; c < SmTimeline::kNumCounters; ++c) {
    write_counter(process, kCounterNames[c], sm.counter(kCounters[c]).sums());
  }
  unsigned place = 0;
  for (std::size_t slot = 0; slot < sm.tbs().size(); ++slot) {
    const TraceTrack track = file_.add_track(process, place++, fmt::format("\"TB slot {}\"", slot));
    write_lives(sm.tbs()[slot], track, What::kTb);
  }
  for (std::size_t slot = 0; slot < sm.warps().size(); ++slot) {
    const TraceTrack track = file_.add_track(process, place++, fmt::format("\"warp slot {}\"", slot));
    write_lives(sm.warps()[slot], track, What::kWarp);
  }
}

std::string Timeline::name_of(const SlotTrack::Life& life, What what) const {
  static constexpr const char* kMany[] = {"launches", "TBs", "warps"};
  if (life.lives > 1) return fmt::format("{} {}", life.lives, kMany[static_cast<unsigned>(what)]);
  std::string name = kernels_[life.owner.launch];
  if (what != What::kLaunch) name += fmt::format(" TB {}", life.owner.tb);
  if (what == What::kWarp) name += fmt::format(" warp {}", life.owner.warp);
  return name;
}

void Timeline::write_lives(const SlotTrack& slot, const TraceTrack& track, What what) {
  const std::string beginning = TraceFile::slice_beginning(track);
  for (std::size_t i = 0; i < slot.lives().size(); ++i) {
    const SlotTrack::Life& life = slot.lives()[i];
    std::string about = fmt::format("\"launch\":{}", life.owner.launch);
    if (what != What::kLaunch) about += fmt::format(",\"tb\":{}", life.owner.tb);
    if (what == What::kWarp) about += fmt::format(",\"warp\":{}", life.owner.warp);
    if (life.lives > 1) about += fmt::format(",\"merged\":{}", life.lives);
    if (life.began_before) about += ",\"began_before\":true";
    if (life.goes_on) about += ",\"goes_on\":true";
    file_.slice(beginning, life.start * TraceFile::kUnit, (life.end - life.start) * TraceFile::kUnit,
                TraceFile::slice_ending(json_text(name_of(life, what)), about));
    write_states(slot, i, beginning);
  }
}

void Timeline::write_states(const SlotTrack& slot, std::size_t life, std::string_view beginning) {
  Cycle time = slot.lives()[life].start;
  for (std::size_t i = slot.first_slice(life); i < slot.end_slice(life); ++i) {
    const SlotTrack::Slice slice = slot.slice(i);
    const std::uint64_t from = time * TraceFile::kUnit;
    const std::uint64_t duration = slice.cycles * TraceFile::kUnit;
    if (slice.held == slice.cycles) {
      file_.slice(beginning, from, duration, state_endings()[slice.state]);
    } else {
      const fmt::format_int held(slice.held);
      merged_ = merged_endings()[slice.state];
      merged_.append(held.data(), held.size()).append("}}");
      file_.slice(beginning, from, duration, merged_);
    }
    time += slice.cycles;
  }
}

/// The means of the intervals; one that is as the one before is not written.
void Timeline::write_counter(std::uint64_t process, const char* name,
                             const std::vector<std::uint64_t>& sums) {
  const std::string text = fmt::format("\"{}\"", name);
  const Cycle begin = settings_.window.from;
  if (end_ <= begin) return;
  double shown = -1;
  const Cycle intervals = (end_ - begin - 1) / interval() + 1;
  for (Cycle i = 0; i < intervals; ++i) {
    const Cycle from = begin + i * interval();
    const Cycle cycles = std::min<Cycle>(interval(), end_ - from);
    const std::uint64_t sum = i < sums.size() ? sums[i] : 0;
    const double mean = static_cast<double>(sum) / static_cast<double>(cycles);
    if (mean == shown) continue;
    shown = mean;
    file_.counter(process, from * TraceFile::kUnit, text, mean);
  }
  if (shown != 0) file_.counter(process, end_ * TraceFile::kUnit, text, 0);
}

/// Of all SMs shown.
void Timeline::write_total(SmTimeline::Counter counter, const char* name) {
  std::vector<std::uint64_t> total;
  for (const auto& sm : sms_) {
    const std::vector<std::uint64_t>& sums = sm->counter(counter).sums();
    total.resize(std::max(total.size(), sums.size()));
    for (std::size_t i = 0; i < sums.size(); ++i) total[i] += sums[i];
  }
  write_counter(trace_process::kGpu, name, total);
}

}  // namespace heddle
