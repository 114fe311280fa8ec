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

TEST(ExecPrintf, FieldsAndMessagesHaveALongestLength) {
  EXPECT_EQ(format("%4096d", {7}).size(), 4096U);
  EXPECT_EQ(format("%*d|%.0004096d", {4096, 7, 7}).size(), 4096U + 1U + 4096U);
  for (const char* const text :
       {"%4097d", "%.4097f", "%1000000000000d", "%-.1000000000000s", "%99999999999999999999999d"}) {
    EXPECT_THROW(format(text, {7}), MessageError) << text;
  }
  EXPECT_THROW(format("%*d", {2147483647, 7}), MessageError);
  EXPECT_THROW(format("%*d", {0x80000000, 7}), MessageError);  // -2147483648
  std::string text;
  for (unsigned i = 0; i < 257; ++i) text += "%4096c";
  EXPECT_THROW(format(text, std::deque<std::uint64_t>(257, 'a')), MessageError);
}

/// A kernel that prints a format of which it has the address.
KernelRun printing(const std::string& format_address, const std::string& module_scope) {
  return KernelRun("mov.u64 %rd3, 0;\n" + format_address + R"(
    { .param .b64 param0; st.param.b64 [param0], %rd6; .param .b64 param1; st.param.b64 [param1], %rd3;
    .param .b32 retval0;
    call.uni (retval0), vprintf, (param0, param1);
    } st.global.u32 [%rd1], %r2; ret;)",
                   ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n" + module_scope);
}

TEST(ExecPrintf, AFaultNamesThePrintfEvenWhenItIsPutOff) {
  KernelRun kernel =
      printing("mov.u64 %rd5, text; cvta.global.u64 %rd6, %rd5;",
               ".global .align 1 .b8 text[16] = {37, 49, 48, 48, 48, 48, 48, 48, 100, 0};\n");  // %1000000d
  kernel.spec().grid = {1, 1, 1};
  kernel.spec().block = {1, 1, 1};
  const auto launch = kernel.module().launch(kernel.spec());
  const auto block = launch->start(0);
  std::vector<PutOffStep> put_off;
  ExecutionSite site;
  site.put_off = &put_off;
  Step step;
  LaneAddresses addresses;
  while (put_off.empty()) block->step(0, site, step, addresses);
  EXPECT_EQ(launch->program().text[block->next_index(0)].find("st.global"), 0U);
  try {
    block->finish(put_off.front());
    FAIL();
  } catch (const ExecutionFault& fault) {
    const std::string message = fault.what();
    EXPECT_NE(message.find("test.ptx:19: kernel 'k': 'call.uni (retval0), vprintf, (param0, param1)'"),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("found a field of 1000000 characters in a format, expected at most 4096"),
              std::string::npos)
        << message;
  }
}

TEST(ExecPrintf, AStringWithoutAnEnd) {
  std::string text = ".global .align 1 .b8 text[70000] = {65";
  for (unsigned i = 1; i < 70000; ++i) text += ", 65";
  KernelRun kernel = printing("mov.u64 %rd5, text; cvta.global.u64 %rd6, %rd5;", text + "};\n");
  try {
    kernel.run({1, 1, 1}, {1, 1, 1});
    FAIL();
  } catch (const ExecutionFault& fault) {
    EXPECT_NE(std::string(fault.what()).find("a string of more than 65536 characters"), std::string::npos)
        << fault.what();
  }
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
