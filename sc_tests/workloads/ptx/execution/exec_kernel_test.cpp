#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sc_tests/workloads/ptx/execution/exec_kernel_support.h"

namespace heddle::ptx::testing {
namespace {

using ::testing::HasSubstr;

TEST(ExecKernel, EveryThreadKnowsItsPlace) {
  KernelRun kernel(kThreadAddress + R"(
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.y; mov.u32 %r5, %ctaid.y; mov.u32 %r6, %nctaid.x;
    mad.lo.s32 %r7, %r5, %r6, %r2; mov.u32 %r8, %ntid.y; mul.lo.s32 %r9, %r3, %r8; mul.lo.s32 %r10, %r7, %r9;
    mad.lo.s32 %r11, %r4, %r3, %r1; add.s32 %r10, %r10, %r11;
    mul.wide.u32 %rd3, %r10, 4; add.s64 %rd3, %rd1, %rd3; mov.u32 %r12, %laneid; shl.b32 %r13, %r10, 8;
    or.b32 %r13, %r13, %r12; st.global.u32 [%rd3], %r13; ret;)");
  kernel.run({3, 2, 1}, {10, 7, 1});
  for (std::uint32_t i = 0; i < 6 * 70; ++i) EXPECT_EQ(kernel.word(i), i << 8U | (i % 70) % 32);
}

TEST(ExecKernel, DivergentPathsBothRunAndMeet) {
  KernelRun kernel(kThreadAddress + R"(
    and.b32 %r2, %r1, 3; setp.eq.s32 %p1, %r2, 0; mov.u32 %r3, 100; @%p1 bra THEN;
    setp.eq.s32 %p2, %r2, 1; @%p2 bra ELSE; mov.u32 %r3, 300; bra.uni JOIN;
    ELSE: mov.u32 %r3, 200;
    JOIN: add.s32 %r3, %r3, 5;
    THEN: activemask.b32 %r4; setp.eq.s32 %p3, %r4, -1; selp.b32 %r5, 1, 0, %p3; add.s32 %r3, %r3, %r5;
    st.global.u32 [%rd2], %r3; ret;)");
  kernel.run({1, 1, 1}, {32, 1, 1});
  const std::uint32_t expected[4] = {101, 206, 306, 306};
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(kernel.word(i), expected[i % 4]) << i;
}

TEST(ExecKernel, LoopsOfDifferentLengthAndEarlyExits) {
  KernelRun kernel(kThreadAddress + R"(
    mov.u32 %r2, 0; mov.u32 %r3, 0;
    LOOP: setp.ge.u32 %p1, %r3, %r1; @%p1 bra DONE; add.u32 %r2, %r2, %r3; add.u32 %r3, %r3, 1; bra.uni LOOP;
    DONE: setp.gt.u32 %p2, %r1, 40; @%p2 exit; st.global.u32 [%rd2], %r2; ret;)");
  kernel.run({1, 1, 1}, {50, 1, 1});
  for (std::uint32_t i = 0; i < 50; ++i) EXPECT_EQ(kernel.word(i), i > 40 ? 0 : i * (i - 1) / 2) << i;
}

TEST(ExecKernel, BarriersOrderSharedMemory) {
  KernelRun kernel(".shared .align 4 .b8 buffer[512];\n" + kThreadAddress + R"(
    mov.u32 %r2, buffer; shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3; mul.lo.u32 %r5, %r1, 7; st.shared.u32 [%r4], %r5;
    bar.sync 0; mov.u32 %r6, 127; sub.u32 %r6, %r6, %r1; shl.b32 %r6, %r6, 2; add.u32 %r6, %r2, %r6;
    ld.shared.u32 %r7, [%r6]; st.global.u32 [%rd2], %r7; ret;)");
  kernel.run({2, 1, 1}, {128, 1, 1});
  for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(kernel.word(i), (127 - i) * 7);
}

TEST(ExecKernel, DynamicSharedMemoryFollowsTheStatic) {
  KernelRun kernel(".shared .align 4 .b8 fixed[16];\n" + kThreadAddress + R"(
    mov.u32 %r2, dynamic; shl.b32 %r3, %r1, 2; add.u32 %r2, %r2, %r3; st.shared.u32 [%r2], %r1;
    st.shared.u32 [fixed], 77; ld.shared.u32 %r4, [%r2]; st.global.u32 [%rd2], %r4; ret;)",
                   ".extern .shared .align 4 .b8 dynamic[];");
  kernel.spec().dynamic_shared_bytes = 128;
  kernel.run({1, 1, 1}, {32, 1, 1});
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(kernel.word(i), i);
  kernel.spec().dynamic_shared_bytes = 124;
  EXPECT_THROW(kernel.run({1, 1, 1}, {32, 1, 1}), ExecutionFault);
}

TEST(ExecKernel, GenericAddressesReachEverySpace) {
  KernelRun kernel(".shared .align 8 .b8 window[256]; .local .align 4 .b8 depot[16];\n" + kThreadAddress + R"(
    mov.u64 %rd3, window; cvta.shared.u64 %rd4, %rd3; mul.wide.u32 %rd5, %r1, 4; add.s64 %rd4, %rd4, %rd5;
    mov.u64 %rd6, depot; cvta.local.u64 %rd7, %rd6; add.u32 %r2, %r1, 1000;
    and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0; selp.b64 %rd8, %rd4, %rd7, %p1;
    st.u32 [%rd8+4], %r2; ld.u32 %r4, [%rd8+4];
    isspacep.shared %p2, %rd8; selp.b32 %r5, 5000, 0, %p2; isspacep.local %p3, %rd8; selp.b32 %r6, 7000, 0, %p3;
    add.u32 %r4, %r4, %r5; add.u32 %r4, %r4, %r6; st.u32 [%rd2], %r4; ret;)");
  kernel.run({1, 1, 1}, {32, 1, 1});
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(kernel.word(i), i + 1000 + (i % 2 == 0 ? 5000 : 7000));
  // Mixed lanes are timed as the space of the lowest, with offsets; the last store is global again.
  const auto& accesses = kernel.accesses();
  EXPECT_EQ(accesses[1].step.space, Space::kShared);
  EXPECT_EQ(accesses[1].addresses.lane[2], 12U);
  EXPECT_EQ(accesses[1].addresses.lane[1], 4U);
  EXPECT_EQ(accesses.back().step.space, Space::kGlobal);
  EXPECT_EQ(accesses.back().addresses.lane[5], kernel.data() + 20);
}

TEST(ExecKernel, LoadsExtendAndStoresTruncate) {
  KernelRun kernel(kThreadAddress + R"(
    ld.global.s8 %r2, [%rd1]; st.global.u32 [%rd1+16], %r2;
    ld.global.u8 %rs1, [%rd1]; cvt.u32.u16 %r3, %rs1; st.global.u32 [%rd1+20], %r3;
    ld.global.s16 %r4, [%rd1]; st.global.u32 [%rd1+24], %r4;
    ld.global.s8 %rs2, [%rd1]; cvt.u32.u16 %r5, %rs2; st.global.u32 [%rd1+28], %r5;
    ld.global.s32 %rd3, [%rd1]; st.global.u64 [%rd1+32], %rd3;
    mov.u32 %r6, 0x12345678; st.global.u8 [%rd1+40], %r6; st.global.v2.u16 [%rd1+44], {%rs1, %rs2};
    ld.global.v2.u32 {%r7, %r8}, [%rd1+16]; st.global.v4.u32 [%rd1+48], {%r8, %r7, %r6, %r2}; ret;)");
  kernel.set_word(0, 0x8000FF80);
  kernel.run({1, 1, 1}, {1, 1, 1});
  const std::uint32_t expected[] = {0xFFFFFF80, 0x80,       0xFFFFFF80, 0xFF80,     0x8000FF80, 0xFFFFFFFF,
                                    0x78,       0xFF800080, 0x80,       0xFFFFFF80, 0x12345678, 0xFFFFFF80};
  for (unsigned i = 0; i < 12; ++i) EXPECT_EQ(kernel.word(4 + i), expected[i]) << i;
}

TEST(ExecKernel, RegistersWiderThanTheTypeAreExtendedAndTruncated) {
  KernelRun kernel(kThreadAddress + R"(
    mov.u32 %r2, 0x1FF80; cvt.s8.s32 %r3, %r2; st.global.u32 [%rd1], %r3; cvt.u8.u32 %r4, %r2;
    st.global.u32 [%rd1+4], %r4; mov.u64 %rd3, 0x1234567890ABCDEF; st.global.u16 [%rd1+8], %rd3;
    cvt.s16.s32 %rd5, %r2; st.global.u64 [%rd1+16], %rd5; ret;)");
  kernel.run({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(kernel.word(0), 0xFFFFFF80U);
  EXPECT_EQ(kernel.word(1), 0x80U);
  EXPECT_EQ(kernel.word(2), 0xCDEFU);
  EXPECT_EQ(kernel.word(4), 0xFFFFFF80U);
  EXPECT_EQ(kernel.word(5), 0xFFFFFFFFU);
}

TEST(ExecKernel, VectorAccessesOfAFullWarp) {
  KernelRun kernel(R"(
    ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 16; add.s64 %rd2, %rd1, %rd2;
    ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd2]; st.global.v4.u32 [%rd2+1024], {%r5, %r4, %r3, %r2}; ret;)");
  for (std::uint32_t i = 0; i < 128; ++i) kernel.set_word(i, i * 3);
  kernel.run({1, 1, 1}, {32, 1, 1});
  for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(kernel.word(256 + (i ^ 3U)), i * 3);
}

TEST(ExecKernel, AtomicsRunInLaneOrder) {
  KernelRun kernel(kThreadAddress + R"(
    atom.global.add.u32 %r2, [%rd1+1024], 3; st.global.u32 [%rd2], %r2;
    atom.global.inc.u32 %r3, [%rd1+1028], 9; st.global.u32 [%rd2+128], %r3;
    atom.global.max.s32 %r4, [%rd1+1032], %r1; atom.global.cas.b32 %r5, [%rd1+1036], 0, %r1;
    atom.global.exch.b32 %r6, [%rd1+1040], %r1; red.global.add.f32 [%rd1+1044], 0f3F000000;
    atom.global.dec.u32 %r7, [%rd1+1048], 4; st.global.u32 [%rd2+256], %r7; cvt.u64.u32 %rd4, %r1;
    red.global.add.u64 [%rd1+1056], %rd4; ret;)");
  kernel.set_word(258, 0x80000000);
  kernel.run({1, 1, 1}, {32, 1, 1});
  std::uint32_t counter = 0;
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(kernel.word(i), 3 * i);
    EXPECT_EQ(kernel.word(32 + i), i % 10);
    EXPECT_EQ(kernel.word(64 + i), counter);
    counter = counter == 0 ? 4 : counter - 1;
  }
  EXPECT_EQ(kernel.word(256), 96U);
  EXPECT_EQ(kernel.word(258), 31U);
  EXPECT_EQ(kernel.word(259), 1U) << "lane 0 swaps 0 for 0, lane 1 swaps 0 for 1";
  EXPECT_EQ(kernel.word(260), 31U);
  EXPECT_EQ(kernel.word(261), 0x41800000U);
  EXPECT_EQ(kernel.word(264), 496U);
}

TEST(ExecKernel, HalfWordsSwapInGlobalAndSharedMemory) {
  KernelRun kernel(".shared .align 4 .b8 cell[4];\n" + kThreadAddress + R"(
    cvt.u16.u32 %rs1, %r1; add.s16 %rs2, %rs1, 1; st.shared.u32 [cell], 0;
    atom.global.cas.b16 %rs3, [%rd1+1026], %rs1, %rs2; cvt.u32.u16 %r2, %rs3; st.global.u32 [%rd2], %r2;
    atom.shared.cas.b16 %rs4, [cell+2], %rs1, %rs2; cvt.u32.u16 %r3, %rs4; st.global.u32 [%rd2+128], %r3;
    ld.shared.u32 %r4, [cell]; st.global.u32 [%rd2+256], %r4; ret;)");
  kernel.set_word(256, 0x00071234);
  kernel.run({1, 1, 1}, {32, 1, 1});
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(kernel.word(i), i < 7 ? 7 : i) << "lane 7 is the first that finds what it expects";
    EXPECT_EQ(kernel.word(32 + i), i);
    EXPECT_EQ(kernel.word(64 + i), 32U << 16U);
  }
  EXPECT_EQ(kernel.word(256), 0x00201234U);
}

