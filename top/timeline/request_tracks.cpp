#include "top/timeline/request_tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace heddle {

namespace {

constexpr unsigned kPlacesOfSlots = 1000;  ///< tracks of requests stand below those of slots

const char* kind_name(RequestKind kind) {
  switch (kind) {
    case RequestKind::kStore:
      return "store";
    case RequestKind::kAtomic:
      return "atomic";
    case RequestKind::kTexture:
      return "texture";
    default:
      return "load";
  }
}

std::uint64_t thousandths(Ticks time, Ticks period) {
  return time / period * TraceFile::kUnit + time % period * TraceFile::kUnit / period;
}

}  // namespace

bool RequestTracks::Place::operator<(const Place& other) const {
  return std::tie(process, slice, stage) < std::tie(other.process, other.slice, other.stage);
}

RequestTracks::RequestTracks(const std::vector<std::unique_ptr<SmTimeline>>& sms, unsigned slices_per_channel,
                             Ticks period)
    : slices_per_channel_(slices_per_channel), period_(period) {
  for (const auto& sm : sms) {
    for (const RequestLife& life : sm->requests().lives()) requests_.push_back({&life, sm->sm()});
  }
  std::sort(requests_.begin(), requests_.end(), [](const Request& a, const Request& b) {
    return std::make_tuple(a.life->visit.front().from, a.sm, a.life->kind, a.life->id) <
           std::make_tuple(b.life->visit.front().from, b.sm, b.life->kind, b.life->id);
  });
  for (std::size_t i = 0; i < requests_.size(); ++i) add(i);
  sort_into_lanes();
}

RequestTracks::Place RequestTracks::place_of(const Request& request, Stage stage) const {
  switch (stage) {
    case Stage::kRequestNetwork:
    case Stage::kReplyNetwork:
      return {trace_process::kInterconnect, 0, stage};
    case Stage::kL2Queue:
    case Stage::kL2:
    case Stage::kDramQueue:
    case Stage::kDram:
    case Stage::kReplyQueue: {
      const unsigned slice = request.life->partition;
      return {trace_process::kFirstPartition + slice / slices_per_channel_, slice % slices_per_channel_,
              stage};
    }
    default:
      return {trace_process::kFirstSm + request.sm, 0, stage};
  }
}

/// Visits of less than a thousandth of a cycle, which clocks of other frequencies leave, are not shown.
void RequestTracks::add(std::size_t index) {
  const Request& request = requests_[index];
  Visit* last = nullptr;
  for (std::size_t i = 0; i < request.life->visits; ++i) {
    const RequestLife::Visit& visit = request.life->visit[i];
    const std::uint64_t from = thousandths(visit.from, period_);
    const std::uint64_t to = thousandths(visit.to, period_);
    if (from == to) continue;
    std::vector<Visit>& there = visits_[place_of(request, visit.stage)];
    there.push_back({from, to, index, last == nullptr, false, visit.stage});
    last = &there.back();
  }
  if (last != nullptr) last->last = true;
}

/// Each visit takes the first track of its place that is free.
void RequestTracks::sort_into_lanes() {
  for (auto& [place, visits] : visits_) {
    std::sort(visits.begin(), visits.end(), [](const Visit& a, const Visit& b) {
      return std::tie(a.from, a.request) < std::tie(b.from, b.request);
    });
    std::vector<Lane>& lanes = lanes_[place];
    for (const Visit& visit : visits) {
      auto lane = std::find_if(lanes.begin(), lanes.end(),
                               [&visit](const Lane& l) { return l.back().to <= visit.from; });
      if (lane == lanes.end()) lane = lanes.insert(lanes.end(), Lane());
      lane->push_back(visit);
    }
  }
}

std::size_t RequestTracks::events() const {
  constexpr std::size_t kNames = 2;
  std::size_t events = 0;
  std::set<std::uint64_t> processes;
  for (const auto& [place, lanes] : lanes_) {
    processes.insert(place.process);
    for (const Lane& lane : lanes) {
      events += kNames;
      for (const Visit& visit : lane) events += visit.first && visit.last ? 1 : 2;
    }
  }
  return events + kNames * processes.size();
}

void RequestTracks::write_visit(TraceFile& file, const TraceTrack& track, const Visit& visit) const {
  const Request& request = requests_[visit.request];
  const RequestLife& life = *request.life;
  const std::uint64_t id = visit.request + 1;
  const std::string about =
      visit.first
          ? fmt::format(
                R"("request":{},"kind":"{}","sm":{},"warp_slot":{},"pc":"{:#x}","address":"{:#x}","number":{})",
                id, kind_name(life.kind), request.sm, life.warp, life.pc, life.address, life.id)
          : fmt::format(R"("request":{})", id);
  file.slice(track, visit.from, visit.to - visit.from, fmt::format("\"{}\"", to_string(visit.stage)), about);
  if (visit.first && visit.last) return;
  const auto flow = visit.first  ? TraceFile::Flow::kStart
                    : visit.last ? TraceFile::Flow::kEnd
                                 : TraceFile::Flow::kStep;
  file.flow(flow, id, track, visit.from);
}

void RequestTracks::write(TraceFile& file) const {
  std::uint64_t named = 0;
  unsigned tracks = 0;
  for (const auto& [place, lanes] : lanes_) {
    const bool partition = place.process >= trace_process::kFirstPartition;
    if (place.process != named) {
      named = place.process;
      tracks = 0;
      if (partition || named == trace_process::kInterconnect) {
        const std::string name = partition
                                     ? fmt::format("\"partition {}\"", named - trace_process::kFirstPartition)
                                     : "\"interconnect\"";
        // Below the SMs.
        file.name_process(named, static_cast<unsigned>(trace_process::kFirstPartition + named), name);
      }
    }
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const std::string slice = partition ? fmt::format("slice {} ", place.slice) : "";
      const std::string more = i == 0 ? "" : fmt::format(" ({})", i + 1);
      const TraceTrack track =
          file.add_track(named, kPlacesOfSlots + tracks++,
                         fmt::format("\"requests: {}{}{}\"", slice, to_string(place.stage), more));
      for (const Visit& visit : lanes[i]) write_visit(file, track, visit);
    }
  }
}

}  // namespace heddle
