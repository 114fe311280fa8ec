#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

/// Which thread ticks which strand, and when a strand moves to another one since one of them has more to do.
class StrandDeal {
 public:
  /// Deals `strands` in turn. `threads` >= 1.
  StrandDeal(std::size_t strands, unsigned threads);

  /// Moves strands while it makes the busiest thread's work less by a twentieth of a thread's mean at least.
  /// `work` is each strand's since the last time, `beside` what thread 0 did besides, both in one unit.
  /// Returns whether any strand moved.
  bool deal(const std::vector<std::uint64_t>& work, std::uint64_t beside);

  /// In ascending order.
  const std::vector<std::size_t>& strands_of(unsigned thread) const { return strands_[thread]; }
  unsigned threads() const { return static_cast<unsigned>(strands_.size()); }

 private:
  std::vector<std::vector<std::size_t>> strands_;  ///< by thread
};

}  // namespace heddle