TEST(ExecKernel, VoteShuffleAndMatch) {
  KernelRun kernel(kThreadAddress + R"(
    setp.lt.u32 %p1, %r1, 5; vote.sync.ballot.b32 %r2, %p1, -1; st.global.u32 [%rd2], %r2;
    shfl.sync.down.b32 %r3|%p2, %r1, 4, 31, -1; selp.b32 %r4, 100, 0, %p2; add.u32 %r3, %r3, %r4;
    st.global.u32 [%rd2+128], %r3; shfl.sync.bfly.b32 %r5, %r1, 3, 31, -1; st.global.u32 [%rd2+256], %r5;
    shfl.sync.up.b32 %r6|%p3, %r1, 1, 0x1800, -1; selp.b32 %r7, 100, 0, %p3; add.u32 %r6, %r6, %r7;
    st.global.u32 [%rd2+384], %r6; shfl.sync.idx.b32 %r8, %r1, 2, 0x181f, -1; st.global.u32 [%rd2+512], %r8;
    shr.u32 %r9, %r1, 3; match.any.sync.b32 %r10, %r9, -1; st.global.u32 [%rd2+640], %r10;
    vote.sync.any.pred %p4, %p1, -1; vote.sync.all.pred %p5, %p1, -1; selp.b32 %r11, 1, 0, %p4;
    selp.b32 %r12, 2, 0, %p5; or.b32 %r11, %r11, %r12; st.global.u32 [%rd2+768], %r11; ret;)");
  kernel.run({1, 1, 1}, {32, 1, 1});
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(kernel.word(i), 0x1FU);
    EXPECT_EQ(kernel.word(32 + i), i + 4 < 32 ? i + 104 : i);
    EXPECT_EQ(kernel.word(64 + i), i ^ 3U);
    EXPECT_EQ(kernel.word(96 + i), i % 8 != 0 ? i + 99 : i);  // segments of 8 lanes
    EXPECT_EQ(kernel.word(128 + i), i / 8 * 8 + 2);
    EXPECT_EQ(kernel.word(160 + i), 0xFFU << (i / 8 * 8));
    EXPECT_EQ(kernel.word(192 + i), 1U);
  }
}

