// How many registers a compiler for the machine gives a kernel.
#include "workloads/ptx/allocation/register_count.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "sc_tests/support/paths.h"
#include "workloads/ptx/allocation/colouring.h"
#include "workloads/ptx/load.h"

namespace heddle::ptx {
namespace {

unsigned count(const std::string& body) {
  const Module module = load_text(
      ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q, .param "
      ".u32 n)\n{\n"
      ".reg .b32 %r<64>;\n.reg .b64 %rd<64>;\n.reg .f32 %f<64>;\n.reg .f64 %fd<8>;\n.reg .pred %p<8>;\n" +
          body + "\nret;\n}\n",
      "k.ptx");
  if (module.kernels.empty()) {
    ADD_FAILURE() << module.refused.at(0).error;
    return 0;
  }
  return module.kernels.front().program.registers_per_thread;
}

// R1 is the stack pointer, and what is left of an empty kernel is R0 beside it.
TEST(RegisterCount, AnEmptyKernelHasTwo) { EXPECT_EQ(count(""), 2U); }

// The thread's number, the address (an even pair).
constexpr const char* kAddress =
    "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [p];\nmul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n";

TEST(RegisterCount, ParametersAndSizesAreOperands) {
  const std::string store = "st.global.u32 [%rd3], %r9;\n";
  const unsigned plain = count(std::string(kAddress) + "mov.u32 %r9, %r1;\n" + store);
  // Ten more that are read after all were loaded.
  const std::string more =
      "ld.param.u32 %r2, [n];\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %nctaid.x;\nld.param.u64 %rd8, [q];\n"
      "mul.lo.s32 %r9, %r1, %r2;\nadd.s32 %r9, %r9, %r3;\nadd.s32 %r9, %r9, %r4;\n";
  EXPECT_EQ(count(kAddress + more + store), plain);
}

/// In a loop, so that they are there through it.
TEST(RegisterCount, SpecialRegistersThatAreReadTakeRegisters) {
  const auto summed = [](const std::string& special) {
    return count(
        std::string(kAddress) + "mov.u32 %r2, " + special + ".x;\nmov.u32 %r3, " + special +
        ".y;\nmov.u32 %r4, " + special +
        ".z;\nmov.u32 %r5, 0;\nAGAIN:\n.pragma \"nounroll\";\nadd.s32 %r5, %r5, %r2;\n"
        "xor.b32 %r5, %r5, %r3;\nadd.s32 %r5, %r5, %r4;\nsetp.lt.s32 %p1, %r5, 512;\n@%p1 bra AGAIN;\n"
        "st.global.u32 [%rd3], %r5;\n");
  };
  EXPECT_GE(summed("%ctaid"), summed("%ntid") + 2);
}

TEST(RegisterCount, CopiesAndConstantsTakeNone) {
  std::string copies = kAddress;
  std::string uses = "mov.u32 %r40, %r1;\n";
  for (int i = 10; i < 20; ++i) {
    copies += fmt::format("mov.u32 %r{}, {};\nmov.u32 %r{}, %r1;\n", i, i, i + 20);
    uses += fmt::format("xor.b32 %r40, %r40, %r{};\nadd.s32 %r40, %r40, %r{};\n", i, i + 20);
  }
  EXPECT_EQ(count(copies + uses + "st.global.u32 [%rd3], %r40;\n"),
            count(std::string(kAddress) + "mov.u32 %r40, %r1;\nst.global.u32 [%rd3], %r40;\n"));
}

std::string shared_sum(const char* space, unsigned words) {
  std::string body = ".shared .align 4 .b8 tile[4096];\nmov.u32 %r1, %tid.x;\nmul.wide.s32 %rd2, %r1, 4;\n";
  body += std::string(space) == "shared" ? "mov.u64 %rd1, tile;\n" : "ld.param.u64 %rd1, [p];\n";
  for (unsigned i = 0; i < words; ++i)
    body += fmt::format("mul.wide.s32 %rd{}, %r1, {};\nadd.s64 %rd{}, %rd1, %rd{};\n", 10 + i, 4 * (i + 1),
                        20 + i, 10 + i);
  for (unsigned i = 0; i < words; ++i)
    body += fmt::format("st.{}.u32 [%rd{}], %r1;\nbar.sync 0;\n", space, 20 + i);
  return body;
}

/// Found by the fuzz target ptx.
TEST(RegisterCount, CopiesOfEachOtherAreValues) {
  const std::string store = "st.global.u32 [%rd3], %r2;\n";
  const unsigned plain = count(std::string(kAddress) + store);
  for (const std::string copies : {"mov.u32 %r2, %r2;\n", "mov.u32 %r2, %r3;\nmov.u32 %r3, %r2;\n",
                                   "mov.u32 %r2, %r3;\nmov.u32 %r3, %r4;\nmov.u32 %r4, %r2;\n",
                                   "mov.u32 %r4, %r2;\nmov.u32 %r3, %r4;\nmov.u32 %r2, %r3;\n"}) {
    EXPECT_EQ(count(kAddress + copies + store), plain) << copies;
  }
}

TEST(RegisterCount, AddressesOfSharedMemoryTakeOneRegister) {
  const unsigned in_shared = count(shared_sum("shared", 6));
  EXPECT_GE(count(shared_sum("global", 6)), in_shared + 6);
}

/// A loop that adds one product to pointers that it loads: the product is not kept, what it is made of is.
TEST(RegisterCount, ProductsBelongToTheirAdditions) {
  const auto body = [](const std::string& after) {
    return std::string(kAddress) +
           "mul.wide.s32 %rd4, %r1, 12;\nmov.u32 %r2, 0;\nAGAIN:\n.pragma \"nounroll\";\nld.global.u64 %rd5, "
           "[%rd3];\n"
           "add.s64 %rd6, %rd5, %rd4;\nst.global.u32 [%rd6], %r1;\nadd.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, "
           "%r2, 9;\n"
           "@%p1 bra AGAIN;\n" +
           after;
  };
  const unsigned as_operand = count(body(""));
  // Read otherwise, too, so that it has to be there.
  EXPECT_EQ(count(body("st.global.u64 [%rd3], %rd4;\n")), as_operand + 2);
}

std::string loop(const std::string& pragma, const std::string& step) {
  return std::string(kAddress) +
         "mov.u32 %r2, 0;\nmov.f32 %f1, 0f00000000;\nmov.u32 %r4, %ctaid.x;\nAGAIN:\n" + pragma +
         "ld.global.f32 %f2, [%rd3];\nld.global.f32 %f3, [%rd3+4096];\nfma.rn.f32 %f1, %f2, %f3, %f1;\n"
         "add.s64 %rd3, %rd3, 4;\nadd.s32 %r2, %r2, " +
         step + ";\nsetp.lt.s32 %p1, %r2, 512;\n@%p1 bra AGAIN;\nst.global.f32 [%rd3], %f1;\n";
}

TEST(RegisterCount, LoadsOfFourRoundsOfALoopAreUnderWayAtOnce) {
  const unsigned one_round = count(loop(".pragma \"nounroll\";\n", "1"));
  // Eight registers are loaded instead of two; the address is one pair, whatever the round.
  EXPECT_GE(count(loop("", "1")), one_round + 5);
  // Rounds whose number is not known by a constant step are not taken together.
  EXPECT_LE(count(loop("", "%r4")), one_round + 1);
}

TEST(RegisterCount, LoopsThatCallAreTakenRoundByRound) {
  const std::string dividing = std::string(kAddress) +
                               "mov.u32 %r2, 0;\nAGAIN:\nld.global.f32 %f2, [%rd3];\ndiv.rn.f32 %f3, %f2, "
                               "0f40400000;\nst.global.f32 [%rd3], %f3;\n"
                               "add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, 512;\n@%p1 bra AGAIN;\n";
  const std::string kept =
      std::string(dividing).replace(dividing.find("AGAIN:\n"), 7, "AGAIN:\n.pragma \"nounroll\";\n");
  EXPECT_EQ(count(dividing), count(kept));
}

TEST(RegisterCount, LoadsGoFirstButNotPastStoresToTheirMemory) {
  const auto loads = [](const std::string& between) {
    std::string body = kAddress;
    for (int i = 0; i < 8; ++i)
      body +=
          fmt::format("ld.global.f32 %f{}, [%rd3+{}];\nadd.f32 %f20, %f{}, %f20;\n", i, 4 * i, i) + between;
    return count("mov.f32 %f20, 0f3F800000;\n" + body + "st.global.f32 [%rd3], %f20;\n");
  };
  const unsigned together = loads("");
  EXPECT_GE(together, loads("st.global.f32 [%rd3+64], %f20;\n") + 5);
  EXPECT_GE(loads("st.shared.f32 [%r1], %f20;\n"), together) << "another memory";
}

MachineOperation access(bool is_load, Space space, std::uint32_t into) {
  MachineOperation made;
  made.is_load = is_load;
  made.is_store = !is_load;
  made.space = space;
  made.latency = 20;
  if (is_load) made.writes = {into};
  return made;
}

/// The order of what stands before a load that nothing else waits for, and the load: {1, 0} when it goes
/// first.
std::vector<std::uint32_t> order_after(const MachineOperation& first, Effort effort = Effort::kFast) {
  MachineCode machine;
  machine.slots = {1, 1};
  machine.operations = {first, access(true, Space::kGlobal, 0)};
  return schedule(ValueGraph(machine, {0, 2, {}, {0}}, 1), effort);
}

TEST(Schedule, LoadsPassWhatDoesNotTouchTheirMemory) {
  const std::vector<std::uint32_t> as_written{0, 1};
  const std::vector<std::uint32_t> load_first{1, 0};
  MachineOperation barrier;
  barrier.is_barrier = true;
  MachineOperation call;
  call.is_call = true;
  EXPECT_EQ(order_after(MachineOperation()), load_first);
  EXPECT_EQ(order_after(access(false, Space::kShared, 0)), load_first);
  EXPECT_EQ(order_after(access(false, Space::kGlobal, 0)), as_written);
  EXPECT_EQ(order_after(access(false, Space::kGeneric, 0)), as_written);
  EXPECT_EQ(order_after(barrier), as_written);
  EXPECT_EQ(order_after(call), as_written);
  EXPECT_EQ(order_after(MachineOperation(), Effort::kSmall), as_written);
}

/// Loads that are not read fill ten registers; then something else goes on.
TEST(Schedule, TenRegistersOfLoadsAreUnderWay) {
  MachineCode machine;
  machine.slots.assign(16, 1);
  std::vector<std::uint32_t> live_out;
  for (std::uint32_t i = 0; i < 12; ++i) machine.operations.push_back(access(true, Space::kGlobal, i));
  for (std::uint32_t i = 0; i < 12; ++i) {
    MachineOperation reader;
    reader.reads = {i};
    machine.operations.push_back(reader);
  }
  const std::vector<std::uint32_t> order = schedule(ValueGraph(machine, {0, 24, {}, {}}, 1), Effort::kFast);
  const auto first_reader = std::find_if(order.begin(), order.end(), [](std::uint32_t i) { return i >= 12; });
  EXPECT_EQ(first_reader - order.begin(), 10);
  EXPECT_LT(*std::next(first_reader), 12U) << "one is read, another load goes";
}

TEST(Schedule, WhatIsReadyGoesBeforeWhatWaitsForAResult) {
  MachineCode machine;
  machine.slots.assign(3, 1);
  MachineOperation slow;
  slow.latency = 8;
  slow.writes = {0};
  MachineOperation reader;
  reader.reads = {0};
  reader.writes = {1};
  reader.latency = 4;
  MachineOperation ready;
  ready.writes = {2};
  ready.latency = 4;
  machine.operations = {slow, reader, ready};
  const MachineBlock block{0, 3, {}, {1, 2}};
  EXPECT_EQ(schedule(ValueGraph(machine, block, 1), Effort::kFast), (std::vector<std::uint32_t>{0, 2, 1}));
}

/// Each of these values has two ways back to the one before it: looking for what a load needs must not go
/// them all.
TEST(RegisterCount, LongAddressesAreSoonCounted) {
  std::string body = kAddress;
  for (int i = 0; i < 400; ++i)
    body += "shl.b32 %r2, %r1, 5;\nshr.u32 %r3, %r1, 3;\nxor.b32 %r1, %r2, %r3;\n";
  EXPECT_LE(count(body + "mul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd5, %rd1, %rd4;\nld.global.u32 %r4, [%rd5];\n"
                         "st.global.u32 [%rd3], %r4;\n"),
            12U);
}

TEST(RegisterCount, DivisionsTakeRegistersOfTheirOwn) {
  const auto with = [](const std::string& divide) {
    return count(std::string(kAddress) + "ld.global.f32 %f1, [%rd3];\nld.global.f32 %f2, [%rd3+4];\n" +
                 divide + "st.global.f32 [%rd3], %f3;\n");
  };
  EXPECT_EQ(with("div.full.f32 %f3, %f1, %f2;\n"), with("mul.f32 %f3, %f1, %f2;\n"));
  EXPECT_GE(with("div.rn.f32 %f3, %f1, %f2;\n"), with("mul.f32 %f3, %f1, %f2;\n") + 7);
}

TEST(RegisterCount, PredicatesTakeNone) {
  std::string body = kAddress;
  for (int i = 1; i < 8; ++i) body += fmt::format("setp.gt.s32 %p{}, %r1, {};\n", i, i);
  for (int i = 1; i < 8; ++i) body += fmt::format("@%p{} st.global.u32 [%rd3+{}], %r1;\n", i, 4 * i);
  EXPECT_EQ(count(body), count(std::string(kAddress) + "st.global.u32 [%rd3], %r1;\n"));
}

TEST(RegisterCount, FewRegistersArePossibleWhereMoreWouldBeFaster) {
  const std::string text =
      ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q, .param "
      ".u32 n)\n";
  const std::string body =
      "{\n.reg .b32 %r<64>;\n.reg .b64 %rd<64>;\n.reg .f32 %f<64>;\n.reg .pred %p<8>;\n" + loop("", "1") +
      "ret;\n}\n";
  const unsigned fast = load_text(text + body, "k.ptx").kernels.at(0).program.registers_per_thread;
  const Module limited = load_text(fmt::format("{}.maxnreg {}\n{}", text, fast - 4, body), "k.ptx");
  EXPECT_EQ(limited.kernels.at(0).program.registers_per_thread, fast - 4);
  EXPECT_TRUE(limited.spilled.empty());
}

TEST(Colouring, WideValuesLieOnEvenRegistersAndNoneOnTheStackPointer) {
  Colouring colouring;
  const std::uint32_t a = colouring.add(1);  // R0
  const std::uint32_t b = colouring.add(2);  // R2, R3
  const std::uint32_t c = colouring.add(1);  // R4
  const std::uint32_t d = colouring.add(2);  // R6, R7
  for (const auto& [x, y] : {std::pair{a, b}, {a, c}, {a, d}, {b, c}, {b, d}, {c, d}})
    colouring.connect(x, y);
  EXPECT_EQ(colouring.run(), 8U);
}

TEST(Colouring, ValuesThatAreNotThereTogetherShare) {
  Colouring colouring;
  const std::uint32_t a = colouring.add(1);
  const std::uint32_t b = colouring.add(1);
  colouring.add(1);
  colouring.connect(a, b);
  EXPECT_EQ(colouring.run(), 3U);
}

/// Registers that `ptxas -v -arch sm_35` of CUDA 11.8 reports, the oldest GPU that it knows: Fermi's
/// successor, with the same way of reading parameters and making addresses.
const std::map<std::string, unsigned> kPtxas{{"add_f32", 9},
                                             {"add_f64", 10},
                                             {"add_s32", 10},
                                             {"add_s32_independent", 13},
                                             {"atax_columns", 20},
                                             {"atax_rows", 17},
                                             {"bank_conflicts", 12},
                                             {"barrier", 7},
                                             {"bfs_advance", 10},
                                             {"bfs_expand", 11},
                                             {"bicg_q", 17},
                                             {"bicg_s", 20},
                                             {"bitonic_sort", 16},
                                             {"black_scholes", 21},
                                             {"branch", 6},
                                             {"chase", 20},
                                             {"chase_past_l1d", 20},
                                             {"chase_shared", 12},
                                             {"div_full_f32", 10},
                                             {"ex2_f32", 6},
                                             {"ex2_f32_independent", 8},
                                             {"fma_f32", 9},
                                             {"fma_f32_independent", 13},
                                             {"histogram", 10},
                                             {"hotspot", 17},
                                             {"kmeans_assign", 24},
                                             {"long_warp", 6},
                                             {"mad_s32", 9},
                                             {"matrix_fragments", 30},
                                             {"matrix_multiply", 31},
                                             {"miss_stream", 17},
                                             {"mul_f32", 9},
                                             {"mvt_columns", 21},
                                             {"mvt_rows", 19},
                                             {"pathfinder", 15},
                                             {"rays", 14},
                                             {"scalar_product", 25},
                                             {"setp_selp", 10},
                                             {"spmv", 22},
                                             {"stencil", 28},
                                             {"stream_read", 10},
                                             {"stream_write", 9},
                                             {"strided_load", 14},
                                             {"syrk", 21},
                                             {"vector_add", 8},
                                             {"xor_b32", 9}};

/// Where ptxas gives fresh registers to chains of loads, or four rounds of a loop whose addresses differ.
const std::map<std::string, unsigned> kFurtherOff{{"atax_columns", 4},
                                                  {"black_scholes", 5},
                                                  {"chase", 15},
                                                  {"chase_past_l1d", 15},
                                                  {"ex2_f32_independent", 5},
                                                  {"kmeans_assign", 4},
                                                  {"matrix_multiply", 3},
                                                  {"miss_stream", 3},
                                                  {"mvt_columns", 3},
                                                  {"stream_write", 3},
                                                  {"syrk", 3}};

TEST(RegisterCount, IsWithinTwoOfPtxasOnMostKernelsOfThisProject) {
  std::map<std::string, unsigned> found;
  for (const char* file : {"atax/atax",
                           "bfs/bfs",
                           "bicg/bicg",
                           "bitonic_sort/bitonic_sort",
                           "black_scholes/black_scholes",
                           "histogram/histogram",
                           "hotspot/hotspot",
                           "kmeans/kmeans",
                           "long_warp/long_warp",
                           "matrix_fragments/matrix_fragments",
                           "matrix_multiply/matrix_multiply",
                           "micro/chains",
                           "micro/memory",
                           "mvt/mvt",
                           "pathfinder/pathfinder",
                           "rays/rays",
                           "scalar_product/scalar_product",
                           "spmv/spmv",
                           "stencil/stencil",
                           "syrk/syrk",
                           "vector_add/vector_add"}) {
    const Module module = load_file(test::source_dir() + "/workloads/kernels/" + file + ".ptx");
    for (const Code& code : module.kernels) found[code.program.name] = code.program.registers_per_thread;
  }
  EXPECT_EQ(found.size(), kPtxas.size());
  for (const auto& [kernel, ptxas] : kPtxas) {
    const auto off = kFurtherOff.find(kernel);
    const unsigned most = off == kFurtherOff.end() ? 2 : off->second;
    EXPECT_LE(found[kernel], ptxas + most) << kernel;
    EXPECT_GE(found[kernel] + most, ptxas) << kernel;
  }
}

}  // namespace
}  // namespace heddle::ptx
