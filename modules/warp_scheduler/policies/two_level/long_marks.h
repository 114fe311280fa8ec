#pragma once

#include <array>
#include <cstdint>

#include "modules/warp_scheduler/shared_policy.h"

namespace heddle {

/// Keeps the marks that the reference's scoreboard puts on registers which a load is to fill, from shared
/// memory and constants apart (gtx480.md, "Schedulers"). A mark outlives the data, until an instruction that
/// is no memory instruction, or reads a parameter that was in the constant cache, writes the register. The
/// reference marks registers of the PTX program; of those that share a number here, one that takes the number
/// over takes its mark off.
class LongMarks : public SharedPolicy {
 public:
  void on_warp_start(const WarpEvent& event) override {
    marks_[event.warp] = {};
    known_ &= ~warp_bit(event.warp);
  }
  void on_issue(const IssueEvent& event) override;
  void on_result(const ResultEvent& event) override;

  /// `instruction`, the next one of `warp`, reads a marked register; those of its address do not count.
  bool reads_marked(unsigned warp, const Instruction& instruction) const;
  /// Those of `among`, which must be valid, whose next instruction reads a marked register. It is looked at
  /// once: what is next, and its marks, change only with an event of the warp.
  WarpMask reading_marked(const WarpTable& table, WarpMask among) {
    const WarpMask unknown = among & ~known_;
    if (unknown != 0) look_at(table, unknown);
    return among & reading_;
  }

 private:
  void look_at(const WarpTable& table, WarpMask warps);

  static constexpr unsigned kWordBits = 64;
  static constexpr unsigned kWords = Instruction::kNumScoreboardBits / kWordBits;

  /// By warp slot, one bit per register.
  std::array<std::array<std::uint64_t, kWords>, kMaxWarps> marks_{};
  WarpMask known_ = 0;    ///< warps whose next instruction was looked at
  WarpMask reading_ = 0;  ///< of these, those that read a marked register next
};

extern const SharedPolicyEntry long_marks_entry;

}  // namespace heddle
