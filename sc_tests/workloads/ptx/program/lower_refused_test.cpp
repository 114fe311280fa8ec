// What has a meaning in the grammar, but none on the hardware, or would reach past what is there.
#include <gtest/gtest.h>

#include <string>

#include "sc_tests/workloads/ptx/text/parse_support.h"

namespace heddle::ptx {
namespace {

const std::string kRefusedHead = ".version 9.0\n.target sm_75\n.address_size 64\n";

void expect_refused(const std::string& body, const std::string& why) {
  const std::string message = load_error(in_kernel(body));
  EXPECT_NE(message.find(why), std::string::npos) << body << ": " << message;
}

TEST(LowerRefused, WritesToWhatCanOnlyBeRead) {
  expect_refused("st.const.u32 [table], %r1;",
                 "'st' needs a space that can be written, which '.const' can't");
  expect_refused("st.const.u32 [%rd1], %r1;", "'.const' can't");
  for (const std::string space : {"const", "param", "local"}) {
    expect_refused("atom." + space + ".add.u32 %r1, [%rd1], %r2;",
                   "'atom' needs '.global', '.shared' or a generic");
    expect_refused("red." + space + ".add.u32 [%rd1], %r2;", "'red' needs '.global', '.shared' or a generic");
  }
  expect_refused("st.param.u32 [in], %r1;", "store to a kernel's parameter");
  expect_refused("st.u32 [in], %r1;", "kernel's parameter");
  expect_refused("st.u32 [table], %r1;", "constant");
  expect_refused("atom.add.u32 %r1, [table], %r2;", "constant");
  expect_refused("red.add.u32 [in], %r2;", "kernel's parameter");
  EXPECT_EQ(load_error(in_kernel("st.u32 [heap], %r1; st.u32 [tile], %r1; st.u32 [frame], %r1;")), "");
}

TEST(LowerRefused, KernelsThatNameAVariableWithTheAddressOfAFunction) {
  const std::string entry = ".entry k() { .reg .b64 %rd<2>; ";
  const Module module =
      load_text(kRefusedHead + ".func add() { ret; }\n.global .u64 table[2] = {0, add};\n" +
                    ".const .u64 to_table = table;\n" + entry + "ret; }\n.entry j() { ret; }\n" +
                    ".entry i() { .reg .b64 %rd<2>; ld.global.u64 %rd1, [table+8]; ret; }\n" +
                    ".entry h() { .reg .b64 %rd<2>; ld.const.u64 %rd1, [to_table]; ret; }\n",
                "t.ptx");
  EXPECT_EQ(module.kernels.size(), 2U);
  ASSERT_EQ(module.refused.size(), 2U);
  for (const RefusedKernel& kernel : module.refused) {
    EXPECT_NE(kernel.error.find("which holds the address of function 'add'"), std::string::npos)
        << kernel.error;
    EXPECT_NE(kernel.error.find("function pointers are not supported"), std::string::npos) << kernel.error;
  }
}

TEST(LowerRefused, AnOffsetWithoutItsSign) {
  expect_refused("ld.global.u32 %r1, [%rd1 8];", "found '8', expected ']' to close an address");
  expect_refused("ld.global.u32 %r1, [heap 8];", "expected ']'");
  expect_refused("ld.global.u32 %r1, [%rd1 (8)];", "expected ']'");
  expect_refused("ld.global.u32 %r1, [8 %rd1];", "expected ']'");
  EXPECT_EQ(first_operation("ld.global.u32 %r1, [%rd1+-8];").address.offset, -8);
  EXPECT_EQ(first_operation("ld.global.u32 %r1, [%rd1-8];").address.offset, -8);
  EXPECT_EQ(first_operation("ld.global.u32 %r1, [8+8];").address.offset, 16);
}

TEST(LowerRefused, OffsetsAtTheEndsOfTheirRange) {
  for (const std::string offset :
       {"9223372036854775807", "9223372036854775805", "-9223372036854775808", "-1"}) {
    expect_refused("ld.param.u32 %r1, [in+" + offset + "];", "of 'in', which has 64");
    expect_refused("ld.param.v4.u32 {%r1, %r2, %r3, %r4}, [in+" + offset + "];", "of 'in', which has 64");
    EXPECT_EQ(load_error(in_kernel("ld.global.u32 %r1, [heap+" + offset + "]; ld.local.u32 %r1, [frame+" +
                                   offset + "]; ld.global.u32 %r1, [%rd1+" + offset + "];")),
              "");
  }
}

TEST(LowerRefused, RegistersOfAnotherKindOfNumber) {
  expect_refused("add.u32 %r1, %f1, %r2;", "found register '%f1' of type .f32, expected .u32");
  expect_refused("st.global.s32 [%rd1], %f1;", "found register '%f1' of type .f32, expected .s32");
  expect_refused("ld.global.u64 %fd1, [%rd1];", "found register '%fd1' of type .f64, expected .u64");
  expect_refused("ld.global.f32 %fd1, [%rd1];", "found register '%fd1' of type .f64, expected .f32");
  expect_refused("cvt.rn.f32.s32 %f1, %f2;", "found register '%f2' of type .f32, expected .s32");
  expect_refused("ld.global.u32 %r1, [%fd1];",
                 "found an address register of type .f64, expected an integer of 32 or 64 bits");
  EXPECT_EQ(
      load_error(in_kernel(
          "mov.b32 %r1, %f1; add.f32 %r1, %f1, %f2; ld.global.b32 %f1, [%rd1]; st.global.b64 [%rd1], %fd1;")),
      "");
}

TEST(LowerRefused, ElementsOfDifferentWidthsInALoad) {
  expect_refused("ld.global.v2.u32 {%r1, %rd1}, [%rd2];",
                 "found register '%rd1' of 64 bits in a vector, expected 32");
  expect_refused("ld.global.v2.u16 {%rs1, %r1}, [%rd2];",
                 "found register '%r1' of 32 bits in a vector, expected 16");
  EXPECT_EQ(load_error(in_kernel("ld.global.v2.u16 {%r1, %r2}, [%rd2]; ld.global.v2.u32 {_, %r2}, [%rd2];")),
            "");
}

TEST(LowerRefused, TypesWithoutRowsOfTheirWidth) {
  for (const char* const instruction :
       {"activemask.pred %p1;", "activemask.b64 %rd1;", "shfl.idx.pred %p1, %p2, 0, 31;",
        "shfl.idx.b64 %rd1, %rd2, 0, 31;", "prmt.b64 %rd1, %rd2, %rd3, 0;", "prmt.pred %p1, %p2, %p3, 0;",
        "bmsk.b64 %rd1, 0, 1;", "bmsk.pred %p1, 0, 1;", "fns.pred %p1, 0, 1;",
        "match.any.sync.pred %r1, %p1, -1;", "cvta.global.pred %p1, %p2;", "cvta.global.u16 %rs1, %rs2;",
        "slct.pred.s32 %p1, %p2, %p3, %r1;", "testp.finite.u32 %p1, %r1;", "testp.finite.f16 %p1, %rs1;"}) {
    EXPECT_NE(load_error(in_kernel(instruction)), "") << instruction;
  }
}

TEST(LowerRefused, ParametersOfCallsThatDoNotFitTheirFormals) {
  const std::string callee = ".func f(.param .b64 x) { .reg .b64 %a; ld.param.u64 %a, [x]; ret; }\n";
  const auto call = [&](const std::string& type) {
    return load_error(kRefusedHead + callee + ".entry k() { .reg .b32 %r; .param ." + type +
                      " p; st.param.b32 [p], 1; call f, (p); ret; }\n");
  };
  EXPECT_NE(call("b32").find("found 'p' of 4 bytes, expected 8 as 'f' declares for 'x'"), std::string::npos)
      << call("b32");
  const std::string bytes = ".func f(.param .b8 x[8]) { .reg .b64 %a; ld.param.u64 %a, [x]; ret; }\n";
  const std::string message = load_error(kRefusedHead + bytes + ".entry k() { call f, (1); ret; }\n");
  EXPECT_NE(message.find("expected one of 16 bits as elsewhere in the kernel"), std::string::npos) << message;
}

// These ended with the standard library's words for a key or a place that is not there.
TEST(LowerRefused, InitialValuesThatReachPastTheirVariable) {
  const auto error = [](const std::string& text) { return load_error(kRefusedHead + text); };
  EXPECT_NE(error(".global .u32 a[2] = {1, {2, 3, 4}};").find("found braces in braces"), std::string::npos);
  EXPECT_NE(error(".global .u32 a[2][0] = {{1, 2, 3}};").find("found array size 0, expected 1"),
            std::string::npos);
  EXPECT_NE(error(".global .u32 a[2][] = {{1, 2, 3}};").find("found ']', expected an array size"),
            std::string::npos);
  EXPECT_NE(
      error(".extern .global .u32 a;\n.global .u64 b = a;").find("declared .extern in line 4 but nowhere"),
      std::string::npos);
  EXPECT_NE(error(".global .texref a;\n.global .u64 b = a;").find("textures"), std::string::npos);
}

}  // namespace
}  // namespace heddle::ptx