TEST(ExecKernel, BarrierReductionsSeeAllWarps) {
  KernelRun kernel(kThreadAddress + R"(
    setp.lt.u32 %p1, %r1, 40; bar.red.popc.u32 %r2, 1, %p1; bar.red.or.pred %p2, 2, %p1; bar.red.and.pred %p3, 3, %p1;
    selp.b32 %r3, 1000, 0, %p2; selp.b32 %r4, 5000, 0, %p3; add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4;
    st.global.u32 [%rd2], %r2; ret;)");
  kernel.run({1, 1, 1}, {96, 1, 1});
  for (std::uint32_t i = 0; i < 96; ++i) EXPECT_EQ(kernel.word(i), 1040U);
}

TEST(ExecKernel, AReductionKnowsNothingOfTheOneBeforeAtItsBarrier) {
  KernelRun kernel(kThreadAddress + R"(
    setp.lt.u32 %p1, %r1, 40; bar.red.popc.u32 %r2, 1, %p1; setp.lt.u32 %p2, %r1, 5; bar.red.popc.u32 %r3, 1, %p2;
    mad.lo.u32 %r2, %r2, 100, %r3; st.global.u32 [%rd2], %r2; ret;)");
  kernel.run({1, 1, 1}, {64, 1, 1});
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(kernel.word(i), 4005U);
}

