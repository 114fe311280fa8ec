#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "base/observe.h"
#include "base/ring.h"
#include "modules/cache/line_owners.h"
#include "modules/cache/tag_array.h"
#include "modules/config/gpu_config.h"
#include "modules/counts/l1d_counts.h"
#include "modules/l1d/line_data.h"
#include "modules/messages/foreign_requests.h"
#include "modules/messages/memory_events.h"
#include "modules/messages/memory_request.h"
#include "modules/messages/miss_replay.h"
#include "tlm/clocked.h"
#include "tlm/memory_port.h"

namespace heddle {

/// L1 data cache of an SM: one coalesced access per cycle from the LD/ST unit (gtx480.md, "LD/ST unit",
/// "L1D").
///
/// An access enters a pipe of `latency_cycles` stages and is looked up at its exit, in order. A hit is
/// answered; a load that misses goes to the MSHR, which fetches or merges it. What can't go on blocks the
/// pipe's exit, and a full pipe refuses accesses by withheld END_REQ, with MemoryRequest::refusal set to the
/// cause at every edge. Bypassing loads, atomics, and everything when the cache is disabled, don't go through
/// the pipe: they take turns with it at the way to the MSHR.
///
/// Global stores write through without allocating and invalidate the line (write-evict); local ones write
/// into a line that is present, which is written back when evicted. A line that is being fetched stays as it
/// is.
///
/// A standard initiator at `cpu` is served as the LD/ST unit is: its loads and stores within a line hit, miss
/// and merge in the same way and times, and are counted in the same figures, as accesses of warp 0. Their
/// data are real: a line that one brings in is kept with its bytes, and a line without any, as those of the
/// GPU's own loads, is fetched for it again. As on the hardware, what others than this L1D store below is not
/// seen in the lines that it holds. Loosely timed and debug accesses go through; a loosely timed load of a
/// line whose bytes are held takes the pipe's time alone.
///
/// Timing, in edges, for an access sent to `cpu` at t: it is looked up at t + latency_cycles, a hit is
/// answered by BEGIN_RESP then, and a miss sent to `mshr` then; a bypass goes to `mshr` at t + 1. A response
/// that `mshr` shows at t fills its line and is answered at t. One response leaves a cycle: hits and fills
/// take turns.
class L1d : public sc_core::sc_module,
            public Clocked,
            private TargetPort::Gate,
            private TargetPort::Backdoor {
 public:
  /// `latency_cycles` >= 1 (LdstConfig::l1_latency_cycles). Throws std::invalid_argument for that, for a line
  /// longer than kLineBytes and for TagArray's errors.
  L1d(const sc_core::sc_module_name& name, ClockDomain& domain, const L1dConfig& config,
      unsigned latency_cycles, std::uint16_t sm);

  /// From the LD/ST unit, which ticks after the L1D at an edge of the same clock, or a standard initiator.
  TargetPort cpu;
  InitiatorPort mshr;  ///< to the Mshr

  /// Drops every line that is not being fetched; modified local lines die with their threads.
  void flush() { tags_.flush(); }
  /// Loads that the MSHRs can't take wait in `replay`, and are looked up again when the MSHRs have room or no
  /// other access is at the pipe's exit. Before the simulation starts.
  void replay_misses(MissReplay& replay, MshrReady& ready);
  /// Keeps the warp of each line in parts of `owner`, so that events name it; otherwise it is known for the
  /// statistics only. Before the simulation starts.
  void keep_line_warps(const hw::Owner& owner, const LineOwnersShape& shape) {
    line_warps_ = std::make_unique<LineOwners>(owner, shape);
  }
  unsigned set_of(std::uint64_t address) const { return tags_.set_of(address); }
  std::uint64_t line_address(std::uint64_t address) const { return tags_.line_address(address); }
  /// No access is inside and no write-back is outstanding.
  bool idle() const;
  /// Cycles, up to `now`, in which the access at the exit of the pipe was held up by the MSHRs: no entry or
  /// no merge left, or (allocate on miss) every way of its set waiting for a fill.
  Cycle occluded_cycles(Cycle now) const;

  EventPort<const L1dAccess&> accessed;
  /// A load was looked up and went on: kHit, kMerged or kMiss, as it is counted. Not of a standard initiator.
  Probe<const MemoryRequest&, L1dOutcome> load_left;
  EventPort<const L1dEviction&> evicted;
  EventPort<const L1dStore&> stored;

  bool tick() override;
  void settle() override;
  void report(StatSink& sink) const;
  using sc_module::trace;
  void trace(WaveSink& sink);

 private:
  struct Access {
    tlm::tlm_generic_payload* payload = nullptr;
    Cycle ready = 0;  ///< looked up at this cycle at the earliest
  };
  /// Who sent the request that the MSHR has not accepted yet.
  enum class Sender : std::uint8_t { kNone, kPipe, kBypass, kWriteback };
  /// State of the pipe's exit at an edge, for waves.
  enum class Head : std::uint8_t { kEmpty, kHit, kPendingHit, kMiss, kStore, kBlocked, kQueued };
  struct Wave {
    std::uint64_t pipe = 0;
    std::uint64_t head = 0;
    std::uint64_t blocked = 0;
    std::uint64_t bypass = 0;
  };
  static constexpr unsigned kBypassDepth = 2;

  TargetPort::Gate::Answer admit(tlm::tlm_generic_payload& payload) override;
  TargetPort::Gate::Answer admit_foreign(tlm::tlm_generic_payload& payload);
  void enter(Ring<Access>& queue, tlm::tlm_generic_payload& payload, bool bypass);
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  Refusal serve_foreign(tlm::tlm_generic_payload& payload, MemoryRequest& request);
  void keep_data(unsigned line, tlm::tlm_generic_payload& response);
  void forget_data(std::uint64_t address, unsigned bytes);
  void foreign_answered(std::uint64_t line);
  Refusal why_full(bool bypass) const;
  SectorMask sectors_of(const tlm::tlm_generic_payload& payload) const;

  void finish_withheld_send();
  void write_response();
  void pass_response();
  bool response_under_way(std::uint64_t line) const;
  /// Counts for the L1D and for the launch of `request`.
  void count(const MemoryRequest& request, std::uint64_t L1dCounts::*figure);
  void note_filler(LineIndex line, WarpSlot warp);
  /// `filler` is what the tags know; what is told comes from the hardware that keeps it.
  unsigned told_filler(LineIndex line, unsigned filler);
  /// `cause`: whose access takes the line's place.
  void evict(const Eviction& eviction, unsigned line, const MemoryRequest& cause);

  void send_requests();
  void serve_pipe();
  bool replay_turn(bool pipe_waits);
  void serve_replay();
  bool rotates_only(bool had_response) const;
  void rotate_until(Cycle cycle);
  Refusal why_not_now(const tlm::tlm_generic_payload& payload, const MemoryRequest& request) const;
  Refusal wait_for_replay(tlm::tlm_generic_payload& payload, const MemoryRequest& request, Refusal reason);
  void leave_exit();
  Refusal serve(tlm::tlm_generic_payload& payload, MemoryRequest& request);
  Refusal look_up(tlm::tlm_generic_payload& payload, MemoryRequest& request);
  void respond(tlm::tlm_generic_payload& payload);
  Refusal answer(tlm::tlm_generic_payload& payload);
  Refusal send_from_pipe(tlm::tlm_generic_payload& payload);
  void left_for_mshr(tlm::tlm_generic_payload& payload, MemoryRequest& request);
  void serve_bypass();
  void bypass_left();
  void serve_writebacks();
  bool send(tlm::tlm_generic_payload& payload, Sender sender);
  bool head_waits_for_message() const;
  /// `had_response`: one was visible at this edge, even if it has been passed on.
  bool awake_next(bool had_response);
  void tell_access(const tlm::tlm_generic_payload& payload, const MemoryRequest& request, L1dOutcome outcome,
                   unsigned line_warp, Refusal refusal = Refusal::kNone);
  void tell_load_left(const MemoryRequest& request, L1dOutcome outcome) const {
    if (load_left.heard() && request.stands_for == nullptr) load_left.fire(request, outcome);
  }
  void tell_store(const tlm::tlm_generic_payload& payload, const MemoryRequest& request, bool invalidated);
  void charge_blocked(Cycle cycle);
  [[gnu::cold]] void update_wave();

  L1dConfig config_;
  unsigned latency_cycles_;
  std::uint16_t sm_;
  TagArray tags_;
  std::unique_ptr<LineOwners> line_warps_;  ///< of schedulers that need them
  Ring<Access> pipe_;
  Ring<Access> bypass_;
  Ring<Access> writebacks_;  ///< evicted modified lines not yet sent
  Sender withheld_ = Sender::kNone;
  Head head_ = Head::kEmpty;
  Refusal blocked_ = Refusal::kNone;  ///< why the access at the pipe's exit did not leave at the last edge
  bool hit_answered_ = false;         ///< the last response was a hit's: one from the MSHR goes next
  bool bypass_sent_ = false;          ///< the last request was a bypass's: the pipe goes next
  bool line_under_way_ = false;  ///< why the last look-up found its line reserved: a response to be passed on
  bool written_ = false;         ///< the front response has been written into the tags, not passed on
  Cycle charged_until_ = 0;      ///< last cycle charged to blocked_
  MissReplay* replay_ = nullptr;
  MshrReady* ready_ = nullptr;
  bool replaying_ = false;       ///< the access being looked up comes from replay_, not from the pipe
  bool replayed_ = false;        ///< the last look-up was one of replay_: the pipe goes next
  bool passed_over_ = false;     ///< one of replay_ was looked up while an access was at the pipe's exit
  bool rotate_later_ = false;    ///< replay_'s front becomes the last if the pipe pushes nothing at this edge
  bool rotates_asleep_ = false;  ///< while it sleeps replay_ rotates in every cycle: made up later
  Cycle rotated_until_ = 0;      ///< then: the last cycle in which it has been rotated
  Cycle timer_ = 0;              ///< cycle of the last timer set
  unsigned writebacks_in_flight_ = 0;
  PayloadPool pool_;
  ForeignRequests foreign_;
  std::unique_ptr<LineData> data_;            ///< once a standard initiator has brought in a line
  std::vector<std::uint64_t> foreign_lines_;  ///< of each standard initiator's access that is under way
  std::vector<std::uint64_t> overwritten_;    ///< of these, each once: their bytes have changed since

  L1dCounts counters_;
  std::array<std::uint64_t, kNumRefusals> blocked_cycles_{};
  std::array<std::uint64_t, kNumRefusals> blocked_accesses_{};
  std::unique_ptr<Wave> wave_;
};

}  // namespace heddle
