#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "base/observe.h"
#include "base/ring.h"
#include "modules/config/gpu_config.h"
#include "modules/messages/foreign_requests.h"
#include "modules/messages/memory_events.h"
#include "modules/messages/memory_request.h"
#include "modules/messages/miss_replay.h"
#include "modules/messages/tick_order.h"
#include "modules/mshr/line_table.h"
#include "tlm/clocked.h"
#include "tlm/memory_port.h"

namespace heddle {

/// Miss status holding registers of an L1D, with its miss queue (gtx480.md, "L1D").
///
/// A cacheable read takes an entry for its line (and is marked MemoryRequest::primary) or joins the entry
/// that its line has; everything else only passes through the miss queue. A request for which there is no
/// place is refused by withheld END_REQ, and MemoryRequest::refusal says why at every edge.
///
/// Standard initiators are served too, through an L1D or directly; their reads within a line fetch all of it.
/// The bytes of a line that comes back go to every one of their loads that waits for it. Their accesses to
/// one line keep their order: a store is refused (kMshrMerges) while the line is being fetched, a load while
/// a store to it is unanswered, or the line is fetched for the GPU's own load, which brings no bytes.
///
/// Timing, in edges: a request sent to the MSHR at t is accepted at t if it finds its place then (the MSHR
/// has ticked already, see tick_order::kMshr), and leaves the miss queue by `memory` at t + 1 at the
/// earliest, one a cycle in order (a standard initiator's is accepted at t + 1). A response that `memory`
/// shows at t is passed to `cache` at t, one a cycle; those merged with it follow, and their entry is free
/// from the edge of the last one on.
class Mshr : public sc_core::sc_module,
             public Clocked,
             public MshrReady,
             private TargetPort::Gate,
             private TargetPort::Backdoor {
 public:
  /// `line_bytes` is that of the cache. Throws std::invalid_argument when a size is 0, or `line_bytes` is no
  /// power of two up to kLineBytes.
  Mshr(const sc_core::sc_module_name& name, ClockDomain& domain, const MshrConfig& config,
       unsigned line_bytes);

  /// From the L1D, which ticks after the MSHR at an edge of the same clock, or a standard initiator.
  TargetPort cache;
  InitiatorPort memory;  ///< to the SM's memory port

  bool has_room() const override { return !free_.empty() && !queue_.full(); }
  Refusal refusal_of(const tlm::tlm_generic_payload& load) const override;
  bool fetches(const tlm::tlm_generic_payload& load) const override {
    return lines_.find(line_of(load)) != LineTable::kNone;
  }
  void call(Clocked& waiting) override { waiting_ = &waiting; }

  unsigned used_entries() const { return used_entries_; }
  unsigned queued_misses() const { return queue_.size(); }
  /// No entry used and nothing queued; requests that only passed through may still be on their way.
  bool idle() const { return used_entries_ == 0 && queue_.empty() && refused_.empty(); }

  /// Entries were taken or freed, or places of the miss queue, in the present cycle.
  EventPort<const MshrRoom&> room_changed;
  /// Data of a load came from `memory` and were taken in the present cycle.
  EventPort<const L2Reply&> replied;

  bool tick() override;
  void settle() override;
  void report(StatSink& sink) const;
  using sc_module::trace;
  void trace(WaveSink& sink);

 private:
  /// One line being fetched.
  struct Entry {
    explicit Entry(unsigned merges) : waiting(merges) {}
    std::uint64_t line = 0;
    Ring<tlm::tlm_generic_payload*> waiting;  ///< requests for it, the primary first
    std::uint16_t warp = 0;                   ///< of the primary
    bool may_join = false;  ///< a standard initiator's load may: the fetch brings the bytes as they are now
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;  ///< that the line came with
  };
  struct Wave {
    std::uint64_t used = 0;
    std::uint64_t free = 0;
    std::uint64_t queued = 0;
    std::uint64_t refusal = 0;
  };

  TargetPort::Gate::Answer admit(tlm::tlm_generic_payload& payload) override;
  TargetPort::Gate::Answer admit_foreign(tlm::tlm_generic_payload& payload);
  TargetPort::Gate::Answer admit(tlm::tlm_generic_payload& payload, MemoryRequest& request);
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  void bytes_changed(std::uint64_t address, unsigned bytes);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  bool has_to_wait(const tlm::tlm_generic_payload& load, MshrEntryId entry) const;
  void keep_bytes(MshrEntryId entry, tlm::tlm_generic_payload& response);
  void store_answered(const tlm::tlm_generic_payload& payload);
  void answer_refused();
  unsigned char* bytes_of(MshrEntryId entry) {
    return &line_bytes_held_[std::size_t{entry.value()} * line_bytes_];
  }
  void respond(tlm::tlm_generic_payload& payload, const MemoryRequest& request);
  Refusal place(tlm::tlm_generic_payload& payload, MemoryRequest& request);
  std::uint64_t line_of(const tlm::tlm_generic_payload& payload) const {
    return payload.get_address() & ~std::uint64_t{line_bytes_ - 1};
  }
  void take_line();
  void tell_reply(const MemoryRequest& request);
  void respond_merged();
  void free_drained_entry();
  void tell_room();
  void charge_occupancy();
  void charge_refusal();
  [[gnu::cold]] void update_wave();

  MshrConfig config_;
  unsigned line_bytes_;
  LineTable lines_;
  std::vector<Entry> entries_;
  std::vector<MshrEntryId> free_;  ///< a stack
  unsigned used_entries_ = 0;

  Ring<tlm::tlm_generic_payload*> queue_;  ///< miss queue

  ForeignRequests foreign_;
  Ticks foreign_offered_at_ = 0;
  std::vector<tlm::tlm_generic_payload*> refused_;  ///< carried ones, to be answered with an error
  std::vector<std::uint64_t> foreign_stores_;       ///< lines of those sent on and not answered
  std::vector<unsigned char> line_bytes_held_;      ///< by entry: what a foreign one's line came with

  Ring<MshrEntryId> ready_;  ///< entries whose line is back, in order of arrival

  Clocked* waiting_ = nullptr;  ///< to be called

  unsigned told_entries_;  ///< as last published
  unsigned told_queue_;

  Refusal refusal_ = Refusal::kNone;  ///< of the withheld request
  Cycle refused_since_ = 0;           ///< first cycle not yet charged to refusal_
  Cycle occupancy_since_ = 0;
  unsigned peak_entries_ = 0;
  std::uint64_t entry_cycles_ = 0;
  std::uint64_t full_cycles_ = 0;
  std::uint64_t primary_misses_ = 0;
  std::uint64_t merged_misses_ = 0;
  std::uint64_t passed_ = 0;
  std::array<std::uint64_t, kNumRefusals> refused_cycles_{};
  std::unique_ptr<Wave> wave_;
};

}  // namespace heddle
