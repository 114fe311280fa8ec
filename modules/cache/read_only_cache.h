#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "base/observe.h"
#include "base/ring.h"
#include "modules/cache/tag_array.h"
#include "modules/messages/memory_request.h"
#include "tlm/clocked.h"
#include "tlm/memory_port.h"

namespace heddle {

/// A cache that is only read: L1 instruction cache, constant cache. Never blocks; misses of one line share
/// one of `mshr_entries` entries; a line is allocated when it arrives (gtx480.md, "SM pipeline").
///
/// Its owner (it ticks after kMemory, in the same clock domain) calls access() in its tick. Timing: a miss at
/// edge t sends its BEGIN_REQ at t + 1 at the earliest, one a cycle; a line whose response is visible at edge
/// t hits from t + 1 on, and filled() is called at t + 1 before the owner ticks, at which edge the owner is
/// awake.
class ReadOnlyCache : public sc_core::sc_module, public Clocked {
 public:
  enum class Access : std::uint8_t {
    kHit,
    kMissPending,  ///< being fetched: filled() will be called with its line
    kRefused,      ///< no free MSHR entry; may succeed from the next filled() or release() on
  };

  /// Whose cache it is: marks its requests.
  struct Identity {
    RequestKind kind = RequestKind::kInstruction;
    Requester requester = Requester::kL1i;
    std::uint16_t sm = 0;
  };

  /// The owner's side. It is woken for the edge at which filled() is called.
  class Listener {
   public:
    virtual ~Listener() = default;
    /// True: the line's MSHR entry stays in use until release(), as long as those that waited are served.
    virtual bool filled(std::uint64_t line_address) = 0;
  };

  /// Errors: those of TagArray; `mshr_entries` 0; lines above kLineBytes; an owner of another clock.
  ReadOnlyCache(const sc_core::sc_module_name& name, ClockDomain& domain, const CacheConfig& config,
                unsigned mshr_entries, const Identity& identity, Clocked& owner, Listener& listener);

  /// Reads of whole lines.
  InitiatorPort memory;
  /// Fires when a fetch has ended, before its payload is released.
  Probe<const MemoryRequest&> completed;

  /// Looks up the line of `address`; on a miss begins to fetch it, on account of `counts`.
  Access access(std::uint64_t address, LaunchCounts* counts = nullptr);
  /// Frees the MSHR entry of a line for which filled() returned true.
  void release(std::uint64_t line_address);
  /// Drops all lines.
  void flush() {
    tags_.flush();
    last_line_ = kNoLine;
  }
  std::uint64_t line_address(std::uint64_t address) const { return tags_.line_address(address); }
  /// No MSHR entry in use.
  bool idle() const { return used_entries_ == 0; }

  bool tick() override;
  void report(StatSink& sink) const;
  using sc_module::trace;
  void trace(WaveSink& sink);

 private:
  struct Entry {
    std::uint64_t line = 0;
    tlm::tlm_generic_payload* payload = nullptr;  ///< nullptr: has come
    bool used = false;
  };

  /// The one that waits for the line; nullptr when none does.
  Entry* entry_of(std::uint64_t line);
  void finish_fill();
  void send_oldest();

  TagArray tags_;
  Identity identity_;
  Clocked& owner_;
  Listener& listener_;
  PayloadPool pool_;
  std::vector<Entry> entries_;
  Ring<unsigned> unsent_;  ///< entry numbers in order of their misses
  unsigned used_entries_ = 0;
  /// The line that was touched last, which needs no look-up: it is there and its set's youngest.
  static constexpr std::uint64_t kNoLine = ~std::uint64_t{0};
  std::uint64_t last_line_ = kNoLine;
  tlm::tlm_generic_payload* arrived_ = nullptr;  ///< response taken at the last edge, filled at the next
  std::uint64_t next_id_ = 0;
  std::uint64_t hits_ = 0;
  std::uint64_t pending_hits_ = 0;
  std::uint64_t misses_ = 0;
  std::uint64_t wave_used_entries_ = 0;
};

}  // namespace heddle
