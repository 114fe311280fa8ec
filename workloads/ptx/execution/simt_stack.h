#pragma once

#include <array>
#include <cstdint>

#include "workloads/launch/instruction.h"

namespace heddle::ptx {

/// Which lanes of a warp execute, and where: a stack of paths, each with the place at which it joins the
/// entry below. The top entry executes. Places are instruction indices.
///
/// When a branch diverges, the lanes that fall through run first, up to the branch's reconvergence point
/// (its immediate post-dominator), then the lanes that take it; from there on they run together. Lanes that
/// go straight to the reconvergence point wait there without a path of their own, so that a loop which
/// lanes leave one by one does not make the stack grow.
class SimtStack {
 public:
  struct Entry {
    std::uint32_t pc = 0;
    std::uint32_t reconvergence = kNever;
    LaneMask mask = 0;
  };
  static constexpr std::uint32_t kNever = 0xFFFFFFFFU;

  /// All of `lanes` at instruction 0.
  void reset(LaneMask lanes);

  bool empty() const { return depth_ == 0; }
  unsigned depth() const { return depth_; }
  const Entry& entry(unsigned level) const { return entries_[level]; }  ///< 0 is the bottom
  std::uint32_t pc() const { return entries_[depth_ - 1].pc; }
  /// The lanes that execute.
  LaneMask mask() const { return entries_[depth_ - 1].mask; }

  /// The executing lanes go on at `next`.
  void advance(std::uint32_t next) {
    entries_[depth_ - 1].pc = next;
    if (next == entries_[depth_ - 1].reconvergence) join();
  }

  /// `taken` of the executing lanes go to `target`, the others to `fall_through`.
  void branch(LaneMask taken, std::uint32_t target, std::uint32_t fall_through, std::uint32_t reconvergence);

  /// `lanes` of the executing lanes have ended; those left, if any, go on at `next`.
  void exit(LaneMask lanes, std::uint32_t next);

 private:
  void join();
  void push(std::uint32_t pc, std::uint32_t reconvergence, LaneMask mask);

  // A divergence adds at most two entries and leaves fewer lanes on top: 31 divergences, 63 entries.
  static constexpr unsigned kMaxDepth = 2 * kWarpSize;
  unsigned depth_ = 0;  // in front, beside the few entries that are mostly used
  std::array<Entry, kMaxDepth> entries_{};
};

}  // namespace heddle::ptx
