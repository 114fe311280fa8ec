// Kernels that need more registers than a thread may have.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sc_tests/workloads/ptx/execution/exec_kernel_support.h"

namespace heddle::ptx::testing {
namespace {

using ::testing::HasSubstr;

CompileOptions at_most(unsigned registers) {
  CompileOptions options;
  options.max_registers = registers;
  return options;
}

/// Keeps `count` words alive past a loop that needs few registers: data[64 + tid] = sum of (tid + i) * i,
/// plus what the loop counts.
std::string many_alive(unsigned count) {
  std::string body = kThreadAddress;
  for (unsigned i = 0; i < count; ++i) body += fmt::format("mul.lo.s32 %r{}, %r1, {};\n", 10 + i, i + 3);
  body +=
      "mov.u32 %r2, 0;\nmov.u32 %r3, 0;\nAGAIN:\nadd.s32 %r3, %r3, %r1;\nadd.s32 %r2, %r2, 1;\n"
      "setp.lt.u32 %p1, %r2, 5;\n@%p1 bra AGAIN;\n";
  for (unsigned i = 0; i < count; ++i) body += fmt::format("add.s32 %r3, %r3, %r{};\n", 10 + i);
  return body + "st.global.u32 [%rd2+256], %r3;\nret;\n";
}

std::uint32_t expected_of_many(unsigned count, unsigned thread) {
  std::uint32_t sum = 5 * thread;
  for (unsigned i = 0; i < count; ++i) sum += thread * (i + 3);
  return sum;
}

unsigned local_accesses(const Program& program, unsigned first, unsigned end) {
  unsigned found = 0;
  for (unsigned i = first; i < end; ++i) found += program.code[i].space == Space::kLocal ? 1 : 0;
  return found;
}

/// A compiler that is given fewer registers than it would take for speed does with what it must have first.
TEST(Spilling, BeginsOneRegisterBelowWhatAKernelMustHave) {
  unsigned limit = KernelRun(many_alive(16)).module().module().find("k")->program.registers_per_thread;
  ASSERT_GT(limit, 16U);
  while (KernelRun(many_alive(16), "", at_most(limit)).module().module().find_spilled("k") == nullptr)
    --limit;
  const KernelRun fits(many_alive(16), "", at_most(limit + 1));
  EXPECT_EQ(fits.module().module().find("k")->program.registers_per_thread, limit + 1);
  const KernelRun spilling(many_alive(16), "", at_most(limit));
  const Program& spilled = spilling.module().module().find_spilled("k")->program;
  EXPECT_EQ(spilled.registers_per_thread, limit);
  EXPECT_EQ(spilled.spilled_bytes_per_thread, 4U);
  EXPECT_EQ(spilled.local_bytes_per_thread, 8U) << "a thread's local memory is a multiple of 8 bytes";
  EXPECT_EQ(spilled.code.size(), spilling.module().module().find("k")->program.code.size() + 2);
}

TEST(Spilling, KeepsWhatTheKernelComputes) {
  for (const unsigned limit : {20U, 14U, 10U}) {
    KernelRun run(many_alive(16), "", at_most(limit));
    const Code* const spilled = run.module().module().find_spilled("k");
    ASSERT_NE(spilled, nullptr) << limit;
    EXPECT_LE(spilled->program.registers_per_thread, limit);
    run.run({1, 1, 1}, {64, 1, 1});
    for (unsigned thread = 0; thread < 64; ++thread)
      EXPECT_EQ(run.word(64 + thread), expected_of_many(16, thread));
  }
}

TEST(Spilling, LeavesLoopsAlone) {
  const KernelRun run(many_alive(16), "", at_most(14));
  const Program& program = run.module().module().find_spilled("k")->program;
  unsigned end = 0;
  unsigned first = 0;
  for (unsigned i = 0; i < program.code.size(); ++i) {
    if (program.code[i].control != Control::kBranch) continue;
    end = i;
    first = run.module().module().find_spilled("k")->operations[i].target;
  }
  ASSERT_LT(first, end);
  EXPECT_EQ(local_accesses(program, first, end), 0U);
  EXPECT_EQ(local_accesses(program, 0, static_cast<unsigned>(program.code.size())),
            2 * program.spilled_bytes_per_thread / 4);
}

/// What is spilled here is 64 bits wide, written under a guard, changed in a loop whose head a branch goes
/// to, and read under divergence.
TEST(Spilling, ServesGuardsDivergenceLoopsAndWideRegisters) {
  const std::string body = kThreadAddress +
                           "mov.u64 %rd3, 7;\nmov.u64 %rd4, 11;\nmov.u64 %rd5, 13;\nmov.u32 %r2, 0;\n"
                           "setp.gt.u32 %p1, %r1, 20;\n@%p1 mov.u64 %rd3, 100;\nand.b32 %r4, %r1, 1;\n"
                           "setp.eq.u32 %p2, %r4, 0;\n"
                           "AGAIN:\nadd.s64 %rd3, %rd3, %rd4;\n@%p2 add.s64 %rd5, %rd5, %rd3;\n"
                           "add.s32 %r2, %r2, 1;\nsetp.le.u32 %p3, %r2, %r1;\n@%p3 bra AGAIN;\n"
                           "add.s64 %rd5, %rd5, %rd4;\nadd.s64 %rd5, %rd5, %rd3;\ncvt.u32.u64 %r5, %rd5;\n"
                           "st.global.u32 [%rd2], %r5;\nret;\n";
  KernelRun plain(body);
  plain.run({1, 1, 1}, {32, 1, 1});
  unsigned spilling = 0;
  for (unsigned limit = 14; limit > 0; --limit) {
    KernelRun run(body, "", at_most(limit));
    if (run.module().module().find("k") == nullptr) break;  // no operation has enough
    if (run.module().module().find_spilled("k") == nullptr) continue;
    ++spilling;
    run.run({1, 1, 1}, {32, 1, 1});
    for (unsigned thread = 0; thread < 32; ++thread)
      EXPECT_EQ(run.word(thread), plain.word(thread)) << limit << " registers, thread " << thread;
  }
  EXPECT_GE(spilling, 3U);
}

TEST(Spilling, LiesAfterTheKernelsOwnLocalMemory) {
  const std::string body =
      ".local .align 4 .b8 own[12];\nmov.u64 %rd5, own;\nmov.u32 %r2, 77;\n"
      "st.local.u32 [%rd5+8], %r2;\n" +
      many_alive(12);
  const KernelRun run(body, "", at_most(12));
  const Program& program = run.module().module().find_spilled("k")->program;
  EXPECT_EQ(program.local_bytes_per_thread, (16 + program.spilled_bytes_per_thread + 7) / 8 * 8);
}

/// `registers` of a workload is what a compiler has made of the kernel.
TEST(Spilling, IsNotForALaunchThatSaysItsRegisters) {
  KernelRun run(many_alive(16), "", at_most(12));
  run.spec().grid = {1, 1, 1};
  run.spec().block = {32, 1, 1};
  EXPECT_NE(run.module().launch(run.spec())->program().spilled_bytes_per_thread, 0U);
  run.spec().registers_per_thread = 12;
  const auto launch = run.module().launch(run.spec());
  EXPECT_EQ(launch->program().spilled_bytes_per_thread, 0U);
  EXPECT_EQ(launch->registers_per_thread(), 12U);
}

TEST(Spilling, HasCodeOfItsOwn) {
  KernelRun run(many_alive(16), "", at_most(12));
  run.spec().grid = {1, 1, 1};
  run.spec().block = {32, 1, 1};
  const std::uint64_t spilled = run.module().launch(run.spec())->code_base();
  run.spec().registers_per_thread = 12;
  EXPECT_NE(run.module().launch(run.spec())->code_base(), spilled);
}

TEST(Spilling, FollowsMaxnreg) {
  const std::string head =
      ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n";
  const std::string body =
      "{\n.reg .b32 %r<32>;\n.reg .b64 %rd<16>;\n.reg .pred %p<8>;\n" + many_alive(16) + "}\n";
  EXPECT_TRUE(load_text(head + body, "k.ptx").spilled.empty());
  EXPECT_EQ(load_text(head + ".maxnreg 14\n" + body, "k.ptx").spilled.size(), 1U);
  EXPECT_LE(load_text(head + ".maxnreg 14\n" + body, "k.ptx").spilled.at(0).program.registers_per_thread,
            14U);
  EXPECT_LE(load_text(head + ".maxnreg 14\n" + body, "k.ptx", at_most(12))
                .spilled.at(0)
                .program.registers_per_thread,
            12U);
}

TEST(Spilling, RefusesAKernelThatNeedsMoreInOneOperation) {
  const KernelRun run(many_alive(16), "", at_most(2));
  const RefusedKernel* const refused = run.module().module().find_refused("k");
  ASSERT_NE(refused, nullptr);
  EXPECT_THAT(refused->error,
              HasSubstr("registers per thread with all else in local memory, expected at most 2"));
}

TEST(Spilling, CountsOfAnotherCompilerGoBeforeOnesOwn) {
  CompileOptions options;
  options.registers["k"] = 29;
  const KernelRun run(many_alive(4), "", options);
  EXPECT_EQ(run.module().module().find("k")->program.registers_per_thread, 29U);
}

}  // namespace
}  // namespace heddle::ptx::testing
