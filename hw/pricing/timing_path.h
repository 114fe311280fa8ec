#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hw/pricing/depth.h"

namespace heddle::hw {

/// The logic between two flip-flops, as the blocks that a signal passes one after another. Depths are in FO4,
/// the delay of an inverter that drives four; unless sized netlists are named, of unsized ones (Depth).
class TimingPath {
 public:
  struct Stage {
    std::string label;
    double fo4 = 0;
    bool after_register = false;  ///< a register holds its input
    double sized_fo4 = 0;
  };

  /// Appends a block of logic.
  TimingPath& through(std::string_view label, const Depth& depth) {
    stages_.push_back({std::string(label), depth.unsized, held_, depth.sized});
    held_ = false;
    return *this;
  }
  /// Likewise, of the same depth whether cells are sized or not.
  TimingPath& through(std::string_view label, double fo4) { return through(label, either_depth(fo4)); }

  /// Registers hold what comes here: what is appended next works in a later cycle. The path goes on, and
  /// fo4() is still that of all its logic.
  TimingPath& held() {
    held_ = true;
    return *this;
  }

  /// Appends all of `next`, whose signal comes from here.
  TimingPath& then(const TimingPath& next) {
    const std::size_t first = stages_.size();
    stages_.insert(stages_.end(), next.stages_.begin(), next.stages_.end());
    if (first == stages_.size()) return *this;
    stages_[first].after_register |= held_;
    held_ = next.held_;
    return *this;
  }

  const std::vector<Stage>& stages() const { return stages_; }
  bool empty() const { return stages_.empty(); }
  /// Register to register, with the flip-flop's own delay and set-up; 0 for an empty path.
  double fo4() const;
  /// Likewise of what takes longest between two registers, its own and those of held().
  double longest_stage_fo4() const { return longest(&Stage::fo4); }
  /// fo4() and longest_stage_fo4() in a netlist of sized cells.
  double sized_fo4() const;
  double longest_stage_sized_fo4() const { return longest(&Stage::sized_fo4); }
  /// The one that takes longer.
  static const TimingPath& longer(const TimingPath& a, const TimingPath& b) {
    return a.fo4() < b.fo4() ? b : a;
  }
  /// Cycles of `clock_fo4` that the path takes when it is cut into pipeline or multicycle stages, each of
  /// which pays for its flip-flop; at least 1. Throws std::invalid_argument when the clock is not longer than
  /// that.
  unsigned cycles(double clock_fo4) const { return cycles(fo4(), clock_fo4); }
  /// Likewise of a path of `path_fo4`, register to register, wherever its depth is from.
  static unsigned cycles(double path_fo4, double clock_fo4);

 private:
  double longest(double Stage::*depth) const;

  std::vector<Stage> stages_;
  bool held_ = false;  ///< what is appended next is behind a register
};

}  // namespace heddle::hw
