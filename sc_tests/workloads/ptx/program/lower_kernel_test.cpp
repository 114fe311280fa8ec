#include <gtest/gtest.h>

#include "sc_tests/workloads/ptx/text/parse_support.h"

namespace heddle::ptx {
namespace {

const std::string kKernelHead = ".version 9.0\n.target sm_75\n.address_size 64\n";

TEST(PtxLowering, ParametersAreNaturallyAligned) {
  const Code code =
      load_kernel(kKernelHead +
                  ".entry k(.param .u8 a, .param .u64 .ptr .global .align 4 b, .param .f32 c,\n"
                  ".param .align 8 .b8 d[12])\n"
                  "{ .reg .b64 %rd<3>; .reg .b32 %r<2>; ld.param.u32 %r1, [d+4]; mov.b64 %rd1, d;\n"
                  "ld.param.u64 %rd2, [%rd1+-16]; ret; }");
  ASSERT_EQ(4U, code.params.size());
  EXPECT_EQ(0U, code.params[0].offset);
  EXPECT_EQ(8U, code.params[1].offset);
  EXPECT_EQ(16U, code.params[2].offset);
  EXPECT_EQ(24U, code.params[3].offset);
  EXPECT_EQ(12U, code.params[3].bytes);
  EXPECT_EQ(Type::kB8, code.params[3].type);
  EXPECT_EQ(36U, code.program.param_bytes);
  EXPECT_EQ(Space::kParam, code.operations[0].space);
  EXPECT_EQ(28, code.operations[0].address.offset);
  EXPECT_EQ(24U, code.operations[1].src[0].value);
  EXPECT_TRUE(code.operations[2].address.has_base);
  EXPECT_EQ(-16, code.operations[2].address.offset);
}

TEST(PtxLowering, ParametersEndWhereTheyEnd) {
  EXPECT_EQ("", load_error(in_kernel("ld.param.u32 %r1, [in+60];")));
  EXPECT_EQ(
      "t.ptx:10:19: in 'ld.param.u32 %r1, [in+61]': found an access to 4 bytes at offset 61 of 'in', which "
      "has 64",
      load_error(in_kernel("ld.param.u32 %r1, [in+61];")));
}

TEST(PtxLowering, SharedVariablesShareTheWindow) {
  const Code code = load_kernel(kKernelHead +
                                ".shared .align 4 .b8 unused[100];\n.shared .align 1 .b8 a[3];\n"
                                ".extern .shared .align 16 .b8 dynamic[];\n"
                                ".entry k() { .shared .f64 b; .reg .b64 %rd<4>; mov.u64 %rd1, a;\n"
                                "st.shared.f64 [b], 0d0000000000000000; mov.u64 %rd2, dynamic; ret; }");
  EXPECT_EQ(0U, code.operations[0].src[0].value);
  EXPECT_EQ(8, code.operations[1].address.offset);
  EXPECT_EQ(16U, code.operations[2].src[0].value);
  EXPECT_EQ(16U, code.program.static_shared_bytes);
  EXPECT_TRUE(code.uses_dynamic_shared);
}

TEST(PtxLowering, VariablesBecomeRelocations) {
  const Code code = load_kernel(kKernelHead +
                                ".global .u32 a; .const .u32 b[4];\n"
                                ".entry k() { .reg .b64 %rd<3>; .reg .b32 %r<3>; mov.u64 %rd1, a+4;\n"
                                "ld.const.u32 %r1, [b+8]; selp.b64 %rd2, %rd1, b, 1; ret; }");
  ASSERT_EQ(3U, code.relocations.size());
  EXPECT_EQ(0U, code.relocations[0].operation);
  EXPECT_EQ(0, code.relocations[0].source);
  EXPECT_EQ(0U, code.relocations[0].variable);
  EXPECT_EQ(4U, code.operations[0].src[0].value);
  EXPECT_EQ(1U, code.relocations[1].operation);
  EXPECT_EQ(-1, code.relocations[1].source);
  EXPECT_EQ(1U, code.relocations[1].variable);
  EXPECT_EQ(8, code.operations[1].address.offset);
  EXPECT_EQ(1, code.relocations[2].source);
}

TEST(PtxLowering, ConstantsHaveTheOperationsType) {
  EXPECT_EQ(0xFFFFFFFFU, first_operation("and.b32 %r1, %r2, -1;").src[1].value);
  EXPECT_EQ(0xFFFFFFFFFFFFFFFFU, first_operation("add.s32 %r1, %r2, -1;").src[1].value);
  EXPECT_EQ(0xFFFEU, first_operation("add.u16 %rs1, %rs2, -2;").src[1].value);
  EXPECT_EQ(0x3F800000U, first_operation("mov.f32 %f1, 0f3F800000;").src[0].value);
  EXPECT_EQ(0x3F800000U, first_operation("mov.b32 %r1, 0f3F800000;").src[0].value);
  EXPECT_EQ(0x3FC00000U, first_operation("mov.f32 %f1, 1.5;").src[0].value);
  EXPECT_EQ(0xBFF0000000000000U, first_operation("mov.f64 %fd1, -0d3FF0000000000000;").src[0].value);
  EXPECT_EQ(1U, first_operation("mov.pred %p1, -1;").src[0].value);
  EXPECT_EQ(32U, first_operation("mov.u32 %r1, WARP_SZ;").src[0].value);
}

TEST(PtxLowering, Moves) {
  EXPECT_EQ(Special::kTidY, first_operation("mov.u32 %r1, %tid.y;").src[0].special);
  const Operation pack = first_operation("mov.b64 %rd1, {%r1, 7};");
  EXPECT_EQ(Opcode::kPack, pack.opcode);
  EXPECT_EQ(2, pack.num_src);
  const Operation unpack = first_operation("mov.b64 {_, %r1}, %fd1;");
  EXPECT_EQ(Opcode::kUnpack, unpack.opcode);
  EXPECT_EQ(2, unpack.num_dst);
  EXPECT_EQ(Operand::Kind::kNone, unpack.dst[0].kind);
}

TEST(PtxLowering, PredicatesCanBeInverted) {
  const Operation operation = first_operation("@!%p1 setp.lt.and.s32 %p2|%p3, %r1, %r2, !%p4;");
  EXPECT_GE(operation.guard, 0);
  EXPECT_TRUE(operation.guard_inverted);
  EXPECT_EQ(2, operation.num_dst);
  EXPECT_EQ(3, operation.num_src);
  EXPECT_TRUE(operation.src[2].inverted);
}

TEST(PtxLowering, BranchesGetTargetsAndJoins) {
  const Code code =
      load_kernel(kKernelHead +
                  ".entry k() { .reg .pred %p<2>; .reg .b32 %r<2>;\n"
                  "@%p1 bra $L1; mov.u32 %r1, 1; bra.uni $L2; $L1: mov.u32 %r1, 2; $L2: ret; }");
  EXPECT_EQ(3U, code.operations[0].target);
  EXPECT_EQ(4U, code.operations[0].reconvergence);
  EXPECT_FALSE(code.operations[0].uniform);
  EXPECT_EQ(4U, code.operations[2].target);
  EXPECT_TRUE(code.operations[2].uniform);
}

TEST(PtxLowering, GuardedReturnInAKernelIsAnExitThatSplitsNothing) {
  const Code code = load_kernel(
      kKernelHead + ".entry k() { .reg .pred %p<3>; @%p1 bra L; @%p2 ret; mov.pred %p2, 1; L: ret; }");
  EXPECT_EQ(Opcode::kExit, code.operations[1].opcode);
  EXPECT_GE(code.operations[1].guard, 0);
  EXPECT_EQ(3U, code.operations[0].reconvergence);
}

TEST(PtxLowering, TheEndOfABodyReturns) {
  EXPECT_EQ(Opcode::kExit, load_kernel(kKernelHead + ".entry k() { }").operations.back().opcode);
  const Code code = load_kernel(kKernelHead + ".entry k() { .reg .pred %p<2>; @%p1 bra L; trap; L: }");
  ASSERT_EQ(3U, code.operations.size());
  EXPECT_EQ(Opcode::kExit, code.operations[2].opcode);
  EXPECT_EQ(2U, code.operations[0].target);
}

TEST(PtxLowering, LocalVariablesAreCountedOnceAndAligned) {
  const Code code = load_kernel(kKernelHead +
                                ".entry k() { .local .b8 a[3]; .local .align 8 .b8 b[8]; .reg .b64 %rd<3>;\n"
                                "mov.u64 %rd1, a; st.local.u8 [a+1], 0; mov.u64 %rd2, b; ret; }");
  EXPECT_EQ(0U, code.operations[0].src[0].value);
  EXPECT_EQ(1, code.operations[1].address.offset);
  EXPECT_EQ(8U, code.operations[2].src[0].value);
  EXPECT_EQ(16U, code.program.local_bytes_per_thread);
}

TEST(PtxLowering, GenericAccessByNameUsesTheVariablesSpace) {
  EXPECT_EQ(Space::kShared, first_operation("ld.u32 %r1, [tile+4];").space);
  EXPECT_EQ(Space::kGeneric, first_operation("ld.u32 %r1, [%rd1+4];").space);
}

TEST(PtxLowering, CarryUsesItsOwnPredicate) {
  const Code code = load_kernel(in_kernel("add.cc.u32 %r1, %r2, %r3; addc.u32 %r4, %r5, %r6;"));
  EXPECT_EQ(kCarryPredicate + 1U, code.num_predicates);
  const Instruction& adds = code.program.code[0];
  EXPECT_EQ(Instruction::kFirstPredicate + kCarryPredicate, adds.destinations[adds.num_destinations - 1]);
  const Instruction& reads = code.program.code[1];
  EXPECT_EQ(Instruction::kFirstPredicate + kCarryPredicate, reads.sources[reads.num_sources - 1]);
}

TEST(PtxLowering, TooManyPredicatesIsAnError) {
  std::string body = ".reg .pred %q<66>;\n";
  for (int i = 0; i < 65; ++i) {
    body += "setp.eq.s32 %q" + std::to_string(i) + ", %r1, " + std::to_string(i) + ";\n";
  }
  for (int i = 0; i < 65; ++i) {
    body += "selp.b32 %r2, %r2, %r3, %q" + std::to_string(i) + ";\n";
  }
  EXPECT_EQ("t.ptx:6:17: kernel 'k' keeps 65 predicates alive at once, expected at most 64",
            load_error(in_kernel(body)));
}

}  // namespace
}  // namespace heddle::ptx
