#include <gtest/gtest.h>

#include "sc_tests/workloads/ptx/text/parse_support.h"

namespace heddle::ptx {
namespace {

const std::string kHead = ".version 9.0\n.target sm_75\n.address_size 64\n";

const std::string kHalf =
    ".func (.param .b32 result) half(.param .b32 x)\n"
    "{ .reg .b32 %r<3>; .reg .pred %p<2>; ld.param.u32 %r1, [x]; setp.eq.s32 %p1, %r1, 0; @%p1 ret;\n"
    "shr.u32 %r2, %r1, 1; st.param.b32 [result+0], %r2; ret; }\n";

std::string call_half(const std::string& guard) {
  return "{ .param .b32 param0; st.param.b32 [param0+0], %r1; .param .b32 retval0;\n" + guard +
         "call.uni (retval0), half, (param0);\nld.param.b32 %r2, [retval0+0]; }\n";
}

TEST(PtxCalls, AreInlinedAsBranches) {
  const Code code = load_kernel(kHead + kHalf + ".entry k() { .reg .b32 %r<4>; mov.u32 %r1, 8;\n" +
                                call_half("") + "add.s32 %r3, %r2, 1; ret; }");
  // mov, st.param, call, ld.param, setp, @p ret, shr, st.param, ret, ld.param, add, ret
  ASSERT_EQ(12U, code.operations.size());
  EXPECT_EQ(Opcode::kMov, code.operations[1].opcode);
  const Operation& call = code.operations[2];
  EXPECT_EQ(Opcode::kBra, call.opcode);
  EXPECT_TRUE(call.uniform);
  EXPECT_EQ(3U, call.target);
  const Operation& early = code.operations[5];
  EXPECT_EQ(Opcode::kBra, early.opcode);
  EXPECT_FALSE(early.uniform);
  EXPECT_EQ(9U, early.target);
  EXPECT_EQ(9U, early.reconvergence);
  EXPECT_EQ(Opcode::kBra, code.operations[8].opcode);
  EXPECT_EQ(9U, code.operations[8].target);
  EXPECT_EQ(Opcode::kMov, code.operations[9].opcode);
  EXPECT_EQ(Control::kBranch, code.program.code[2].control);
  EXPECT_EQ(0U, code.program.local_bytes_per_thread);
}

TEST(PtxCalls, EveryCallHasItsOwnCopy) {
  const Code code = load_kernel(kHead + kHalf + ".entry k() { .reg .b32 %r<4>; mov.u32 %r1, 8;\n" +
                                call_half("") + call_half("") + "ret; }");
  ASSERT_EQ(20U, code.operations.size());
  EXPECT_EQ(9U, code.operations[8].target);
  EXPECT_EQ(18U, code.operations[17].target);
}

TEST(PtxCalls, GuardedCallIsSkipped) {
  const Code code =
      load_kernel(kHead + kHalf + ".entry k() { .reg .b32 %r<4>; .reg .pred %p<2>; mov.u32 %r1, 8;\n" +
                  call_half("@%p1 ") + "ret; }");
  const Operation& call = code.operations[2];
  EXPECT_TRUE(call.guard_inverted);
  EXPECT_FALSE(call.uniform);
  EXPECT_EQ(9U, call.target);
  EXPECT_EQ(9U, call.reconvergence);
}

TEST(PtxCalls, ParametersByAddressLieInLocalMemory) {
  const Code code = load_kernel(
      kHead +
      ".func f(.param .align 8 .b8 s[16]) { .reg .b64 %rd<3>; .reg .b32 %r<2>; mov.b64 %rd1, s;\n"
      "ld.param.u32 %r1, [%rd1+4]; ret; }\n"
      ".entry k() { .reg .b64 %rd<3>; { .param .align 8 .b8 param0[16]; st.param.b64 [param0+8], %rd1;\n"
      "call f, (param0); } ret; }");
  EXPECT_EQ(16U, code.program.local_bytes_per_thread);
  EXPECT_EQ(Opcode::kSt, code.operations[0].opcode);
  EXPECT_EQ(Space::kLocal, code.operations[0].space);
  EXPECT_EQ(8, code.operations[0].address.offset);
  EXPECT_EQ(0U, code.operations[2].src[0].value);
  EXPECT_EQ(Space::kLocal, code.operations[3].space);
}

TEST(PtxCalls, OverlappingPiecesLieInLocalMemory) {
  const Code code =
      load_kernel(kHead +
                  ".func f(.param .align 8 .b8 s[8]) { .reg .b64 %rd<3>; ld.param.b64 %rd1, [s]; ret; }\n"
                  ".entry k() { .reg .b32 %r<3>; { .param .align 8 .b8 param0[8];\n"
                  "st.param.v2.b32 [param0], {%r1, %r2}; call f, (param0); } ret; }");
  EXPECT_EQ(Space::kLocal, code.operations[0].space);
  EXPECT_EQ(2, code.operations[0].vector);
  EXPECT_EQ(Space::kLocal, code.operations[2].space);
}

TEST(PtxCalls, NarrowPiecesAreExtended) {
  const Code code = load_kernel(kHead +
                                ".func f(.param .b8 c) { .reg .b32 %r<3>; ld.param.s8 %r1, [c]; ret; }\n"
                                ".entry k() { .reg .b16 %rs<3>; { .param .b8 param0;\n"
                                "st.param.b8 [param0], %rs1; call f, (param0); } ret; }");
  const Operation& load = code.operations[2];
  EXPECT_EQ(Opcode::kCvt, load.opcode);
  EXPECT_EQ(Type::kS32, load.type);
  EXPECT_EQ(Type::kS8, load.source_type);
}

TEST(PtxCalls, RegisterParametersOfOldCode) {
  const Code code =
      load_kernel(kHead +
                  ".func (.reg .b32 %out) twice(.reg .b32 %in) { add.s32 %out, %in, %in; ret; }\n"
                  ".entry k() { .reg .b32 %r<3>; call (%r1), twice, (%r2); call (%r1), twice, (5); ret; }");
  // mov, call, add, ret, mov, twice, then exit
  ASSERT_EQ(11U, code.operations.size());
  EXPECT_EQ(Opcode::kMov, code.operations[0].opcode);
  EXPECT_EQ(Opcode::kMov, code.operations[4].opcode);
  EXPECT_EQ(5U, code.operations[5].src[0].value);
}

TEST(PtxCalls, SharedVariablesOfFunctionsAreOnePerBlock) {
  const Code code =
      load_kernel(kHead +
                  ".func f() { .shared .u32 count; .reg .b32 %r<2>; ld.shared.u32 %r1, [count]; ret; }\n"
                  ".entry k() { .shared .u32 mine; st.shared.u32 [mine], 0; call f; call f; ret; }");
  EXPECT_EQ(8U, code.program.static_shared_bytes);
  EXPECT_EQ(code.operations[2].address.offset, code.operations[5].address.offset);
}

const std::string kLibrary =
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 bytes);\n";

TEST(PtxCalls, PrintfTakesBothAddresses) {
  const Code code = load_kernel(
      kHead + kLibrary +
      ".entry k() { .reg .b64 %rd<3>; .reg .b32 %r<2>; { .param .b64 param0; st.param.b64 [param0+0], %rd1;\n"
      ".param .b64 param1; st.param.b64 [param1], 0; .param .b32 retval0;\n"
      "call.uni (retval0), vprintf, (param0, param1); ld.param.b32 %r1, [retval0]; } ret; }");
  const Operation& print = code.operations[2];
  EXPECT_EQ(Opcode::kPrintf, print.opcode);
  EXPECT_EQ(2, print.num_src);
  EXPECT_EQ(64, print.src[0].bits);
  EXPECT_EQ(1, print.num_dst);
}

TEST(PtxCalls, AssertionIsATrapThatJoinsTheRest) {
  const Code code =
      load_kernel(kHead + kLibrary +
                  ".entry k() { .reg .b64 %rd<3>; .reg .b32 %r<2>; .reg .pred %p<2>; @%p1 bra L;\n"
                  "call.uni __assertfail, (%rd1, %rd1, 7, %rd1, 1); L: ret; }");
  const Operation& trap = code.operations[1];
  EXPECT_EQ(Opcode::kTrap, trap.opcode);
  EXPECT_EQ(3, trap.num_src);
  EXPECT_EQ(7U, trap.src[2].value);
  EXPECT_EQ(2U, code.operations[0].reconvergence);
}

TEST(PtxCalls, WhatCanNotBeInlined) {
  const auto error = [](const std::string& text) { return load_error(kHead + kLibrary + text); };
  EXPECT_EQ(
      "t.ptx:9:35: found recursion in kernel 'k': f -> g -> f; device functions are inlined, so they can't "
      "call themselves",
      error(
          ".func f();\n.func g() { call f; ret; }\n.func f() { call g; ret; } .entry k() { call f; ret; }"));
  EXPECT_EQ(
      "t.ptx:7:31: in 'call (%r1), malloc, (%r1)': found a call of 'malloc', which has no body in this file; "
      "of library functions only vprintf and __assertfail are supported",
      error(".entry k() { .reg .b64 %r<2>; call (%r1), malloc, (%r1); ret; }"));
  EXPECT_NE(std::string::npos,
            error(".entry k() { .reg .b64 %r<2>; call %r1, (), P; ret; }").find("indirect call"));
  EXPECT_NE(std::string::npos,
            error(".func half(); .entry k() { call hal; ret; }").find("did you mean 'half'?"));
  EXPECT_NE(std::string::npos, error(".func f(.param .b32 x) { ret; } .entry k() { call f; ret; }")
                                   .find("found 0 arguments and 0 results, expected 1 and 0"));
}

}  // namespace
}  // namespace heddle::ptx
