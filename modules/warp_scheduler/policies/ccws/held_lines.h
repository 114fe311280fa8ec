#pragma once

#include <cstdint>
#include <vector>

#include "modules/messages/warp_mask.h"

namespace heddle {

/// Which warps may have the tag of a line among theirs, so that the others need not be asked: by a hash of
/// the line, all that have it and hardly any other. Of the simulation, not of the hardware.
class HeldLines {
 public:
  /// Of so many warps with so many tags each.
  HeldLines(unsigned warps, unsigned tags) : tags_(tags), hash_of_(std::size_t{warps} * tags, kNone) {}

  WarpMask warps(std::uint64_t line) const { return warps_[hash(line)]; }
  /// Tag `tag` of the warp is that of `line` from now on.
  void put(unsigned warp, unsigned tag, std::uint64_t line);
  /// It is no line's.
  void drop(unsigned warp, unsigned tag);
  /// None of the warp's is.
  void clear(unsigned warp);

 private:
  static constexpr unsigned kHashBits = 9;
  static constexpr std::uint16_t kNone = 0xFFFF;

  static std::uint16_t hash(std::uint64_t line) {
    constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;  // Fibonacci hashing: 2^64 / golden ratio
    return static_cast<std::uint16_t>(line * kGolden >> (64 - kHashBits));
  }
  bool has(unsigned warp, std::uint16_t hash) const;

  std::size_t tags_;
  std::vector<std::uint16_t> hash_of_;  ///< by warp and tag
  std::vector<WarpMask> warps_ = std::vector<WarpMask>(std::size_t{1} << kHashBits);
};

}  // namespace heddle
