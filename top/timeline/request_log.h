#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "modules/messages/memory_request.h"
#include "top/support/cycle_window.h"

namespace heddle {

/// The life of a memory request that has ended: when it came to which stage.
struct RequestLife {
  struct Visit {
    Stage stage;
    Ticks from;
    Ticks to;
  };
  /// The L2 comes before and after DRAM.
  static constexpr std::size_t kMostVisits = kNumStages + 1;

  std::uint64_t id = 0;  ///< its MemoryRequest::access_id
  std::uint64_t address = 0;
  RequestKind kind = RequestKind::kLoad;
  std::uint16_t warp = 0;       ///< slot
  std::uint16_t partition = 0;  ///< global L2 slice index, of those that came there
  std::uint32_t pc = 0;
  std::size_t visits = 0;
  std::array<Visit, kMostVisits> visit{};  ///< the first `visits`, each from the end of the one before
};

/// Lives of the memory requests of an SM, one in so many.
class RequestLog {
 public:
  /// `from`, `to`: the requests that are born at `from` or later and end before `to`. `one_in` 0: none.
  RequestLog(Ticks from, Ticks to, std::uint64_t one_in) : from_(from), to_(to), one_in_(one_in) {}

  /// The request has ended at `now` (MemoryRequest::finish).
  void add(const MemoryRequest& request, std::uint64_t address, Ticks now) {
    if (one_in_ != 0 && request.access_id % one_in_ == 0 && request.born_at() >= from_ && now < to_) {
      keep(request, address);
    }
  }
  /// Keeps one in twice as many.
  void thin();

  std::uint64_t one_in() const { return one_in_; }
  /// In the order of their ends.
  const std::vector<RequestLife>& lives() const { return lives_; }
  /// Visits of all of them.
  std::size_t visits() const { return visits_; }

 private:
  void keep(const MemoryRequest& request, std::uint64_t address);

  const Ticks from_;
  const Ticks to_;
  std::uint64_t one_in_;
  std::vector<RequestLife> lives_;
  std::size_t visits_ = 0;
};

}  // namespace heddle