// Undefined in PTX; zeros make runs repeatable.
TEST(ExecKernel, PredicatesOfAThreadBlockStartFalse) {
  KernelRun kernel(kThreadAddress + R"(
    mov.u32 %r2, %ctaid.x; setp.ne.u32 %p2, %r2, 0; @%p2 bra SKIP; setp.eq.u32 %p1, %r1, %r1;
    SKIP: selp.b32 %r3, 7, 3, %p1; shl.b32 %r4, %r2, 8; cvt.u64.u32 %rd4, %r4; add.s64 %rd5, %rd2, %rd4;
    st.global.u32 [%rd5], %r3; ret;)");
  kernel.run({2, 1, 1}, {32, 1, 1});
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(kernel.word(i), 7U);
    EXPECT_EQ(kernel.word(64 + i), 3U);
  }
}

// Likewise: whether a path writes them, or the lane that a shuffle reads does. All are written behind the
// reads, as what the next thread block would find in its storage, and %r1, %r2 and %r4 keep their own.
TEST(ExecKernel, RegistersOfAThreadBlockStartAtZero) {
  KernelRun kernel(kThreadAddress + R"(
    mov.u32 %r2, %ctaid.x; shl.b32 %r4, %r2, 9; cvt.u64.u32 %rd4, %r4; add.s64 %rd5, %rd2, %rd4;
    setp.lt.u32 %p1, %r1, 4; @%p1 mov.u32 %r10, 21; @%p1 mov.u64 %rd6, 5; setp.gt.u32 %p2, %r1, 15; @%p2 bra LATE;
    add.u32 %r13, %r1, 100; shfl.sync.bfly.b32 %r12, %r13, 16, 31, 0xFFFF; st.global.u32 [%rd5+256], %r12;
    LATE: st.global.u32 [%rd5], %r10; cvt.u32.u64 %r15, %rd6; add.u32 %r15, %r15, %r11;
    st.global.u32 [%rd5+128], %r15;
    mov.u32 %r10, 77; mov.u32 %r11, 78; mov.u32 %r12, 79; mov.u32 %r13, 80; mov.u64 %rd6, -1;
    add.u32 %r10, %r10, %r11; add.u32 %r12, %r12, %r13; add.u32 %r10, %r10, %r12; cvt.u32.u64 %r14, %rd6;
    add.u32 %r10, %r10, %r14; add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r4; add.u32 %r10, %r10, %r1;
    st.global.u32 [%rd5+384], %r10; ret;)");
  kernel.run({3, 1, 1}, {32, 1, 1});
  for (std::uint32_t tb = 0; tb < 3; ++tb) {
    for (std::uint32_t i = 0; i < 32; ++i) {
      EXPECT_EQ(kernel.word(128 * tb + i), i < 4 ? 21U : 0U) << tb << " " << i;
      EXPECT_EQ(kernel.word(128 * tb + 32 + i), i < 4 ? 5U : 0U) << tb << " " << i;
      EXPECT_EQ(kernel.word(128 * tb + 64 + i), 0U) << tb << " " << i;
      EXPECT_EQ(kernel.word(128 * tb + 96 + i), 313 + i + tb + (tb << 9U)) << tb << " " << i;
    }
  }
}

