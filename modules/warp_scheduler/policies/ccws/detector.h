#pragma once

#include <array>
#include <deque>

#include "base/ring.h"
#include "hw/logic/comparator.h"
#include "hw/logic/multiplexer.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/register.h"
#include "hw/storage/table.h"
#include "modules/config/gpu_config.h"
#include "modules/warp_scheduler/policies/ccws/held_lines.h"
#include "modules/warp_scheduler/warp_table.h"

namespace heddle {

/// The lost-locality detector of CCWS (scheduler-details.md, "CCWS"): a victim tag array per warp with the
/// tags of lines that it had filled and that were evicted. A warp that misses on one of them has lost
/// locality to other warps.
///
/// A tag that is found is dropped, since the line is fetched again; so no array holds a tag twice.
///
/// In ideal timing all that happens does so at once. In hardware timing what happens in a cycle does so to
/// the tags that were there when it began: one look-up, of a miss or a store, one insertion, and arrays that
/// are emptied. Of accesses that leave the L1D in one cycle, since the MSHRs had withheld one, the second is
/// looked up a cycle later.
class CcwsDetector {
 public:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  /// Throws std::invalid_argument for entries that are not ways times a power of two.
  CcwsDetector(const hw::Owner& owner, const GpuConfig& gpu);

  // Ideal timing.

  /// `warp` misses on `line_address`: whether its victim tags hold the line.
  bool probe(std::uint64_t cycle, unsigned warp, std::uint64_t line_address);
  /// A line that `warp` had filled was evicted.
  void insert(std::uint64_t cycle, unsigned warp, std::uint64_t line_address);
  /// A store changed the line: no warp can have lost it.
  void invalidate(std::uint64_t cycle, std::uint64_t line_address);
  /// Another warp takes the slot.
  void clear(unsigned warp) {
    arrays_[warp].clear();
    held_.clear(warp);
  }
  /// Before the arrays' use is read.
  void settle();

  // Hardware timing: what happens in a cycle, none of which is made up yet.

  void tell_miss(std::uint64_t cycle, unsigned warp, std::uint64_t line_address) {
    tell_look_up({cycle, line_address, warp});
  }
  void tell_store(std::uint64_t cycle, std::uint64_t line_address) {
    tell_look_up({cycle, line_address, kNoWarp});
  }
  void tell_eviction(std::uint64_t cycle, unsigned warp, std::uint64_t line_address);
  void tell_start(std::uint64_t cycle, unsigned warp);
  /// The cycle at whose begin the arrays are next as they have not been; kNever when nothing was told.
  std::uint64_t next() const;
  /// Makes up the cycle before that. Returns the warp that missed on a line which it had lost, or kNoWarp.
  unsigned step();

  struct LookUp {
    std::uint64_t cycle = kNever;
    std::uint64_t line_address = 0;
    unsigned warp = kNoWarp;  ///< that missed; kNoWarp: a store
  };
  /// Of `cycle`, if it was told and is not made up; otherwise one of the cycle kNever.
  LookUp look_up_of(std::uint64_t cycle) const;

  unsigned sets() const { return sets_; }
  /// Of the address of a line.
  unsigned line_bits() const { return line_bits_; }

 private:
  void tell_look_up(LookUp look_up);
  unsigned set_of(std::uint64_t line_address) const;
  std::uint64_t tag_of(std::uint64_t line_address) const;

  unsigned line_bytes_;
  unsigned line_bits_;
  unsigned sets_;
  std::deque<hw::Table> arrays_;                      ///< by warp
  HeldLines held_;                                    ///< ideal timing
  std::uint64_t stores_ = 0;                          ///< that all arrays are looked up for, since settle()
  std::array<std::uint64_t, kMaxWarps> looked_up_{};  ///< of these, by warp: those that its array was
  hw::Comparator same_line_;  ///< the one that is looked up and the one that is inserted
  hw::Comparator same_warp_;
  hw::Multiplexer found_of_;  ///< of the warps that have the line, whether the one that missed does
  hw::BitVector found_;       ///< a bit: the last look-up found a line that was lost
  hw::Register found_warp_;   ///< by this warp

  Ring<LookUp> look_ups_;              ///< one a cycle, which are not made up
  std::uint64_t look_up_free_ = 0;     ///< when the next one can be
  std::uint64_t changes_at_ = kNever;  ///< the cycle of what follows
  WarpMask starts_ = 0;
  bool inserts_ = false;
  unsigned insert_warp_ = 0;
  std::uint64_t insert_address_ = 0;
};

}  // namespace heddle
