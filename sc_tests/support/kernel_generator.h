#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sc_tests/support/choice_stream.h"

namespace heddle::test {

/// A PTX module with a kernel `k(.param .u64 in, .param .u64 out, .param .u64 sums, .param .u32 n)`. It ends
/// without a fault when `in` has kInputWords words of 32 bits, of any value, `out` output_words() and `sums`
/// kSums, both zero at first, n is kInputWords, and its texture references are bound (textures_of()). What it
/// leaves in `out` and `sums` depends on `in` alone, not on the order in which warps run: a thread writes its
/// own words of `out`, what is added up in `sums` and in shared memory can be in any order, and shared memory
/// is read and written between barriers.
struct GeneratedKernel {
  static constexpr unsigned kInputWords = 256;
  static constexpr unsigned kWordsPerThread = 32;
  static constexpr unsigned kSums = 64;

  std::string ptx;
  std::uint32_t blocks = 1;
  std::uint32_t threads_per_block = 32;
  /// The code has barriers.
  bool barriers = false;

  std::uint32_t output_words() const { return blocks * threads_per_block * kWordsPerThread; }
};

/// The kernel that the choices make. It has at most some 200 instructions; a thread executes at most some
/// 2,000. Without bytes it is the smallest there is.
GeneratedKernel generate_kernel(ChoiceStream& choices);

/// The `textures` of a workload for the texture references of generated kernels that `ptx` declares, of the
/// first kInputWords words of its buffer `in`; "" when there are none.
std::string textures_of(std::string_view ptx);

/// One instruction, or a few that belong together, without a guard or a label; for texts that are changed at
/// random. Its registers are those of a generated kernel.
std::string generate_instruction(ChoiceStream& choices);

/// Each kind of instruction that generate_kernel() knows, in a kernel of its own.
std::vector<std::string> kernels_of_single_instructions();

}  // namespace heddle::test
