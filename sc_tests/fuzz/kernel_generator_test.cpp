#include "sc_tests/support/kernel_generator.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "workloads/ptx/load.h"

namespace heddle::test {
namespace {

std::string drawn_bytes(std::mt19937& random) {
  std::string bytes(random() % 256, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

TEST(KernelGenerator, KnowsNoInstructionThatIsRefused) {
  for (const std::string& kernel : kernels_of_single_instructions()) {
    const ptx::Module module = ptx::load_text(kernel, "k.ptx");
    EXPECT_TRUE(module.refused.empty()) << (module.refused.empty() ? "" : module.refused.front().error);
  }
}

TEST(KernelGenerator, WritesNoKernelThatIsRefused) {
  constexpr unsigned kKernels = 100;
  std::mt19937 random{20};
  unsigned with_barriers = 0;
  for (unsigned i = 0; i < kKernels; ++i) {
    const std::string bytes = drawn_bytes(random);
    ChoiceStream choices(bytes);
    const GeneratedKernel kernel = generate_kernel(choices);
    const ptx::Module module = ptx::load_text(kernel.ptx, "k.ptx");
    EXPECT_TRUE(module.refused.empty()) << module.refused.front().error << kernel.ptx;
    if (kernel.barriers) ++with_barriers;
  }
  EXPECT_GT(with_barriers, kKernels / 4);
  EXPECT_LT(with_barriers, kKernels * 3 / 4);
}

TEST(KernelGenerator, MakesTheSameKernelOfTheSameChoices) {
  std::mt19937 random{21};
  const std::string bytes = drawn_bytes(random);
  ChoiceStream first(bytes);
  ChoiceStream again(bytes);
  EXPECT_EQ(generate_kernel(first).ptx, generate_kernel(again).ptx);
  ChoiceStream none("");
  EXPECT_LT(generate_kernel(none).ptx.size(), generate_kernel(first = ChoiceStream(bytes)).ptx.size());
}

}  // namespace
}  // namespace heddle::test
