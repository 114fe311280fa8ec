#include <gtest/gtest.h>

#include "sc_tests/workloads/ptx/text/parse_support.h"

namespace heddle::ptx {
namespace {

Instruction first_instruction(const std::string& body) {
  return load_kernel(in_kernel(body)).program.code.at(0);
}

struct RowCase {
  const char* instruction;
  OpClass row;
  Unit unit;
};

class PtxMetadataRows : public ::testing::TestWithParam<RowCase> {};

// gtx480.md, "FUs": int on SP, doubles and transcendentals on SFU, divisions of floats on SFU.
TEST_P(PtxMetadataRows, UnitAndRow) {
  const Instruction instruction = first_instruction(GetParam().instruction);
  EXPECT_EQ(GetParam().row, instruction.op_class) << GetParam().instruction;
  EXPECT_EQ(GetParam().unit, instruction.unit) << GetParam().instruction;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, PtxMetadataRows,
    ::testing::Values(RowCase{"mov.u32 %r1, 1;", OpClass::kSimple, Unit::kSp},
                      RowCase{"setp.lt.f64 %p1, %fd1, %fd2;", OpClass::kSimple, Unit::kSp},
                      RowCase{"sub.s64 %rd1, %rd2, %rd3;", OpClass::kIntAdd, Unit::kSp},
                      RowCase{"min.u32 %r1, %r2, %r3;", OpClass::kIntMinMax, Unit::kSp},
                      RowCase{"mul.wide.s32 %rd1, %r2, %r3;", OpClass::kIntMul, Unit::kSp},
                      RowCase{"mad.lo.s32 %r1, %r2, %r3, %r4;", OpClass::kIntMad, Unit::kSp},
                      RowCase{"rem.u32 %r1, %r2, %r3;", OpClass::kIntDiv, Unit::kSp},
                      RowCase{"add.f32 %f1, %f2, %f3;", OpClass::kFp32Add, Unit::kSp},
                      RowCase{"max.f32 %f1, %f2, %f3;", OpClass::kFp32MinMax, Unit::kSp},
                      RowCase{"mul.f32 %f1, %f2, %f3;", OpClass::kFp32Mul, Unit::kSp},
                      RowCase{"fma.rn.f32 %f1, %f2, %f3, %f4;", OpClass::kFp32Mad, Unit::kSp},
                      RowCase{"div.rn.f32 %f1, %f2, %f3;", OpClass::kFp32Div, Unit::kSfu},
                      RowCase{"add.f64 %fd1, %fd2, %fd3;", OpClass::kFp64Add, Unit::kSfu},
                      RowCase{"min.f64 %fd1, %fd2, %fd3;", OpClass::kFp64MinMax, Unit::kSfu},
                      RowCase{"mul.f64 %fd1, %fd2, %fd3;", OpClass::kFp64Mul, Unit::kSfu},
                      RowCase{"fma.rn.f64 %fd1, %fd2, %fd3, %fd4;", OpClass::kFp64Mad, Unit::kSfu},
                      RowCase{"div.rn.f64 %fd1, %fd2, %fd3;", OpClass::kFp64Div, Unit::kSfu},
                      RowCase{"ex2.approx.f32 %f1, %f2;", OpClass::kTranscendental, Unit::kSfu},
                      RowCase{"sqrt.rn.f64 %fd1, %fd2;", OpClass::kTranscendental, Unit::kSfu},
                      RowCase{"shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;", OpClass::kShuffle, Unit::kSp},
                      RowCase{"ld.global.u32 %r1, [%rd1];", OpClass::kMemory, Unit::kLdst}));

TEST(PtxMetadata, Control) {
  EXPECT_EQ(Control::kBranch, first_instruction("bra DONE;").control);
  EXPECT_EQ(Control::kBarrier, first_instruction("bar.sync 0;").control);
  EXPECT_EQ(Control::kBarrier, first_instruction("bar.red.or.pred %p1, 0, %p2;").control);
  EXPECT_EQ(Control::kNone, first_instruction("bar.warp.sync -1;").control);
  EXPECT_EQ(Control::kMembar, first_instruction("membar.gl;").control);
  EXPECT_EQ(Control::kExit, first_instruction("ret;").control);
  EXPECT_EQ(Control::kNone, first_instruction("add.s32 %r1, %r2, %r3;").control);
}

TEST(PtxMetadata, MemoryAccesses) {
  const Instruction load = first_instruction("ld.global.cg.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];");
  EXPECT_EQ(MemOp::kLoad, load.mem);
  EXPECT_EQ(Space::kGlobal, load.space);
  EXPECT_EQ(CacheOp::kGlobalLevel, load.cache);
  EXPECT_EQ(16, load.bytes_per_lane);
  EXPECT_EQ(4, load.element_bytes);
  EXPECT_EQ(4, load.num_destinations);
  EXPECT_EQ(2, load.num_sources);
  const Instruction store = first_instruction("st.shared.v2.u8 [%r1], {%rs1, %rs2};");
  EXPECT_EQ(MemOp::kStore, store.mem);
  EXPECT_EQ(Space::kShared, store.space);
  EXPECT_EQ(2, store.bytes_per_lane);
  EXPECT_EQ(1, store.element_bytes);
  EXPECT_EQ(3, store.num_sources);
  EXPECT_EQ(0, store.num_destinations);
  EXPECT_EQ(MemOp::kAtomic, first_instruction("atom.global.add.u32 %r1, [%rd1], 1;").mem);
  EXPECT_EQ(MemOp::kReduction, first_instruction("red.global.add.u32 [%rd1], 1;").mem);
  EXPECT_EQ(Space::kParam, first_instruction("ld.param.u32 %r1, [in];").space);
  EXPECT_EQ(Space::kGeneric, first_instruction("ld.u32 %r1, [%rd1];").space);
}

TEST(PtxMetadata, WideOperandsListBothRegisters) {
  const Instruction add = first_instruction("add.s64 %rd1, %rd2, %rd3;");
  EXPECT_EQ(4, add.num_sources);
  EXPECT_EQ(2, add.num_destinations);
  EXPECT_EQ(add.destinations[0] + 1, add.destinations[1]);
}

TEST(PtxMetadata, GeneralRegistersAndThoseOfAnAddressAreCounted) {
  const Instruction store = first_instruction("@%p1 st.global.u32 [%rd1], %r1;");
  EXPECT_EQ(4, store.num_sources);
  EXPECT_EQ(3, store.num_general_sources);
  EXPECT_EQ(2, store.num_address_sources);
  const Instruction compare = first_instruction("setp.eq.s32 %p1, %r1, %r2;");
  EXPECT_EQ(2, compare.num_general_sources);
  EXPECT_EQ(0, compare.num_general_destinations);
  EXPECT_EQ(0, compare.num_address_sources);
}

/// Loads of shared and constant memory do not count.
TEST(PtxMetadata, RegistersThatNoLoadWritesAreTold) {
  const Code code =
      load_kernel(in_kernel("ld.global.u32 %r1, [%rd1]; ld.shared.u64 %rd2, [%r4]; add.s32 %r2, %r1, 1; "
                            "add.s32 %r1, %r1, %r2; st.global.u64 [%rd3], %rd2; st.global.u32 [%rd3], %r1;"));
  EXPECT_EQ(0, code.program.code[0].never_loaded);
  EXPECT_EQ(3, code.program.code[1].never_loaded);
  EXPECT_EQ(1, code.program.code[2].never_loaded);
  EXPECT_EQ(0, code.program.code[3].never_loaded);
}

TEST(PtxMetadata, EveryRegisterIsListedOnce) {
  EXPECT_EQ(1, first_instruction("mad.lo.s32 %r1, %r2, %r2, %r2;").num_sources);
}

TEST(PtxMetadata, PredicatesFollowTheGeneralRegisters) {
  const Instruction select = first_instruction("@%p1 selp.b32 %r1, %r2, %r3, %p2;");
  ASSERT_EQ(4, select.num_sources);
  EXPECT_LT(select.sources[1], Instruction::kFirstPredicate);
  EXPECT_GE(select.sources[2], Instruction::kFirstPredicate);
  EXPECT_GE(select.sources[3], Instruction::kFirstPredicate);
  const Instruction compare = first_instruction("setp.eq.s32 %p1|%p2, %r1, 0;");
  EXPECT_EQ(2, compare.num_destinations);
}

TEST(PtxMetadata, LoadsDoNotOverwriteTheirAddress) {
  const Code code =
      load_kernel(in_kernel("ld.global.v2.u64 {%rd1, %rd2}, [%rd3]; st.global.v2.u64 [%rd9], {%rd1, %rd2};"));
  const Operation& load = code.operations[0];
  EXPECT_NE(load.dst[0].slot, load.address.base_slot);
  EXPECT_NE(load.dst[1].slot, load.address.base_slot);
  EXPECT_EQ(8U, code.program.registers_per_thread) << "three pairs, and the stack pointer in R1";
}

}  // namespace
}  // namespace heddle::ptx
