// Memory that can only be read, barriers of more threads than there are, and memory that is declared but not
// used.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "sc_tests/workloads/ptx/execution/exec_kernel_support.h"

namespace heddle::ptx::testing {
namespace {

std::string fault_of(const std::string& body, const std::string& module_scope = "", unsigned threads = 32) {
  KernelRun kernel(body, module_scope);
  try {
    kernel.run({1, 1, 1}, {threads, 1, 1});
  } catch (const ExecutionFault& fault) {
    return fault.what();
  }
  return "";
}

TEST(ExecBounds, ConstantsAreOnlyReadByWhateverAddress) {
  const std::string table = ".const .align 4 .u32 table[4] = {1, 2, 3, 4};\n";
  for (const char* const store :
       {"st.global.u32 [%rd3+4], %r1;", "st.u32 [%rd3], %r1;", "atom.add.u32 %r1, [%rd3], 1;",
        "red.global.add.u32 [%rd3], 1;", "st.global.v2.u32 [%rd3+8], {%r1, %r1};"}) {
    const std::string message = fault_of("mov.u64 %rd3, table; " + std::string(store) + " ret;", table);
    EXPECT_NE(message.find("is in the .const variable 'table', which can only be read"), std::string::npos)
        << store << message;
  }
  EXPECT_EQ(fault_of("mov.u64 %rd3, table; ld.const.u32 %r1, [%rd3]; ld.u32 %r1, [%rd3]; ret;", table), "");
}

TEST(ExecBounds, ParametersAreOnlyReadByWhateverAddress) {
  const std::string window = "mov.u64 %rd3, 0x0800000000000000; ";
  for (const char* const store :
       {"st.u32 [%rd3], %r1;", "atom.add.u32 %r1, [%rd3], 1;", "red.add.u32 [%rd3], 1;"}) {
    const std::string message = fault_of(window + store + " ret;");
    EXPECT_NE(message.find("is in the kernel's parameters, which can only be read"), std::string::npos)
        << store << message;
  }
  EXPECT_EQ(fault_of(window + "ld.u64 %rd4, [%rd3]; ret;"), "");
}

TEST(ExecBounds, ABarrierOfMoreThreadsThanTheBlockHas) {
  EXPECT_EQ(fault_of("bar.sync 0, 32; ret;"), "");
  EXPECT_EQ(fault_of("bar.sync 0, 32; ret;", "", 20), "");
  EXPECT_NE(fault_of("bar.sync 0, 64; ret;").find("barrier of 64 threads: the block has 32"),
            std::string::npos);
  // 131,072 warps are none in 16 bits.
  EXPECT_NE(fault_of("bar.sync 0, 4194304; ret;").find("barrier of 4194304 threads"), std::string::npos);
}

/// Kilobytes that the process has in memory.
std::uint64_t resident_kilobytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0;
  statm >> pages >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 1024;
}

TEST(ExecBounds, LocalMemoryTakesOnlyWhatIsTouched) {
  KernelRun kernel(".local .align 4 .b8 stack[524288];\n" + kThreadAddress +
                   "ld.local.u32 %r2, [stack]; add.u32 %r2, %r2, 7; st.local.u32 [stack], %r2; "
                   "st.global.u32 [%rd2], %r2; ret;");
  const std::uint64_t before = resident_kilobytes();
  kernel.run({4, 1, 1}, {1024, 1, 1});  // of 512 MB a block
  EXPECT_LT(resident_kilobytes(), before + 64U * 1024U);
  EXPECT_EQ(kernel.word(1023), 7U);  // zeros again in each block
}

}  // namespace
}  // namespace heddle::ptx::testing
