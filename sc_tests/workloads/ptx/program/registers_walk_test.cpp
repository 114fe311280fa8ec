// Random programs, walked at random: every read must find what the last write of that virtual register left
// in its slots.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "workloads/ptx/program/registers.h"

namespace heddle::ptx {
namespace {

struct RandomProgram {
  std::vector<std::uint8_t> widths;
  std::vector<RegisterUse> uses;
  std::vector<Flow> flow;
};

class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

  RandomProgram program() {
    constexpr std::uint8_t kWidths[] = {1, 8, 16, 32, 32, 64, 64};
    RandomProgram made;
    const std::uint32_t registers = 4 + below(40);
    for (std::uint32_t i = 0; i < registers; ++i) {
      made.widths.push_back(kWidths[below(7)]);
    }
    const std::uint32_t length = 5 + below(60);
    for (std::uint32_t i = 0; i < length; ++i) {
      RegisterUse use;
      use.reads = choose(registers, below(4));
      use.writes = choose(registers, below(3));
      use.disjoint = use.writes.size() > 1 || below(4) == 0;
      if (below(5) == 0) {  // guarded
        use.reads.insert(use.reads.end(), use.writes.begin(), use.writes.end());
      }
      made.uses.push_back(use);
      const std::uint32_t kind = below(6);
      made.flow.push_back(kind == 0   ? Flow{Flow::Kind::kJump, below(length)}
                          : kind <= 2 ? Flow{Flow::Kind::kBranch, below(length)}
                                      : Flow{});
    }
    made.flow.back() = {Flow::Kind::kExit, 0};
    return made;
  }

 private:
  std::vector<std::uint32_t> choose(std::uint32_t registers, std::uint32_t count) {
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t candidate = below(registers);
      if (std::find(chosen.begin(), chosen.end(), candidate) == chosen.end()) {
        chosen.push_back(candidate);
      }
    }
    return chosen;
  }

  std::mt19937 random_;
};

/// The register file of one thread; a value is the number of the write that made it.
class Walker {
 public:
  Walker(const RandomProgram& program, const RegisterAssignment& assignment)
      : program_(program), assignment_(assignment), expected_(program.widths.size(), 0) {
    slots_.resize(assignment.num_slots + 2, kNothing);
    predicates_.resize(assignment.num_predicates + 1U, kNothing);
  }

  /// Runs at most `steps`; false when a read found something else.
  bool run(Generator& choice, unsigned steps) {
    for (std::uint32_t at = 0; steps-- > 0 && at < program_.flow.size();) {
      if (!execute(program_.uses[at])) {
        return false;
      }
      const Flow& flow = program_.flow[at];
      if (flow.kind == Flow::Kind::kExit) {
        return true;
      }
      const bool jumps =
          flow.kind == Flow::Kind::kJump || (flow.kind == Flow::Kind::kBranch && choice.below(2) == 0);
      at = jumps ? flow.target : at + 1;
    }
    return true;
  }

 private:
  static constexpr std::uint64_t kNothing = 0;

  std::uint64_t* first_cell(std::uint32_t i) {
    return program_.widths[i] == 1 ? &predicates_[assignment_.slot[i]] : &slots_[assignment_.slot[i]];
  }
  unsigned cells(std::uint32_t i) const { return program_.widths[i] == 64 ? 2 : 1; }

  bool execute(const RegisterUse& use) {
    for (const std::uint32_t read : use.reads) {
      for (unsigned cell = 0; cell < cells(read); ++cell) {
        // What was never written may hold anything.
        if (expected_[read] != kNothing && first_cell(read)[cell] != expected_[read]) {
          return false;
        }
      }
    }
    for (const std::uint32_t written : use.writes) {
      expected_[written] = ++writes_;
      std::fill_n(first_cell(written), cells(written), writes_);
    }
    return true;
  }

  const RandomProgram& program_;
  const RegisterAssignment& assignment_;
  std::vector<std::uint64_t> expected_;
  std::vector<std::uint64_t> slots_;
  std::vector<std::uint64_t> predicates_;
  std::uint64_t writes_ = 0;
};

bool partly_overlap(const RandomProgram& program, const RegisterAssignment& assignment, std::uint32_t a,
                    std::uint32_t b) {
  if (a == b || program.widths[a] == 1 || program.widths[b] == 1) {
    return false;
  }
  const unsigned first_a = assignment.slot[a];
  const unsigned first_b = assignment.slot[b];
  const unsigned end_a = first_a + (program.widths[a] == 64 ? 2 : 1);
  const unsigned end_b = first_b + (program.widths[b] == 64 ? 2 : 1);
  const bool overlap = first_a < end_b && first_b < end_a;
  return overlap && program.widths[a] != program.widths[b];
}

TEST(PtxRegisterWalk, ReadsFindWhatWasWritten) {
  Generator generator(20100326);
  for (unsigned round = 0; round < 400; ++round) {
    const RandomProgram program = generator.program();
    const RegisterAssignment assignment =
        assign_registers(program.widths, program.uses, ControlFlowGraph(program.flow));
    for (unsigned walk = 0; walk < 20; ++walk) {
      ASSERT_TRUE(Walker(program, assignment).run(generator, 300))
          << "program " << round << ", walk " << walk;
    }
  }
}

void check_aliases(const RandomProgram& program, const RegisterAssignment& assignment,
                   const RegisterUse& use) {
  for (const std::uint32_t written : use.writes) {
    EXPECT_TRUE(program.widths[written] != 64 || assignment.slot[written] % 2 == 0);
    for (const std::uint32_t read : use.reads) {
      EXPECT_FALSE(partly_overlap(program, assignment, written, read));
      const bool same_file = (program.widths[written] == 1) == (program.widths[read] == 1);
      EXPECT_FALSE(use.disjoint && written != read && same_file &&
                   assignment.slot[written] == assignment.slot[read]);
    }
  }
}

TEST(PtxRegisterWalk, AliasesWithinAnInstructionAreHarmless) {
  Generator generator(65536);
  for (unsigned round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    const RandomProgram program = generator.program();
    const ControlFlowGraph graph(program.flow);
    const RegisterAssignment assignment = assign_registers(program.widths, program.uses, graph);
    for (const std::uint32_t block : graph.reachable()) {
      for (std::uint32_t i = graph.blocks()[block].first; i < graph.blocks()[block].end; ++i) {
        check_aliases(program, assignment, program.uses[i]);
      }
    }
  }
}

}  // namespace
}  // namespace heddle::ptx
