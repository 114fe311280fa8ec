#include "modules/sm/waves/warp_waves.h"

#include <string>

#include "hw/pricing/bits.h"

namespace heddle {

namespace {

constexpr unsigned kAgeBits = 32;
constexpr unsigned kPcBits = 48;

}  // namespace

void WarpWaves::trace_column(WaveSink& sink, const Column& column, unsigned slots, unsigned bits,
                             const char* name) {
  const WaveScope scope(sink, name);
  for (unsigned w = 0; w < slots; ++w) sink.signal(column[w], bits, "entry" + std::to_string(w));
}

void WarpWaves::trace(WaveSink& sink, const WarpTable& table) {
  const unsigned slots = table.slots;
  sink.signal(resident_, slots, "resident");
  sink.signal(finished_, slots, "finished");
  sink.signal(valid_, slots, "ibuffer_valid");
  sink.signal(off_path_, slots, "off_path");
  sink.signal(stale_, slots, "stale");
  sink.signal(at_barrier_, slots, "at_barrier");
  sink.signal(at_membar_, slots, "at_membar");
  sink.signal(blocked_, slots, "scoreboard_blocked");
  sink.signal(blocked_memory_, slots, "scoreboard_blocked_memory");
  sink.signal(blocked_shared_, slots, "scoreboard_blocked_shared");
  sink.signal(blocked_sfu_, slots, "scoreboard_blocked_sfu");
  sink.signal(needs_[static_cast<unsigned>(Unit::kSp)], slots, "next_sp");
  sink.signal(needs_[static_cast<unsigned>(Unit::kSfu)], slots, "next_sfu");
  sink.signal(needs_[static_cast<unsigned>(Unit::kLdst)], slots, "next_ldst");
  sink.signal(next_memory_access_, slots, "next_memory_access");
  sink.signal(next_l1d_load_, slots, "next_l1d_load");
  sink.signal(next_bypass_, slots, "next_l1d_bypass");
  const WaveScope scope(sink, "warps");
  sink.change_with(resident_version_);
  trace_column(sink, tb_slot_, slots, hw::index_bits(kMaxWarps), "tb_slot");
  trace_column(sink, age_, slots, kAgeBits, "age");
  sink.change_with(next_version_);
  trace_column(sink, next_pc_, slots, kPcBits, "next_pc");
  trace_column(sink, next_lanes_, slots, kWarpSize, "next_lanes");
}

void WarpWaves::show(const WarpTable& table, const PolicyHost& host) {
  resident_ = table.resident;
  finished_ = table.finished;
  valid_ = table.valid;
  off_path_ = table.off_path;
  stale_ = table.stale;
  at_barrier_ = table.at_barrier;
  at_membar_ = table.at_membar;
  blocked_ = table.blocked;
  blocked_memory_ = table.blocked_memory;
  blocked_shared_ = table.blocked_shared;
  blocked_sfu_ = table.blocked_sfu;
  for (unsigned u = 0; u < kNumUnits; ++u) needs_[u] = table.needs[u] & table.valid;
  next_l1d_load_ = table.l1d_loads(table.valid);
  for (WarpMask left = table.resident; left != 0; left &= left - 1) {
    const unsigned w = lowest_warp(left);
    set(tb_slot_[w], table.tb_slot[w], resident_version_);
    set(age_[w], table.age[w], resident_version_);
  }
  show_next(table, host);
}

void WarpWaves::show_next(const WarpTable& table, const PolicyHost& host) {
  next_bypass_ = 0;
  next_memory_access_ = 0;
  for (WarpMask left = table.valid; left != 0; left &= left - 1) {
    const unsigned w = lowest_warp(left);
    set(next_pc_[w], host.next_pc(w), next_version_);
    set(next_lanes_[w], host.next_lanes(w), next_version_);
    const Instruction& next = *table.next[w];
    if (next.unit != Unit::kLdst) continue;
    const Space space = next.space;
    const bool memory = space == Space::kGlobal || space == Space::kLocal || space == Space::kGeneric;
    if (memory) next_memory_access_ |= warp_bit(w);
    if (memory && next.cache == CacheOp::kGlobalLevel) next_bypass_ |= warp_bit(w);
  }
}

}  // namespace heddle
