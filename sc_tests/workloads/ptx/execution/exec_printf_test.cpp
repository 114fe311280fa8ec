#include <gtest/gtest.h>

#include <deque>

#include "sc_tests/workloads/ptx/execution/exec_kernel_support.h"
#include "workloads/ptx/execution/execute_printf.h"

namespace heddle::ptx::testing {
namespace {

std::string format(const std::string& text, std::deque<std::uint64_t> arguments) {
  return format_message(
      text,
      [&](unsigned /*bytes*/) {
        const std::uint64_t next = arguments.front();
        arguments.pop_front();
        return next;
      },
      [](std::uint64_t address) { return "string " + std::to_string(address); });
}

TEST(ExecPrintf, ConversionsFollowTheirModifiers) {
  EXPECT_EQ(format("%d|%u|%x|%ld", {0xFFFFFFFF, 0xFFFFFFFF, 255, ~std::uint64_t{0}}), "-1|4294967295|ff|-1");
  EXPECT_EQ(format("%5.2f|%e", {0x400921FB54442D18, 0x3FF0000000000000}), " 3.14|1.000000e+00");
  EXPECT_EQ(format("%c%%%s|%-4d|%*d", {'A', 7, 5, 4, 9}), "A%string 7|5   |   9");
  EXPECT_EQ(format("%llu%n", {1234567890123456789U}), "1234567890123456789%n");
}

TEST(ExecPrintf, EachThreadPrintsInLaneOrder) {
  KernelRun kernel(".local .align 8 .b8 arguments[16];\n" + kThreadAddress + R"(
    mov.u64 %rd3, arguments; cvta.local.u64 %rd4, %rd3; st.local.u32 [arguments], %r1;
    mov.f64 %fd1, 0d3FE0000000000000; st.local.f64 [arguments+8], %fd1; mov.u64 %rd5, text;
    cvta.global.u64 %rd6, %rd5; { .param .b64 param0; st.param.b64 [param0], %rd6; .param .b64 param1;
    st.param.b64 [param1], %rd4; .param .b32 retval0; call.uni (retval0), vprintf, (param0, param1);
    ld.param.b32 %r2, [retval0]; } st.global.u32 [%rd2], %r2; ret;)",
                   ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
                   ".global .align 1 .b8 text[11] = {116, 61, 37, 100, 32, 37, 46, 49, 102, 10, 0};");
  ::testing::internal::CaptureStdout();
  kernel.run({1, 1, 1}, {3, 1, 1});
  std::fflush(stdout);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "t=0 0.5\nt=1 0.5\nt=2 0.5\n");
  EXPECT_EQ(kernel.word(2), 2U);
}

}  // namespace
}  // namespace heddle::ptx::testing
