// What the LD/ST unit counts of its instructions.
#include <gtest/gtest.h>

#include "sc_tests/modules/ldst_unit/ldst_bench.h"

namespace heddle {
namespace {

using bench::LdstDesign;

/// Offers instructions 100 cycles apart and adds up what becomes of those with a result.
struct Offers {
  LdstDesign& design;
  Cycle next = 10;
  std::vector<const WarpInstruction*> with_result;

  void offer(unsigned times, MemOp op, Space space, std::uint64_t stride, LaneMask lanes = kAllLanes) {
    for (unsigned i = 0; i < times; ++i, next += 100) {
      const std::uint64_t base = space == Space::kGlobal ? LdstDesign::kGlobal : 0;
      WarpInstruction& made = design.access(next, op, space, base, stride, lanes);
      made.issued_at = next - 3;
      if (op == MemOp::kLoad || op == MemOp::kAtomic) with_result.push_back(&made);
    }
  }
};

TEST(LdstCounts, EveryInstructionIsCountedByOperationAndPathWithItsAccessesAndLanes) {
  LdstDesign design;
  Offers offers{design};
  offers.offer(1, MemOp::kLoad, Space::kGlobal, 4);          // one line
  offers.offer(1, MemOp::kLoad, Space::kGlobal, 8);          // two
  offers.offer(1, MemOp::kLoad, Space::kGlobal, 4, 0xFFU);   // one, for eight lanes
  offers.offer(2, MemOp::kStore, Space::kGlobal, 16);        // four each
  offers.offer(1, MemOp::kAtomic, Space::kGlobal, 4, 0x7U);  // one, for three lanes
  offers.offer(3, MemOp::kReduction, Space::kGlobal, 4);     // one each
  offers.offer(4, MemOp::kLoad, Space::kShared, 4);
  offers.offer(5, MemOp::kLoad, Space::kParam, 0);
  bench::run_to(design.domain, offers.next + 500);
  std::uint64_t latency = 0;
  for (const WarpInstruction* instruction : offers.with_result) {
    ASSERT_NE(design.completed(*instruction), 0U);
    latency += design.completed(*instruction) - instruction->issued_at;
  }
  std::map<std::string, std::uint64_t> counts;
  for (const auto& [name, value] : design.statistics()) {
    if (name.find('.') == std::string::npos) counts[name] = value;
  }
  EXPECT_EQ(counts,
            (std::map<std::string, std::uint64_t>{{"loads", 3 + 4 + 5},
                                                  {"stores", 2},
                                                  {"atomics", 1},
                                                  {"reductions", 3},
                                                  {"global_instructions", 3 + 2 + 1 + 3},
                                                  {"shared_instructions", 4},
                                                  {"constant_instructions", 5},
                                                  {"texture_instructions", 0},
                                                  {"texture_lines", 0},
                                                  {"accesses", (1 + 2 + 1) + 2 * 4 + 1 + 3},
                                                  {"access_lanes", (32 + 32 + 8) + 2 * 32 + 3 + 3 * 32},
                                                  {"results", 13},
                                                  {"result_latency", latency}}));
}

}  // namespace
}  // namespace heddle
