#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "base/observe.h"
#include "base/ring.h"
#include "modules/cache/read_only_cache.h"
#include "modules/config/gpu_config.h"
#include "modules/messages/warp_mask.h"
#include "tlm/clocked.h"

namespace heddle {

/// Hears what decode has put into the I-buffers.
class DecodeListener {
 public:
  virtual ~DecodeListener() = default;
  /// The empty I-buffer of `warp` has received instructions; they may issue at a strictly later edge.
  virtual void decoded(unsigned warp) = 0;
};

/// Instruction fetch of an SM: I-buffers, L1 instruction cache and the fetch-decode register (gtx480.md,
/// "SM pipeline"). One warp per cycle, round robin, among those that run, have an empty I-buffer and no
/// pending I-miss; fetch_bytes at a time, never across a cache line. Fetched at t, decoded at t + 1, issuable
/// from t + 2.
///
/// A line that has come goes to the warps that waited for it, one a cycle in the order in which they missed,
/// and no other warp is fetched meanwhile; its MSHR is in use until the last has it. A warp that finds no
/// MSHR, or `mshr_merges` warps waiting for its line, has taken its turn for nothing and tries again in the
/// next.
///
/// The issue stage, which ticks before it, calls start(), consume(), redirect() and stop(), with effect at
/// the same edge.
class FetchUnit : public sc_core::sc_module, public Clocked, private ReadOnlyCache::Listener {
  struct Warp {
    std::uint64_t address = 0;  ///< of the next fetch
    std::uint64_t end = 0;      ///< of the code
    LaunchCounts* counts = nullptr;
  };

  struct Miss {
    std::uint64_t line = 0;
    unsigned warp = 0;
  };

  struct Wave {
    std::uint64_t wanting = 0;
    std::uint64_t missing = 0;
    std::uint64_t fetched_warp = 0;
    std::uint64_t buffers = 0;  ///< mask of the warps with a non-empty I-buffer
  };

  // What each tick needs: together, in front of the cache.
  DecodeListener* listener_ = nullptr;
  WarpMask wanting_ = 0;   ///< runs, empty I-buffer, not in the fetch-decode register
  WarpMask missing_ = 0;   ///< part of wanting_: its line is being fetched, or has come
  WarpMask refused_ = 0;   ///< part of wanting_: no MSHR was free, and none has become so
  WarpMask retrying_ = 0;  ///< asleep: the warps that are refused in turn, a cycle each, without a tick
  Cycle ticked_ = 0;       ///< cycle of the last tick
  unsigned start_ = 0;     ///< slot after the one fetched last
  // The fetch-decode register.
  unsigned register_warp_ = kNoWarp;
  unsigned register_count_ = 0;
  WarpMask filled_ = 0;  ///< warps with an instruction in their I-buffer
  unsigned fetch_bytes_;
  unsigned line_bytes_;
  unsigned slots_;
  std::unique_ptr<Wave> wave_;
  std::uint64_t fetches_ = 0;
  std::uint64_t instructions_ = 0;
  Ring<Miss> awaited_{kMaxWarps};  ///< in order of their misses
  Ring<Miss> arrived_{kMaxWarps};  ///< likewise: their line has come
  unsigned merges_;
  std::array<std::uint8_t, kMaxWarps> buffered_{};  ///< by warp: instructions in its I-buffer
  std::array<Warp, kMaxWarps> warps_{};

 public:
  /// `warps` <= kMaxWarps. Throws std::invalid_argument when fetch_bytes or ibuffer_entries do not hold an
  /// instruction, or more than 255 of them.
  FetchUnit(const sc_core::sc_module_name& name, ClockDomain& domain, const FetchConfig& config, unsigned sm,
            unsigned warps);

  /// Must be set before the simulation starts.
  void set_listener(DecodeListener& listener) { listener_ = &listener; }

  /// Its `memory` port goes to the SM's memory port.
  ReadOnlyCache icache;

  /// The warp runs code that lies in [.., end) from `address` on. `counts`: of its launch, or nullptr.
  void start(unsigned warp, std::uint64_t address, std::uint64_t end, LaunchCounts* counts = nullptr);
  /// One instruction was taken from the I-buffer.
  void consume(unsigned warp) {
    if (--buffered_[warp] != 0) return;
    filled_ &= ~warp_bit(warp);
    wanting_ |= warp_bit(warp);
    wake_this_edge();
  }
  /// Empties the I-buffer; the warp goes on at `address`.
  void redirect(unsigned warp, std::uint64_t address);
  /// The warp fetches no more.
  void stop(unsigned warp);

  /// Instructions in the I-buffer.
  unsigned buffered(unsigned warp) const { return buffered_[warp]; }
  /// True when the warp's code ends with what was fetched.
  bool at_end(unsigned warp) const { return warps_[warp].address >= warps_[warp].end; }
  /// Running warps whose fetch waits for the instruction cache.
  WarpMask missing() const { return missing_ | refused_; }
  /// Nothing is expected from memory.
  bool idle() const { return icache.idle(); }

  bool tick() override;
  void settle() override;
  void report(StatSink& sink) const;
  using sc_module::trace;
  void trace(WaveSink& sink);

 private:
  bool filled(std::uint64_t line_address) override;
  void empty(unsigned warp) {
    buffered_[warp] = 0;
    filled_ &= ~warp_bit(warp);
  }
  void decode();
  void fetch();
  /// A warp whose line has come gets its instructions.
  void deliver();
  ReadOnlyCache::Access access(const Warp& warp);
  void fill_register(unsigned warp);
  /// Catches up on the turns of retrying_ before cycle `now`.
  void skip_to(Cycle now);
  [[gnu::cold]] void update_wave(unsigned fetched);

  std::uint64_t misses_ = 0;
  std::uint64_t refusals_ = 0;          ///< up to the last tick
  std::uint64_t settled_refusals_ = 0;  ///< as of the last settle()
};

}  // namespace heddle
