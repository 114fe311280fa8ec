#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "base/observe.h"
#include "base/ring.h"
#include "modules/cache/line_owners.h"
#include "modules/counts/l2_counts.h"
#include "modules/memory_partition/address_map.h"
#include "modules/memory_partition/l2_cache.h"
#include "tlm/clocked.h"
#include "tlm/memory_port.h"

namespace heddle {

/// One L2 slice with its queues (gtx480.md, "L2"), in the L2 clock domain. Requests come over `port`, one
/// payload for a line's sectors; what misses is fetched and written back over `dram`, which takes any
/// base-protocol target, at absolute addresses.
///
/// A request that the slice takes at cycle c can be looked up at c + input_delay_cycles (c + 1 at the
/// earliest), one request at a time. One for k sectors holds the port for k cycles (atomics: 2k). The reply
/// to a hit may leave hit_latency_cycles after the lookup: the network sends the sectors on as they come. A
/// miss sends its fetch in the cycle after the lookup at the earliest, and its reply in the cycle after the
/// fill came. A refused head of the queue is tried again every cycle.
///
/// The slice keeps no data. Those of standard initiators (payloads without MemoryRequest) are in the memory
/// behind `dram`, read and written by its debug transport when the access is looked up, in the order of
/// arrival, so that what a read returns does not depend on when that memory moves data. A write-back carries
/// a copy of its data, taken when it is sent; a write of a standard initiator to its bytes waits until it was
/// answered, b_transport in the call, while debug transport does nothing then and returns 0. Until the first
/// such access debug transport is not used and write-backs carry zeros: values of the GPU's own accesses live
/// elsewhere. A foreign memory without debug transport at the address is a TLM_ADDRESS_ERROR_RESPONSE.
class L2Slice : public sc_core::sc_module, public Clocked, public TargetPort::Backdoor {
 public:
  /// `map` must outlive the slice. Throws std::invalid_argument naming the key for sizes that do not work.
  L2Slice(const sc_core::sc_module_name& name, ClockDomain& domain, const L2Config& config,
          const AddressMap& map);

  TargetPort port;
  InitiatorPort dram;

  /// Lines are noted as brought in by sm << kWarpBits | warp slot.
  static constexpr unsigned kWarpBits = 16;

  bool tick() override;
  void settle() override;
  void report(StatSink& sink) const;
  using sc_module::trace;
  void trace(WaveSink& sink);

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

  /// Puts the line of `address` in, valid and clean, at no cost: host copies go through the L2.
  void install(std::uint64_t address);
  /// Leaves the line of `address` as an access does, at no cost: what is executed without timing goes
  /// through.
  void warm(std::uint64_t address, SectorMask sectors, bool writes);
  /// Keeps the warp that brought in each line in parts of `owner`, and tells loads of it; otherwise it is
  /// known for the statistics only. Before the simulation starts.
  void keep_owners(const hw::Owner& owner, const LineOwnersShape& shape) {
    owners_ = std::make_unique<LineOwners>(owner, shape);
  }
  /// Whether a read of the payload's sectors at `address` would hit.
  bool holds(std::uint64_t address, SectorMask sectors) const {
    return cache_.holds(line_of(address), map_.slice_address(address), sectors);
  }
  /// No request is queued or waiting and nothing is on its way to or from DRAM.
  bool idle() const;

 private:
  /// What the slice does in a cycle; every cycle has exactly one.
  enum class Activity : std::uint8_t {
    kIdle,
    kAccess,
    kLineReserved,
    kMshrEntries,
    kMshrMerges,
    kMissQueue,
    kReplyQueue,
    kWriteBack,  ///< of standard initiators only
  };
  static constexpr unsigned kNumActivities = 8;
  using Origin = LineOrigin;
  static constexpr unsigned kPortDepth = 2;  ///< the hop's own places: one request every cycle