TEST(ExecKernel, SpecialRegistersReadTheSite) {
  KernelRun kernel(
      R"(ld.param.u64 %rd1, [p]; mov.u32 %r1, %smid; st.global.u32 [%rd1], %r1; mov.u32 %r2, %clock;
    mov.u64 %rd2, %clock64; st.global.u32 [%rd1+4], %r2; st.global.u64 [%rd1+8], %rd2; mov.u32 %r4, %tid.x; cvt.u64.u32 %rd3, %r4;
    st.global.u64 [%rd1+16], %rd3; mov.u32 %r3, %lanemask_gt; st.global.u32 [%rd1+24], %r3; ret;)");
  kernel.run({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(kernel.word(0), 3U);
  EXPECT_EQ(kernel.word(1), 1003U);
  EXPECT_EQ(kernel.word(2), 1004U);
  EXPECT_EQ(kernel.word(4), 0U);
  EXPECT_EQ(kernel.word(6), 0xFFFFFFFEU);
}

TEST(ExecKernel, ModuleVariablesAreInitialisedAndPointToEachOther) {
  KernelRun kernel(
      R"(ld.param.u64 %rd1, [p]; mov.u64 %rd2, pointer; ld.global.u64 %rd3, [%rd2]; ld.u32 %r1, [%rd3];
    st.global.u32 [%rd1], %r1; ld.const.u32 %r2, [table+4]; st.global.u32 [%rd1+4], %r2; ret;)",
      ".global .align 4 .u32 value = 42;\n.global .align 8 .u64 pointer = value;\n"
      ".const .align 4 .u32 table[2] = {7, 8};");
  kernel.run({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(kernel.word(0), 42U);
  EXPECT_EQ(kernel.word(1), 8U);
}

std::string fault_of(KernelRun& kernel, Dim3 grid, Dim3 block) {
  try {
    kernel.run(grid, block);
  } catch (const ExecutionFault& fault) {
    return fault.what();
  }
  return "no fault";
}

TEST(ExecKernel, AccessOutOfBoundsNamesThreadAddressAndBuffer) {
  KernelRun kernel(kThreadAddress + "ld.global.u32 %r2, [%rd2+16380];\nret;");
  const std::string fault = fault_of(kernel, {2, 1, 1}, {32, 1, 1});
  EXPECT_THAT(fault, HasSubstr("test.ptx:17: kernel 'k'"));
  EXPECT_THAT(fault, HasSubstr("ld.global.u32"));
  EXPECT_THAT(fault, HasSubstr("thread (1, 0, 0) of block (0, 0, 0)"));
  EXPECT_THAT(fault, HasSubstr("access of 4 bytes at 0xc0004000"));
  EXPECT_THAT(fault, HasSubstr("'data' at [0xc0000000, 0xc0004000) of 16384 bytes"));
}

TEST(ExecKernel, TheLastWordOfABufferIsInside) {
  KernelRun kernel("ld.param.u64 %rd1, [p];\nst.global.u32 [%rd1+16380], 5;\nret;");
  kernel.run({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(kernel.word(4095), 5U);
}

TEST(ExecKernel, MisalignedAccessFaults) {
  KernelRun kernel(kThreadAddress + "ld.global.v2.u32 {%r2, %r3}, [%rd2];\nret;");
  EXPECT_THAT(fault_of(kernel, {1, 1, 1}, {32, 1, 1}),
              HasSubstr("misaligned access of 8 bytes at 0xc0000004"));
}

TEST(ExecKernel, InactiveLanesNeverFault) {
  KernelRun kernel(kThreadAddress + R"(
    setp.lt.u32 %p1, %r1, 4; mov.u64 %rd3, 0; selp.b64 %rd3, %rd2, %rd3, %p1; @%p1 st.global.u32 [%rd3], 9;
    setp.gt.u32 %p2, %r1, 99; @%p2 ld.global.u32 %r3, [%rd3]; ret;)");
  kernel.run({1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(kernel.word(3), 9U);
  EXPECT_EQ(kernel.word(4), 0U);
  EXPECT_EQ(kernel.accesses().back().step.access, 0U);
}

TEST(ExecKernel, OneAccessMaySpanSeveralBuffers) {
  KernelRun kernel(kThreadAddress + R"(
    mov.u64 %rd3, other; and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; selp.b64 %rd4, %rd3, %rd1, %p1;
    ld.global.u32 %r3, [%rd4]; st.global.u32 [%rd2+128], %r3; ret;)",
                   ".global .align 4 .u32 other = 11;");
  kernel.set_word(0, 22);
  kernel.run({1, 1, 1}, {32, 1, 1});
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(kernel.word(32 + i), i % 2 == 0 ? 11U : 22U);
}

TEST(ExecKernel, TrapFaults) {
  KernelRun kernel(kThreadAddress + "setp.eq.u32 %p1, %r1, 7; @%p1 trap; ret;");
  EXPECT_THAT(fault_of(kernel, {1, 1, 1}, {32, 1, 1}),
              HasSubstr("thread (7, 0, 0) of block (0, 0, 0): the program trapped"));
}

TEST(ExecKernel, ALaunchOfARefusedKernelSaysWhy) {
  DeviceMemory memory;
  const LoadedModule module(
      load_text(
          ".version 3.2\n.target sm_20\n.address_size 64\n.entry odd() {\nfrob;\n}\n.entry even() { ret; }\n",
          "t.ptx"),
      memory);
  LoadedModule::LaunchSpec spec;
  spec.entry = "even";
  EXPECT_NO_THROW(module.launch(spec));
  spec.entry = "odd";
  try {
    module.launch(spec);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("launch of 'odd': t.ptx:5:1: in 'frob': "));
  }
}

TEST(ExecKernel, LaunchesThatDoNotFitAreRefused) {
  KernelRun kernel("ret;");
  LoadedModule::LaunchSpec spec = kernel.spec();
  EXPECT_NO_THROW(kernel.module().launch(spec));
  spec.entry = "q";
  EXPECT_THROW(kernel.module().launch(spec), std::invalid_argument);
  spec = kernel.spec();
  spec.params.resize(4);
  EXPECT_THROW(kernel.module().launch(spec), std::invalid_argument);
  spec = kernel.spec();
  spec.block = {1025, 1, 1};
  EXPECT_THROW(kernel.module().launch(spec), std::invalid_argument);
  spec.block = {1024, 1, 1};
  EXPECT_NO_THROW(kernel.module().launch(spec));
  spec.grid = {0, 1, 1};
  EXPECT_THROW(kernel.module().launch(spec), std::invalid_argument);
}

TEST(ExecKernel, StorageOfEndedBlocksIsUsedAgainAndClean) {
  KernelRun kernel(".shared .align 4 .b8 cell[4];\n" + kThreadAddress + R"(
    ld.shared.u32 %r2, [cell]; mov.u32 %r4, %ctaid.x; mul.wide.u32 %rd3, %r4, 4; add.s64 %rd3, %rd1, %rd3;
    st.global.u32 [%rd3], %r2; st.shared.u32 [cell], 99; ret;)");
  for (std::uint32_t i = 0; i < 8; ++i) kernel.set_word(i, 1);
  kernel.run({8, 1, 1}, {32, 1, 1});
  for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(kernel.word(i), 0U);
}

TEST(ExecKernel, StepReportsBranchesAndTheEnd) {
  KernelRun kernel("mov.u32 %r1, 1; bra.uni OVER; mov.u32 %r1, 2; OVER: ret;");
  LoadedModule::LaunchSpec spec = kernel.spec();
  const auto launch = kernel.module().launch(spec);
  const auto block = launch->start(0);
  Step step;
  LaneAddresses addresses;
  bool redirected = false;
  for (unsigned count = 0; count < 10 && !step.warp_finished; ++count) {
    const std::uint32_t index = block->next_index(0);
    block->step(0, {}, step, addresses);
    EXPECT_EQ(step.active, 1U);
    if (!step.warp_finished) {
      EXPECT_EQ(step.redirected, step.next_index != index + 1);
      redirected = redirected || step.redirected;
    }
  }
  EXPECT_TRUE(redirected);
  EXPECT_TRUE(step.warp_finished);
  EXPECT_EQ(block->describe_warp(0), "finished\n");
}

TEST(ExecKernel, StepTellsLanesOnThePathFromLanesThatExecute) {
  KernelRun kernel("mov.u32 %r1, %laneid; setp.lt.u32 %p1, %r1, 5; @%p1 mov.u32 %r1, 7; ret;");
  LoadedModule::LaunchSpec spec = kernel.spec();
  spec.block = {32, 1, 1};
  const auto launch = kernel.module().launch(spec);
  const auto block = launch->start(0);
  Step step;
  LaneAddresses addresses;
  for (unsigned count = 0; count < 3; ++count) block->step(0, {}, step, addresses);
  EXPECT_EQ(step.active, 0x1FU);
  EXPECT_EQ(step.path, kAllLanes);
}

TEST(ExecKernel, KernelsOfAModuleDoNotShareCodeLines) {
  KernelRun kernel("ret;", ".visible .entry other()\n{\nret;\n}\n");
  const auto first = kernel.module().launch(kernel.spec());
  LoadedModule::LaunchSpec spec = kernel.spec();
  spec.entry = "other";
  spec.params.clear();
  const auto second = kernel.module().launch(spec);
  EXPECT_NE(first->code_base() / 128, second->code_base() / 128);
}

// A 64-bit value lives in lanes 0 to 15 while 32-bit values live in lanes 16 to 31: rows of the two widths
// lie differently over a pair of slots, so neither may be given the other's.
TEST(ExecKernel, DivergentSidesOfDifferentRegisterWidthsKeepTheirValues) {
  KernelRun kernel(kThreadAddress + R"(
    mov.u32 %r10, %laneid; setp.lt.u32 %p1, %r10, 16;
    @%p1 bra WIDE;
    add.u32 %r11, %r10, 100; add.u32 %r12, %r10, 200; bar.warp.sync -1;
    add.u32 %r2, %r11, %r12; bra.uni STORE;
    WIDE: cvt.u64.u32 %rd4, %r10; shl.b64 %rd5, %rd4, 32; or.b64 %rd6, %rd5, %rd4; shr.u64 %rd7, %rd6, 16;
    cvt.u32.u64 %r2, %rd7;
    STORE: st.global.u32 [%rd2], %r2; ret;)");
  kernel.run({1, 1, 1}, {32, 1, 1});
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(kernel.word(lane), lane < 16 ? lane << 16U : 2 * lane + 300) << lane;
  }
}

}  // namespace
}  // namespace heddle::ptx::testing
