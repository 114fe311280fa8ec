#include "modules/warp_scheduler/policies/two_level/long_marks.h"

namespace heddle {

namespace {

bool is_long(Space space) {
  switch (space) {
    case Space::kGlobal:
    case Space::kLocal:
    case Space::kGeneric:
    case Space::kParam:
    case Space::kTexture:
      return true;
    default:
      return false;
  }
}

std::uint64_t bit_of(std::uint16_t reg) { return std::uint64_t{1} << (reg % 64U); }

}  // namespace

void LongMarks::on_issue(const IssueEvent& event) {
  const Instruction& instruction = *event.instruction;
  const bool reads = instruction.mem == MemOp::kLoad || instruction.mem == MemOp::kAtomic;
  const bool marks = reads && is_long(event.space);
  known_ &= ~warp_bit(event.warp);
  for (unsigned i = 0; i < instruction.num_destinations; ++i) {
    const std::uint16_t reg = instruction.destinations[i];
    std::uint64_t& word = marks_[event.warp][reg / kWordBits];
    if (marks) {
      word |= bit_of(reg);
    } else if ((instruction.never_loaded >> i & 1U) != 0) {
      word &= ~bit_of(reg);
    }
  }
}

void LongMarks::on_result(const ResultEvent& event) {
  const Instruction& instruction = *event.instruction;
  // The LD/ST unit's write-back leaves marks alone.
  if (instruction.mem != MemOp::kNone && !event.direct) return;
  known_ &= ~warp_bit(event.warp);
  for (unsigned i = 0; i < instruction.num_destinations; ++i) {
    const std::uint16_t reg = instruction.destinations[i];
    marks_[event.warp][reg / kWordBits] &= ~bit_of(reg);
  }
}

void LongMarks::look_at(const WarpTable& table, WarpMask warps) {
  known_ |= warps;
  reading_ &= ~warps;
  for (; warps != 0; warps &= warps - 1) {
    const unsigned warp = lowest_warp(warps);
    if (reads_marked(warp, *table.next[warp])) reading_ |= warp_bit(warp);
  }
}

bool LongMarks::reads_marked(unsigned warp, const Instruction& instruction) const {
  for (unsigned i = instruction.num_address_sources; i < instruction.num_sources; ++i) {
    const std::uint16_t reg = instruction.sources[i];
    if ((marks_[warp][reg / kWordBits] & bit_of(reg)) != 0) return true;
  }
  return false;
}

const SharedPolicyEntry long_marks_entry = shared_policy<LongMarks>("long_marks");

}  // namespace heddle
