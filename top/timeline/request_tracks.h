#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "top/timeline/request_log.h"
#include "top/timeline/sm_timeline.h"
#include "top/timeline/trace_file.h"

namespace heddle {

/// The processes of a trace of a GPU.
namespace trace_process {
constexpr std::uint64_t kGpu = 1;
constexpr std::uint64_t kInterconnect = 2;
constexpr std::uint64_t kFirstSm = 10;
/// Above all SMs.
constexpr std::uint64_t kFirstPartition = 100'000;
}  // namespace trace_process

/// The followed memory requests of a trace: a slice for every visit of a stage, on a track of the block in
/// which that is, and a flow through them. Requests that are at one place at the same time have tracks beside
/// each other.
class RequestTracks {
 public:
  /// `slices_per_channel` of the L2; `period`: ticks of a core cycle.
  RequestTracks(const std::vector<std::unique_ptr<SmTimeline>>& sms, unsigned slices_per_channel,
                Ticks period);

  /// Events that write() writes: two for each track, and one for the process of each partition and the
  /// interconnect with a track, and its place.
  std::size_t events() const;
  void write(TraceFile& file) const;

 private:
  struct Visit {
    std::uint64_t from, to;  ///< thousandths of cycles
    std::size_t request;     ///< in requests_
    bool first, last;        ///< of the request
    Stage stage;
  };
  struct Request {
    const RequestLife* life;
    unsigned sm;
  };
  struct Place {
    std::uint64_t process;
    unsigned slice;  ///< of the partition, counted from 0; 0 elsewhere
    Stage stage;
    bool operator<(const Place& other) const;
  };
  using Lane = std::vector<Visit>;

  void add(std::size_t request);
  Place place_of(const Request& request, Stage stage) const;
  void sort_into_lanes();
  void write_visit(TraceFile& file, const TraceTrack& track, const Visit& visit) const;

  unsigned slices_per_channel_;
  Ticks period_;
  std::vector<Request> requests_;  ///< in the order of their births
  std::map<Place, std::vector<Visit>> visits_;
  std::map<Place, std::vector<Lane>> lanes_;
};

}  // namespace heddle