  struct Input {
    tlm::tlm_generic_payload* payload = nullptr;
    Cycle ready = 0;
    unsigned sectors = 0;
    bool data_moved = false;  ///< of a standard initiator
  };
  struct Reply {
    tlm::tlm_generic_payload* payload = nullptr;
    Cycle ready = 0;
    unsigned sectors = 0;
  };
  struct Miss {
    std::uint64_t address = 0;
    unsigned line = 0;
    SectorMask sectors = 0;
    bool write = false;
    Ticks since = 0;
  };
  struct Counts : L2Counts {
    std::uint64_t writebacks = 0, writeback_sectors = 0;
    std::array<std::uint64_t, kNumActivities> cycles{};
  };
  struct Wave {
    std::uint64_t input = 0, queue = 0, miss_queue = 0, reply_queue = 0, mshr_sectors = 0, activity = 0;
  };

  static std::uint64_t line_of(std::uint64_t address) { return address / kLineBytes * kLineBytes; }
  void send_reply(Cycle now);
  void send_miss(Cycle now);
  void take_writeback_data(tlm::tlm_generic_payload& payload);
  void take_fill(Cycle now);
  void release_completed(Cycle now);
  void lookup(Cycle now);
  void accept(Cycle now);
  void advance_queue(Cycle now);
  /// What becomes of a standard initiator's access before its lookup.
  enum class Foreign : std::uint8_t { kLooksUp, kWaits, kAnswered };
  Foreign begin_foreign(Input& input, Cycle now);
  /// Whether a write-back of some of the bytes has been sent and not been answered.
  bool writing_back(std::uint64_t address, unsigned bytes) const;
  void writeback_answered(const tlm::tlm_generic_payload& payload);
  void finish_lookup(const Input& input, const L2Access& access, const L2Outcome& outcome, Cycle now);
  void replay_dram_times(const MemoryRequest& fetch, MemoryRequest& request) const;
  void push_reply(tlm::tlm_generic_payload& payload, unsigned sectors, Cycle ready);
  void count_access(tlm::tlm_generic_payload& payload, const L2Access& access, const L2Outcome& outcome);
  static Origin origin_of(std::uint32_t filler, const L2Access& access);
  /// What a load is told of the line that it found.
  Origin told_origin(const MemoryRequest& request, const L2Access& access, const L2Outcome& outcome,
                     Cycle now);
  void note_owner(const MemoryRequest* request, const L2Access& access, LineIndex line, Cycle now);
  void charge(Cycle until);
  [[gnu::cold]] void update_wave(Cycle now);
  Cycle next_cycle(Cycle now) const;
  bool queue_has_room() const { return queue_sectors_ + kSectorsPerLine <= config_.queue; }
  bool reply_has_room(unsigned sectors) const { return reply_sectors_ + sectors <= config_.queue; }
  unsigned free_misses() const { return config_.miss_queue - misses_.size(); }
  Ticks time_of(Cycle cycle) const { return cycle * domain().period_ticks(); }

  L2Config config_;
  const AddressMap& map_;
  L2Cache cache_;
  std::unique_ptr<LineOwners> owners_;  ///< of schedulers that need them
  PayloadPool pool_;
  static constexpr unsigned kUsualPlaces = 16;
  Ring<Input> inputs_{kUsualPlaces};  ///< the first queued_ are in the queue, the others in the input delay
  unsigned queued_ = 0;
  unsigned queue_sectors_ = 0;
  Ring<Miss> misses_{kUsualPlaces};
  Ring<Reply> replies_{kUsualPlaces};
  unsigned reply_sectors_ = 0;
  unsigned dram_unanswered_ = 0;  ///< fetches and write-backs sent
  std::vector<const tlm::tlm_generic_payload*> writebacks_unanswered_;
  bool serves_foreign_ = false;           ///< a standard initiator has sent something
  sc_core::sc_event writeback_answered_;  ///< for b_transport, while writebacks_awaited_
  unsigned writebacks_awaited_ = 0;       ///< calls of b_transport that wait for write-backs
  Cycle port_free_ = 0;
  Cycle fill_free_ = 0;
  Activity activity_ = Activity::kIdle;  ///< in the cycles from port_free_ on
  Cycle charged_until_ = 1;              ///< the first edge is cycle 1
  Counts counts_;
  std::unique_ptr<Wave> wave_;
};

}  // namespace heddle
