#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "base/observe.h"
#include "base/ring.h"
#include "modules/cache/tag_array.h"
#include "modules/config/gpu_config.h"
#include "modules/messages/memory_request.h"
#include "tlm/clocked.h"
#include "tlm/memory_port.h"

namespace heddle {

/// What the look-up of a line found.
enum class TextureOutcome : std::uint8_t {
  kHit,
  kPending,  ///< the line is being fetched
  kMiss,     ///< the line begins to be fetched
};

/// Texture cache of an SM, read only: its tags run ahead of its data (Igehy, Eldridge, Proudfoot,
/// "Prefetching in a Texture Cache Architecture", 1998; gtx480.md, "Textures").
///
/// A line that is looked up goes through a FIFO, whether it was found or not, and is answered in order at the
/// FIFO's end. A miss gives its line to the new address at once, sends a request and takes an entry of the
/// reorder buffer; at the FIFO's end it waits for its data. Misses are thus under way while the lines before
/// them are waited for, and a hit behind a miss takes as long as the miss: what is found here saves
/// bandwidth. A line is refused by withheld END_REQ while FIFO, request queue or reorder buffer is full.
///
/// A standard initiator at `cpu` may read within a line: it takes the times and counts of the GPU's own
/// look-up, and gets the bytes that memory has when it is answered, by debug transport: a foreign memory that
/// has not all of them is a TLM_ADDRESS_ERROR_RESPONSE. Its writes are refused. Loosely timed reads go
/// through, of any length, and take the times that they take in an idle cache: `latency_cycles`, or, without
/// a line that has all of it, the memory's time and a cycle each way, whichever is longer. They bring no line
/// in and are not counted.
///
/// Timing, in edges, of a line sent to `cpu` at t and accepted then: it is looked up at t + 1; a miss is sent
/// to `memory` at t + 1 at the earliest, one a cycle; the line is answered at t + latency_cycles - 1 at the
/// earliest, one a cycle, which the initiator sees at t + latency_cycles. Data that `memory` shows at t can
/// be answered at t.
class TextureCache : public sc_core::sc_module,
                     public Clocked,
                     private TargetPort::Gate,
                     private TargetPort::Backdoor {
 public:
  /// Throws SettingError for sizes of 0 and a latency below 2, std::invalid_argument for TagArray's errors
  /// and lines above kLineBytes.
  TextureCache(const sc_core::sc_module_name& name, ClockDomain& domain, const TextureConfig& config,
               std::uint16_t sm);

  /// From the LD/ST unit, which ticks after this cache at an edge of the same clock: reads of whole lines; or
  /// a standard initiator.
  TargetPort cpu;
  InitiatorPort memory;  ///< to the SM's memory port

  /// A line of the GPU's own was looked up.
  Probe<const MemoryRequest&, TextureOutcome> looked_up;
  /// The data of a fetch has come, at the given time: its MemoryRequest has finished. Its life begins with
  /// the look-up's in the LD/ST unit; while the line waits for its look-up it is in Stage::kL1d, and in
  /// Stage::kMshr while it waits for the request queue.
  Probe<const tlm::tlm_generic_payload&, const MemoryRequest&, Ticks> fetch_ended;

  /// Drops all lines: textures are not coherent with stores, and are read afresh by each kernel.
  void flush() { tags_.flush(); }
  bool idle() const { return fifo_.empty() && input_ == nullptr && cpu.no_requests(); }

  bool tick() override;
  void settle() override {}
  void report(StatSink& sink) const;
  using sc_module::trace;
  void trace(WaveSink& sink);

 private:
  static constexpr std::uint64_t kNoFetch = ~std::uint64_t{0};
  /// A line that was looked up.
  struct Fragment {
    tlm::tlm_generic_payload* payload = nullptr;
    Cycle due = 0;                   ///< answered at this cycle at the earliest
    std::uint64_t fetch = kNoFetch;  ///< of a miss: its number
  };

  TargetPort::Gate::Answer admit(tlm::tlm_generic_payload& payload) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

  void take_fill();
  void answer(Cycle now);
  void read_data(tlm::tlm_generic_payload& payload);
  void look_up(Cycle now);
  TextureOutcome find(std::uint64_t line, Cycle due, tlm::tlm_generic_payload& payload);
  void fetch(std::uint64_t line, const MemoryRequest* request);
  void send();
  /// Whether the data of fetch `number` have come.
  bool arrived(std::uint64_t number) const {
    return number < first_fetch_ || arrived_[number % arrived_.size()];
  }
  std::uint64_t fetches_under_way() const { return next_fetch_ - first_fetch_; }

  TagArray tags_;
  const std::uint16_t sm_;
  const Cycle latency_;
  PayloadPool pool_;
  tlm::tlm_generic_payload* input_ = nullptr;  ///< accepted at cycle input_since_, looked up after it
  Cycle input_since_ = 0;
  Ring<Fragment> fifo_;
  Ring<tlm::tlm_generic_payload*> requests_;
  // The reorder buffer: fetches [first_fetch_, next_fetch_) have not been read.
  std::vector<bool> arrived_;
  std::uint64_t first_fetch_ = 0;
  std::uint64_t next_fetch_ = 0;
  std::vector<std::uint64_t> fetch_of_line_;  ///< by line of the tags

  std::uint64_t hits_ = 0;
  std::uint64_t pending_hits_ = 0;
  std::uint64_t misses_ = 0;
  std::uint64_t wave_fifo_ = 0;
  std::uint64_t wave_fetches_ = 0;
};

}  // namespace heddle
