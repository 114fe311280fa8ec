#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/observe.h"
#include "modules/cache/read_only_cache.h"
#include "modules/config/gpu_config.h"
#include "modules/ldst_unit/coalescer.h"
#include "modules/ldst_unit/constant_reads.h"
#include "modules/ldst_unit/request_lifetimes.h"
#include "modules/ldst_unit/result_pipe.h"
#include "modules/ldst_unit/shared_banks.h"
#include "modules/ldst_unit/texel_lines.h"
#include "modules/messages/warp_instruction.h"
#include "tlm/clocked.h"
#include "tlm/memory_port.h"

namespace heddle {

/// Hears when the memory system has acknowledged stores of a warp. Called in the LD/ST unit's tick.
class StoreAckListener {
 public:
  virtual ~StoreAckListener() = default;
  virtual void stores_done(unsigned warp, unsigned count) = 0;
};

/// What an instruction needs of the LD/ST unit.
struct LdstWork {
  /// Accesses to the L1D, cycles of the shared-memory banks, reads of the constant cache, or lines of
  /// textures.
  unsigned parts = 0;
  std::uint64_t moved_bytes = 0;  ///< of the accesses to the L1D
};

/// The load/store unit of an SM (gtx480.md, "Memory instructions, coalescing").
///
/// One instruction is in the dispatch register: offered at edge t it starts at t + 1, or at the edge after
/// the one at which its predecessor leaves; acceptance is withheld until then. While it is there, - global
/// and local: each edge sends an access to the L1D, unless the last one is withheld; - shared: the banks take
/// SharedBanks::cycles(); the result comes shared_latency_cycles after the last; - params and constants: each
/// edge reads one line, or one word with ldst.constant_word_turns. A miss goes on without its line, unless
/// the constant cache's MSHR has no place for it (ConstantReads); - textures: each edge sends the line of
/// some texels to the texture cache (TexelLines), unless the last one is withheld; the result is there when
/// the last line's response has come. When all were found, the registers are there at the edge of the last
/// read, and no write-back slot is taken (WarpInstruction::direct). It leaves at the edge at which the L1D
/// accepts its last access, or the banks or the cache serve its last part. Stores and reductions are complete
/// then (BEGIN_RESP). Loads and atomics are complete when the last response has come and they get the
/// write-back slot, which takes one result a cycle: shared, texture, constant and global results take turns,
/// and each line of constants that an instruction waited for takes the slot once. A response visible at an
/// edge is handed to write-back at that edge. The L1D must tick before this unit.
///
/// Every cycle with an instruction in the register is charged to one Cause.
class LdstUnit : public sc_core::sc_module,
                 public Clocked,
                 private IssueTarget,
                 private ReadOnlyCache::Listener {
 public:
  /// What the instruction in the register did at an edge.
  enum class Cause : std::uint8_t {
    kIdle,            ///< no instruction
    kProgress,        ///< its last access was accepted, its last word served
    kCoalescing,      ///< one of several accesses (or reads of constants) was served, others follow, or the
                      ///< L1D's input was busy with earlier accesses
    kMshr,            ///< the L1D is held up by MSHR entries, merges or reserved lines
    kInterconnect,    ///< the L1D is held up by a full miss queue
    kSharedConflict,  ///< further cycles of shared memory banks follow
    kConstantMiss,    ///< the constant cache's MSHR has no place for a miss
    kWriteback,       ///< the result has no place, since earlier ones wait for the write-back slot
    kReplay,          ///< the L1D is held up by its re-execution queue
    kTextureAddress,  ///< lines of further texels follow
    kTextureCache,    ///< the texture cache has no place for the line
  };
  static constexpr unsigned kNumCauses = 11;

  /// `sm` is the SM's number, 0 <= sm < config.core.sms. `pool` makes the payloads of the L1D's accesses.
  /// Throws std::invalid_argument for latencies of 0 and for the errors of Coalescer and SharedBanks.
  LdstUnit(const sc_core::sc_module_name& name, ClockDomain& domain, const GpuConfig& config, unsigned sm,
           PayloadPool& pool);

  /// From the operand collector.
  IssueTargetSocket dispatch;
  /// Global and local accesses, one coalesced access a payload.
  InitiatorPort l1d;
  /// Lines of textures, to the texture cache.
  InitiatorPort texture;
  /// Params and constants; its `memory` port goes to the SM's memory port.
  ReadOnlyCache constant_cache;

  /// Stores and reductions of the warp that were handed to the L1D and not yet acknowledged. One that is not
  /// complete yet (no BEGIN_RESP) may still add to it: a warp has no store left when none of its instructions
  /// is in flight and this is 0.
  unsigned outstanding_stores(unsigned warp) const { return outstanding_stores_[warp]; }
  void set_store_ack_listener(StoreAckListener* listener) { store_ack_listener_ = listener; }

  bool tick() override;
  void settle() override;
  void report(StatSink& sink) const;
  using sc_module::trace;
  void trace(WaveSink& sink);

  /// A global or local load that is not looked up in the L1D.
  bool bypasses_l1d(const Instruction& load) const {
    return load.cache == CacheOp::kGlobalLevel || !l1d_enabled_;
  }
  std::uint64_t cycles(Cause cause) const { return cause_cycles_[static_cast<unsigned>(cause)]; }
  const RequestLifetimes& lifetimes() const { return lifetimes_; }

  /// Nothing is offered, processed, in the pipelines, or expected from memory (store acks included).
  bool idle() const;

  /// An instruction was started.
  Probe<const WarpInstruction&, const LdstWork&> started;
  /// A global or local load was coalesced into these accesses, at the given cycle.
  EventPort<const WarpInstruction&, const AccessList&, Cycle> load_coalesced;
  /// An access was sent to the L1D, at the given cycle.
  Probe<const tlm::tlm_generic_payload&, Cycle> access_issued;
  /// The response to an access has come, at the given time: its MemoryRequest has finished.
  Probe<const tlm::tlm_generic_payload&, const MemoryRequest&, Ticks> access_ended;
  /// A load or atomic handed its result to write-back, at the given cycle.
  EventPort<const WarpInstruction&, Cycle> load_completed;

 private:
  /// Who works on the instruction in the register.
  enum class Path : std::uint8_t { kNone, kGlobal, kShared, kConstant, kTexture, kNothing };
  /// Sources of results for the write-back slot.
  enum class Source : std::uint8_t { kShared, kTexture, kConstant, kGlobal };
  static constexpr unsigned kNumSources = 4;

  struct Counters {
    std::array<std::uint64_t, 5> by_op{};  ///< indexed by MemOp
    std::uint64_t shared = 0;
    std::uint64_t constant = 0;
    std::uint64_t texture = 0;
    std::uint64_t texture_lines = 0;
    std::uint64_t accesses = 0;
    std::uint64_t access_lanes = 0;
    std::uint64_t global = 0;
    std::uint64_t load_cycles = 0;  ///< from issue to write-back
    std::uint64_t loads_done = 0;
  };
  struct Wave {
    std::uint64_t path = 0;
    std::uint64_t cause = 0;
    std::uint64_t warp = 0;
    std::uint64_t remaining = 0;
  };

  tlm::tlm_sync_enum nb_transport_fw(WarpInstruction& instruction, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  bool filled(std::uint64_t line_address) override;

  void start(WarpInstruction& instruction);
  [[gnu::cold]] void tell_start(const WarpInstruction& instruction) const;
  void start_global(const WarpInstruction& instruction);
  void start_constant(const WarpInstruction& instruction);
  void start_texture(const WarpInstruction& instruction);
  Cause serve(Cycle now);
  Cause serve_global(Cycle now);
  Cause access_accepted();
  void send_access(Cycle now);
  Cause serve_shared(Cycle now);
  Cause serve_constant(Cycle now);
  bool read_constant();
  Cause serve_texture();
  void send_line();
  void take_texture_response();
  /// Leaves the register with a result that needs no memory, through `pipe`.
  Cause leave_through(ResultPipe& pipe, Cycle now);
  Cause leave_with_nothing();
  void leave();

  /// The response completes the instruction that is still in the register: a foreign cache has answered the
  /// last access in place of its acceptance. The instruction leaves at this edge and ends at the next.
  bool ends_register(const MemoryRequest& request) const {
    return request.waiting != nullptr && request.waiting == register_ && register_->parts_awaited == 1;
  }
  void take_response();
  void account(tlm::tlm_generic_payload& payload, MemoryRequest& request);
  void write_back(Cycle now);
  bool result_ready(Source source, Cycle now) const;
  /// The instruction whose result was taken; nullptr while it waits for other parts.
  WarpInstruction* take_result(Source source);
  WarpInstruction* take_constant();
  void finish_load(WarpInstruction& instruction, Cycle now);
  void complete(WarpInstruction& instruction);
  unsigned remaining() const;
  /// Charges the cycles up to `cycle`, which were slept, to the cause that held.
  void charge_held(Cycle cycle);
  [[gnu::cold]] void update_wave();

  PayloadPool& pool_;
  const std::uint16_t sm_;
  const bool l1d_enabled_;
  const std::uint64_t threads_;      ///< that the SM holds
  const std::uint64_t gpu_threads_;  ///< that all SMs hold
  Coalescer coalescer_;
  SharedBanks banks_;

  WarpInstruction* register_ = nullptr;  ///< being processed, or starts at the next edge
  Ticks offered_at_ = 0;                 ///< when the register was empty the last time
  WarpInstruction* offered_ = nullptr;   ///< acceptance withheld
  Path path_ = Path::kNone;              ///< kNone: not started
  AccessList accesses_;
  unsigned next_access_ = 0;
  Cause held_ = Cause::kIdle;  ///< what the instruction in the register is charged to while this sleeps
  Cycle charged_until_ = 0;    ///< last cycle charged
  bool handing_over_ = false;  ///< the L1D withholds acceptance of accesses_[next_access_]
  Ticks generated_at_ = 0;
  unsigned bank_cycles_left_ = 0;
  const bool constant_word_turns_;
  std::array<std::uint64_t, kWarpSize> constants_{};  ///< distinct addresses, of lines or of words
  unsigned num_constants_ = 0;
  unsigned next_constant_ = 0;
  std::uint64_t constant_line_ = 0;  ///< the line last found or waited for, when line_known_
  bool line_known_ = false;
  ConstantReads constant_reads_;

  TexelLines texel_lines_;
  unsigned next_line_ = 0;
  std::uint64_t lines_in_flight_ = 0;  ///< sent to the texture cache and not answered
  WarpInstruction* texture_result_ = nullptr;

  ResultPipe shared_pipe_;
  WarpInstruction* global_result_ = nullptr;
  Source last_source_ = Source::kGlobal;

  std::vector<std::uint32_t> outstanding_stores_;
  StoreAckListener* store_ack_listener_ = nullptr;
  std::uint64_t next_access_id_ = 0;
  std::uint64_t in_flight_ = 0;  ///< accesses sent and not answered

  std::array<std::uint64_t, kNumCauses> cause_cycles_{};
  Counters counters_;
  RequestLifetimes lifetimes_;
  std::unique_ptr<Wave> wave_;
};

}  // namespace heddle
