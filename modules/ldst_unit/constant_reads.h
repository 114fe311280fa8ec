#pragma once

#include <cstdint>
#include <vector>

#include "modules/messages/warp_instruction.h"

namespace heddle {

/// Reads of constants whose lines are being fetched: what the MSHR of the constant cache remembers of each
/// miss and of each read that joined one (gtx480.md, "Memory instructions, coalescing"). When its line
/// arrives at edge t, a read has its data from t + 1 on. Reads hand their data over one at a time, in the
/// order of their lines' arrival, those of one line in the order of their misses.
///
/// The owner asks line_full() before it adds a read: an entry holds a limited number of them.
class ConstantReads {
 public:
  /// `merges` >= 1: reads per line, the first included.
  explicit ConstantReads(unsigned merges) : merges_(merges) {}

  bool empty() const { return waiting_.empty() && first_ == arrived_.size(); }
  /// `line` is being fetched, and no further read may wait for it.
  bool line_full(std::uint64_t line) const;
  /// Requires !line_full(line).
  void wait_for(std::uint64_t line, WarpInstruction& instruction) {
    waiting_.push_back({line, &instruction});
  }
  void line_arrived(std::uint64_t line, Cycle now);

  bool ready(Cycle now) const { return first_ != arrived_.size() && arrived_[first_].at < now; }
  /// The instruction of the read that is first. Requires ready().
  WarpInstruction& pop();

 private:
  struct Waiting {
    std::uint64_t line = 0;
    WarpInstruction* instruction = nullptr;
  };
  struct Arrived {
    WarpInstruction* instruction = nullptr;
    Cycle at = 0;
  };
  unsigned merges_;
  std::vector<Waiting> waiting_;  ///< in the order of their misses
  std::vector<Arrived> arrived_;  ///< from first_ on; begins again at its front when it is empty
  std::size_t first_ = 0;
};

}  // namespace heddle
