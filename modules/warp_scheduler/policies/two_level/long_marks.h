#pragma once

#include <array>
#include <cstdint>

#include "modules/warp_scheduler/shared_policy.h"

namespace heddle {

/// The marks that the reference machine's scoreboard puts on registers that a load beyond the SM's shared
/// memory is to fill (gtx480.md, "Schedulers"). They outlive the data: only an instruction whose result does
/// not take the LD/ST unit's write-back slot (no memory instruction, or a parameter that was in the constant
/// cache) takes the mark of the register that it writes away. The reference marks the program's registers,
/// which do not share numbers as ours do: a number that another of them takes over has lost its mark.
class LongMarks : public SharedPolicy {
 public:
  void on_warp_start(const WarpEvent& event) override { marks_[event.warp] = {}; }
  void on_issue(const IssueEvent& event) override;
  void on_result(const ResultEvent& event) override;

  /// `instruction`, the next one of `warp`, reads a marked register; those of its address do not count.
  bool reads_marked(unsigned warp, const Instruction& instruction) const;

 private:
  static constexpr unsigned kWordBits = 64;
  static constexpr unsigned kWords = Instruction::kNumScoreboardBits / kWordBits;

  /// By warp slot, one bit per register.
  std::array<std::array<std::uint64_t, kWords>, kMaxWarps> marks_{};
};

extern const SharedPolicyEntry long_marks_entry;

}  // namespace heddle
