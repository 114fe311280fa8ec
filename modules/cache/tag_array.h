#pragma once

#include <cstdint>
#include <vector>

#include "modules/config/gpu_config.h"
#include "modules/messages/ids.h"

namespace heddle {

enum class LineState : std::uint8_t {
  kInvalid,
  kReserved,  ///< some sector is being fetched: the line can't be replaced
  kValid,
  kModified,  ///< some sector is dirty
};

/// Bit i: bytes [32 * i, 32 * i + 32) of the line (kSectorBytes).
using SectorMask = std::uint8_t;

/// What left the cache when a line was given to another address. Nothing left when `dirty` and `valid` are 0.
struct Eviction {
  std::uint64_t address = 0;  ///< line address
  SectorMask valid = 0;
  SectorMask dirty = 0;
  std::uint32_t filler = 0;  ///< the line's
};

/// Tags, states and LRU order of a set-associative cache: no data, no timing. Lines are named by their index
/// set * ways + way. A user that indexes sets by another address than it stores (an L2 slice, whose slice
/// bits are removed) passes its own set numbers.
class TagArray {
 public:
  static constexpr unsigned kNoLine = ~0U;
  static constexpr std::uint32_t kNoFiller = ~0U;

  struct Line {
    LineState state = LineState::kInvalid;
    SectorMask valid = 0;
    SectorMask dirty = 0;    ///< subset of valid
    SectorMask pending = 0;  ///< reserved, not yet filled
    std::uint32_t filler = kNoFiller;
  };

  /// Throws std::invalid_argument when a size is 0, or sets or line_bytes are not powers of two, or a line
  /// has more than 8 sectors.
  explicit TagArray(const CacheConfig& config);

  /// Of the host's memory, for such a cache.
  static std::uint64_t bytes_of(const CacheConfig& config);

  unsigned sets() const { return sets_; }
  unsigned ways() const { return ways_; }
  unsigned line_bytes() const { return line_bytes_; }
  /// All sectors of a line; a line shorter than a sector has one.
  SectorMask all_sectors() const { return all_sectors_; }

  std::uint64_t line_address(std::uint64_t address) const { return address & ~line_offset_mask_; }
  /// Linear: the bits above the line offset. Hashed: see fold().
  unsigned set_of(std::uint64_t address) const {
    const auto linear = static_cast<unsigned>(address >> line_shift_);
    return (hashed_ ? linear ^ fold(address) : linear) & (sets_ - 1);
  }

  /// The line of `set` that holds `address` (reserved, valid or modified), or kNoLine. Does not change the
  /// LRU order.
  unsigned find(std::uint64_t address, unsigned set) const {
    const std::uint64_t tag = line_address(address);
    const unsigned first = set * ways_;
    for (unsigned i = first; i < first + ways_; ++i) {
      if (tags_[i] == tag) return i;
    }
    return kNoLine;
  }
  unsigned find(std::uint64_t address) const { return find(address, set_of(address)); }

  /// The line of `set` to replace: an invalid one, otherwise the least recently used of those not reserved;
  /// kNoLine when all are reserved (a reservation failure).
  unsigned victim(unsigned set) const;

  /// victim() would find none.
  bool all_reserved(unsigned set) const {
    const std::uint64_t* const order = order_.data() + std::size_t{set} * ways_;
    for (unsigned way = 0; way < ways_; ++way) {
      if (order[way] != kKept) return false;
    }
    return true;
  }

  const Line& line(unsigned index) const { return lines_[index]; }
  /// Line address held; meaningful unless the line is invalid.
  std::uint64_t address_of(unsigned index) const { return tags_[index]; }
  /// Makes the line the most recently used of its set.
  void touch(unsigned index) {
    used_[index] = ++uses_;
    if (order_[index] != kKept) order_[index] = uses_;
  }

  /// reserve(), fill() and write() first give the line to `address` when it holds another one (which must not
  /// be reserved), and return what that evicted. Then reserve() and write() touch the line; fill() does when
  /// it was given. reserve() marks `sectors` as being fetched; the line stays reserved until all of them have
  /// been filled, and then has its place in the order by its last use, not by when the last of them came.
  Eviction reserve(unsigned index, std::uint64_t address, SectorMask sectors);
  /// `sectors` have come from below.
  Eviction fill(unsigned index, std::uint64_t address, SectorMask sectors);
  /// `sectors` have been overwritten here: valid and dirty.
  Eviction write(unsigned index, std::uint64_t address, SectorMask sectors);

  /// Notes who has the line filled, in the user's own numbers; kNoFiller until the next call when it is given
  /// to another address.
  void set_filler(LineIndex index, std::uint32_t filler) { lines_[index.value()].filler = filler; }

  /// Drops the line whatever its state; dirty sectors are lost.
  void invalidate(unsigned index);
  /// Drops all lines but the reserved ones, whose fills are under way; dirty sectors are lost.
  void flush();

  /// Number of lines that are reserved now.
  unsigned reserved_lines() const { return reserved_lines_; }

 private:
  /// Higher address bits that the hash xors onto the low five bits of the linear set index: 13, 14, 15, 17,
  /// 19 (gtx480.md, "L1D"; Nugteren et al., HPCA 2014). Fewer sets use the low bits of it; sets beyond 32
  /// keep their linear bits.
  static unsigned fold(std::uint64_t address) {
    return static_cast<unsigned>((address >> 13 & 7U) | (address >> 17 & 1U) << 3 |
                                 (address >> 19 & 1U) << 4);
  }
  Eviction give(unsigned index, std::uint64_t address);
  void set_state(unsigned index);

  static constexpr std::uint64_t kNoTag = ~std::uint64_t{0};
  static constexpr std::uint64_t kKept = ~std::uint64_t{0};

  unsigned sets_;
  unsigned ways_;
  unsigned line_bytes_;
  unsigned line_shift_ = 0;
  std::uint64_t line_offset_mask_;
  bool hashed_;
  SectorMask all_sectors_;
  unsigned reserved_lines_ = 0;
  std::uint64_t uses_ = 0;
  std::vector<std::uint64_t> tags_;
  std::vector<Line> lines_;
  /// By line; the least is replaced first: 0 when invalid, the number of its last use, kKept while reserved.
  std::vector<std::uint64_t> order_;
  std::vector<std::uint64_t> used_;  ///< by line: the number of its last use
};

}  // namespace heddle
