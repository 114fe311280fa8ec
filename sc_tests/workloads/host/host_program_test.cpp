#include "workloads/host/host_program.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "workloads/description/workload_loader.h"
#include "workloads/host/functional_run.h"

namespace heddle {
namespace {

// put stores its second parameter in the first element, and a float in the second; count_down decrements
// the first element; stuck lets warp 0 wait at a barrier that the other warps skip with another.
constexpr const char* kPtx = R"(.version 3.2
.target sm_20
.address_size 64
.visible .entry put(.param .u64 put_0, .param .u32 put_1, .param .f32 put_2)
{
  .reg .b64 %rd<3>;
  .reg .b32 %r<2>;
  .reg .f32 %f<2>;
  ld.param.u64 %rd1, [put_0];
  cvta.to.global.u64 %rd2, %rd1;
  ld.param.u32 %r1, [put_1];
  ld.param.f32 %f1, [put_2];
  st.global.u32 [%rd2], %r1;
  st.global.f32 [%rd2+4], %f1;
  ret;
}
.visible .entry count_down(.param .u64 count_down_0)
{
  .reg .b64 %rd<3>;
  .reg .b32 %r<3>;
  ld.param.u64 %rd1, [count_down_0];
  cvta.to.global.u64 %rd2, %rd1;
  ld.global.u32 %r1, [%rd2];
  add.s32 %r2, %r1, -1;
  st.global.u32 [%rd2], %r2;
  ret;
}
.visible .entry take_struct(.param .align 8 .b8 take_struct_0[24])
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [take_struct_0];
  ld.param.u64 %rd1, [take_struct_0+8];
  ld.param.u16 %r2, [take_struct_0+16];
  cvta.to.global.u64 %rd2, %rd1;
  st.global.u32 [%rd2], %r1;
  st.global.u32 [%rd2+4], %r2;
  ret;
}
.visible .entry stuck()
{
  .reg .pred %p<2>;
  .reg .b32 %r<2>;
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 32;
  @%p1 bra first;
  bar.sync 1;
  ret;
first:
  bar.sync 0;
  ret;
}
)";

class HostProgramTest : public testing::Test {
 protected:
  HostProgramTest() {
    folder_ = std::filesystem::temp_directory_path() / ("heddle_host_program_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "k.ptx") << kPtx;
  }
  ~HostProgramTest() override { std::filesystem::remove_all(folder_); }

  /// Buffers a and b of four i32 with values 10, 11, ... and 20, 21, ...; `part` follows.
  Workload workload(const std::string& part) const {
    return load_workload_text(
        "ptx: k.ptx\nparameters: {n: 4}\nbuffers:\n  a: {type: i32, count: n, init: {formula: 10 + i}}\n"
        "  b: {type: i32, count: n, init: {formula: 20 + i}}\n" +
            part,
        folder_ / "w.yaml");
  }

  /// The message of what constructing and running the program throws, without the folder.
  std::string error(const std::string& part) const {
    try {
      HostProgram program(workload(part));
      run_functionally(program);
    } catch (const WorkloadError& failure) {
      return std::string(failure.what()).substr(folder_.string().size() + 1);
    }
    return "no error";
  }

  static std::int32_t element(HostProgram& program, const std::string& buffer, unsigned index) {
    std::int32_t value = 0;
    std::memcpy(&value,
                program.memory().host(program.memory().find(buffer)->address + std::uint64_t{index} * 4), 4);
    return value;
  }

  std::filesystem::path folder_;
};

TEST_F(HostProgramTest, BuffersStartAtTheBaseInOrderAndAreCopied) {
  HostProgram program(workload("launches: []\n"));
  const auto copies = program.take_host_copies();
  ASSERT_EQ(copies.size(), 2U);
  EXPECT_EQ(copies[0].address, 0xC0000000U);
  EXPECT_EQ(copies[0].bytes, 16U);
  EXPECT_EQ(copies[1].address, 0xC0000100U);
  EXPECT_EQ(element(program, "b", 3), 23);
  EXPECT_TRUE(program.take_host_copies().empty());
  EXPECT_EQ(program.next(), nullptr);
}

TEST_F(HostProgramTest, PassesArgumentsInTheParametersTypes) {
  HostProgram program(workload("launches: [{kernel: put, grid: 1, block: 1, args: [b, n - 6, 1.5]}]\n"));
  run_functionally(program);
  EXPECT_EQ(element(program, "b", 0), -2);
  EXPECT_EQ(element(program, "b", 1), 0x3FC00000);
}

TEST_F(HostProgramTest, OffsetsPointIntoABuffer) {
  HostProgram program(
      workload("launches: [{kernel: put, grid: 1, block: 1, args: [{buffer: a, offset: 2 * n}, {u32: 7}, "
               "{f32: 0}]}]\n"));
  run_functionally(program);
  EXPECT_EQ(element(program, "a", 1), 11);
  EXPECT_EQ(element(program, "a", 2), 7);
}

TEST_F(HostProgramTest, StructsAreLaidOutNaturally) {
  const std::string launch = "launches:\n- {kernel: take_struct, grid: 1, block: 1, args: [{struct: ";
  HostProgram program(workload(launch + "[{i32: -3}, b, {u16: 500}]}]}\n"));
  run_functionally(program);
  EXPECT_EQ(element(program, "b", 0), -3);
  EXPECT_EQ(element(program, "b", 1), 500);
  EXPECT_EQ(
      error(launch + "[{i32: -3}, b]}]}\n"),
      "w.yaml:7:51: argument 1 of kernel 'take_struct' is a struct of 16 bytes, but parameter take_struct_0 "
      "is a struct of 24 bytes (an argument '{struct: [...]}')");
  EXPECT_EQ(
      error("launches:\n- {kernel: take_struct, grid: 1, block: 1, args: [1]}\n"),
      "w.yaml:7:51: argument 1 of kernel 'take_struct' is the number '1', but parameter take_struct_0 is a "
      "struct of 24 bytes (an argument '{struct: [...]}')");
}

TEST_F(HostProgramTest, NamesAMissingPtxFile) {
  const Workload missing = load_workload_text("name: w\nptx: sub/none.ptx\nlaunches: []\n", "/dir/w.yaml");
  try {
    const HostProgram program(missing);
    FAIL();
  } catch (const WorkloadError& failure) {
    EXPECT_STREQ(failure.what(), "/dir/w.yaml:2:6: there is no PTX file '/dir/sub/none.ptx'");
  }
}

TEST_F(HostProgramTest, RepeatCountsItsVariable) {
  HostProgram program(workload(
      "launches: [{repeat: {count: n, as: k, launches: [{set: {buffer: a, index: k, value: k * k}}]}}]\n"));
  program.take_host_copies();
  EXPECT_EQ(program.next(), nullptr);
  for (unsigned k = 0; k < 4; ++k) {
    EXPECT_EQ(element(program, "a", k), static_cast<std::int32_t>(k * k));
  }
  const auto copies = program.take_host_copies();
  ASSERT_EQ(copies.size(), 4U);
  EXPECT_EQ(copies[3].address, 0xC000000CU);
  EXPECT_EQ(copies[3].bytes, 4U);
}

TEST_F(HostProgramTest, RepeatOfZeroDoesNothing) {
  HostProgram program(
      workload("launches: [{repeat: {count: n - 4, launches: [{set: {buffer: a, value: 1}}]}}]\n"));
  EXPECT_EQ(program.next(), nullptr);
  EXPECT_EQ(element(program, "a", 0), 10);
}

TEST_F(HostProgramTest, LoopsNest) {
  HostProgram program(
      workload("launches: [{repeat: {count: 2, as: x, launches: [{repeat: {count: 2, as: y, launches: "
               "[{set: {buffer: a, index: 2 * x + y, value: 10 * x + y}}]}}, {set: {buffer: b, index: x, "
               "value: x}}]}}]\n"));
  EXPECT_EQ(program.next(), nullptr);
  EXPECT_EQ(element(program, "a", 1), 1);
  EXPECT_EQ(element(program, "a", 3), 11);
  EXPECT_EQ(element(program, "b", 1), 1);
}

TEST_F(HostProgramTest, WhileTestsBeforeAndDoWhileAfter) {
  const std::string body = "launches: [{kernel: count_down, grid: 1, block: 1, args: [a]}]}}]\n";
  HostProgram before(workload("launches: [{while: {buffer: a, not_equal: 7, " + body));
  EXPECT_EQ(run_functionally(before).launches, 3U);
  HostProgram never(workload("launches: [{while: {buffer: a, equal: 7, " + body));
  EXPECT_EQ(run_functionally(never).launches, 0U);
  HostProgram once(workload("launches: [{while: {buffer: a, equal: 7, do: true, " + body));
  EXPECT_EQ(run_functionally(once).launches, 1U);
  HostProgram greater(
      workload("launches: [{while: {buffer: b, index: 1, greater: 20, at_most: 1, launches: "
               "[{set: {buffer: b, index: 1, value: 20}}]}}]\n"));
  EXPECT_EQ(greater.next(), nullptr);
  EXPECT_EQ(element(greater, "b", 1), 20);
}

TEST_F(HostProgramTest, AWhileThatDoesNotEndIsAnError) {
  EXPECT_EQ(error("launches:\n- while: {buffer: a, less: 100, at_most: 5, launches: []}\n"),
            "w.yaml:7:3: while: the condition on 'a' still holds after 5 iterations (at_most)");
}

TEST_F(HostProgramTest, SwapExchangesWhatNamesReferTo) {
  HostProgram program(
      workload("launches: [{swap: [a, b]}, {set: {buffer: a, value: 99}}]\n"
               "checks: [{buffer: a, sum: 165}, {buffer: b, sum: 46}]\n"));
  EXPECT_EQ(program.next(), nullptr);
  EXPECT_EQ(element(program, "a", 0), 10);
  EXPECT_EQ(element(program, "b", 0), 99);
  for (const CheckResult& result : program.check()) {
    EXPECT_TRUE(result.passed) << result.message();
  }
}

TEST_F(HostProgramTest, ChecksAgainstFilesAndSums) {
  const std::vector<std::int32_t> expected = {10, 11, 12, 14};
  std::ofstream(folder_ / "a.bin", std::ios::binary)
      .write(reinterpret_cast<const char*>(expected.data()), 16);
  HostProgram program(workload("launches: []\nchecks: [{buffer: a, file: a.bin}, {buffer: b, sum: 86}]\n"));
  const auto results = program.check();
  ASSERT_EQ(results.size(), 2U);
  EXPECT_FALSE(results[0].passed);
  EXPECT_EQ(results[0].worst_index, 3U);
  EXPECT_TRUE(results[1].passed);
}

TEST_F(HostProgramTest, NamesUnknownKernelsAndWrongArguments) {
  EXPECT_EQ(error("launches:\n- {kernel: putt, grid: 1, block: 1}\n"),
            "w.yaml:7:3: unknown kernel 'putt' in " + (folder_ / "k.ptx").string() +
                "; did you mean 'put'? (kernels: count_down, put, stuck, take_struct)");
  EXPECT_EQ(error("launches:\n- {kernel: put, grid: 1, block: 1, args: [a]}\n"),
            "w.yaml:7:3: kernel 'put' has 3 parameters, found 1 arguments");
  EXPECT_EQ(error("launches:\n- {kernel: put, grid: 1, block: 1, args: [a, b, 1]}\n"),
            "w.yaml:7:46: argument 2 of kernel 'put' is the address of 'b' (8 bytes), but parameter put_1 is "
            "integer or address of 4 bytes");
  EXPECT_EQ(
      error("launches:\n- {kernel: put, grid: 1, block: 1, args: [a, {f32: 1}, 1]}\n"),
      "w.yaml:7:46: argument 2 of kernel 'put' is f32 (4 bytes), but parameter put_1 is integer or address "
      "of 4 bytes");
  EXPECT_EQ(
      error("launches:\n- {kernel: put, grid: 1, block: 1, args: [a, {i64: 1}, 1]}\n"),
      "w.yaml:7:46: argument 2 of kernel 'put' is i64 (8 bytes), but parameter put_1 is integer or address "
      "of 4 bytes");
  EXPECT_EQ(error("launches:\n- {kernel: put, grid: 1, block: 1, args: [a, 4294967296, 1]}\n"),
            "w.yaml:7:46: 4294967296 does not fit u32 (0..4294967295)");
}

TEST_F(HostProgramTest, NamesLaunchesOutOfRange) {
  EXPECT_EQ(error("launches:\n- {kernel: stuck, grid: n - 4, block: 1}\n"),
            "w.yaml:7:25: grid x is 0 ('n - 4'), expected 1..2147483647");
  EXPECT_EQ(error("launches:\n- {kernel: stuck, grid: 1, block: 1025}\n"),
            "w.yaml:7:35: block x is 1025, expected 1..1024");
  EXPECT_EQ(error("launches:\n- {kernel: stuck, grid: 1, block: [64, 32]}\n"),
            "w.yaml:7:36: the block has 64 x 32 x 1 = 2048 threads, expected at most 1024");
  EXPECT_EQ(error("launches:\n- {kernel: stuck, grid: 1, block: 1, registers: 256}\n"),
            "w.yaml:7:49: registers is 256, expected 0..255");
  EXPECT_EQ(error("launches:\n- {set: {buffer: a, index: n, value: 0}}\n"),
            "w.yaml:7:28: index of 'a' is 4 ('n'), expected 0..3");
}

TEST_F(HostProgramTest, OnlyTheLaunchOfARefusedKernelIsRefused) {
  const std::string text = kPtx;
  std::ofstream(folder_ / "k.ptx") << text << "\n.visible .entry odd()\n{\n  frob;\n}\n";
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  EXPECT_NO_THROW(HostProgram(workload("launches:\n- {kernel: put, grid: 1, block: 1, args: [a, 0, 1]}\n")));
  const std::string message = error("launches:\n- {kernel: odd, grid: 1, block: 1}\n");
  EXPECT_EQ(message.find("w.yaml:7:3: kernel 'odd' can't be launched: "), 0U) << message;
  EXPECT_NE(message.find("k.ptx:" + std::to_string(lines + 4) + ":3: in 'frob': "), std::string::npos)
      << message;
}

TEST_F(HostProgramTest, UnknownOverridesAreErrors) {
  EXPECT_THROW(HostProgram(workload("launches: []\n"), {{"m", 1}}), std::invalid_argument);
  HostProgram program(workload("launches: []\n"), {{"n", 8}});
  EXPECT_EQ(program.memory().find("a")->bytes, 32U);
}

TEST_F(HostProgramTest, FunctionalRunsReportBarrierDeadlocks) {
  HostProgram program(workload("launches: [{kernel: stuck, grid: 1, block: 64}]\n"));
  try {
    run_functionally(program);
    FAIL();
  } catch (const BarrierDeadlock& fault) {
    const std::string message = fault.what();
    EXPECT_NE(message.find("stuck: thread block 0 is deadlocked at barriers:"), std::string::npos) << message;
    EXPECT_NE(message.find("warp 0 waits at barrier 0, where 1 of all unfinished warps have arrived"),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("warp 1 waits at barrier 1"), std::string::npos) << message;
  }
}

TEST_F(HostProgramTest, StreamsGoOnIndependentlyOfEachOther) {
  HostProgram program(
      workload("streams:\n"
               "  - launches: [{repeat: {count: 2, as: k, launches: [\n"
               "      {kernel: put, grid: 1, block: 1, args: [a, 5 + k, 0.0]}]}}]\n"
               "  - {name: late, arrival_cycles: 100 * n, launches: [\n"
               "      {kernel: put, grid: 1, block: 1, args: [b, 7, 0.0]},\n"
               "      {kernel: put, grid: 1, block: 1, args: [b, 8, 0.0]},\n"
               "      {kernel: put, grid: 1, block: 1, arrival_cycles: 900, args: [b, 9, 0.0]}]}\n"));
  ASSERT_TRUE(program.concurrent());
  ASSERT_EQ(program.streams(), 2U);
  EXPECT_EQ(program.stream_name(1), "late");
  const auto late = program.next(1);
  EXPECT_EQ(program.arrival_cycles(1), 400U);
  const auto first = program.next(0);
  EXPECT_EQ(program.arrival_cycles(0), 0U);
  EXPECT_NE(late->param_base(), first->param_base());  // both are in flight
  run_functionally(*late);
  EXPECT_EQ(element(program, "b", 0), 7);
  EXPECT_EQ(element(program, "a", 0), 10);
  run_functionally(*first);
  EXPECT_EQ(element(program, "a", 0), 5);
  run_functionally(*program.next(0));
  EXPECT_EQ(element(program, "a", 0), 6);
  EXPECT_EQ(program.next(0), nullptr);
  EXPECT_NE(program.next(1), nullptr);
  EXPECT_EQ(program.arrival_cycles(1), 0U);  // when the one before has ended
  EXPECT_NE(program.next(1), nullptr);
  EXPECT_EQ(program.arrival_cycles(1), 900U);
  EXPECT_EQ(program.next(1), nullptr);
}

TEST_F(HostProgramTest, ArrivalsInThePastAreRefused) {
  const std::string launch = "{kernel: put, grid: 1, block: 1, args: [a, 5, 0.0]}";
  EXPECT_EQ(error("streams: [{arrival_cycles: n - 9, launches: [" + launch + "]}]\n"),
            "w.yaml:6:28: arrival_cycles of stream 'stream0' is -5 ('n - 9'), expected 0..1000000000000");
  EXPECT_EQ(error("streams: [{arrival_cycles: 500, launches: [\n"
                  "  {kernel: put, grid: 1, block: 1, arrival_cycles: 400, args: [a, 5, 0.0]}]}]\n"),
            "w.yaml:7:52: arrival_cycles is 400, expected 500..1000000000000");
}

TEST_F(HostProgramTest, ProgramsBesideEachOtherShareTheDeviceAndNothingElse) {
  const Workload both = workload("launches: [{kernel: put, grid: 1, block: 1, args: [a, 5, 0.0]}]\n");
  DeviceMemory memory;
  ProgramPlace place;
  place.memory = &memory;
  place.buffer_prefix = "x.";
  HostProgram x(both, {}, place);
  place.buffer_prefix = "y.";
  place.code_base = x.code_end();
  place.first_stream = static_cast<unsigned>(x.streams());
  HostProgram y(both, {}, place);
  const auto of_x = x.next();
  const auto of_y = y.next();
  EXPECT_GE(of_y->code_base(), of_x->code_base() + of_x->program().code.size() * Instruction::kBytes);
  EXPECT_NE(of_x->param_base(), of_y->param_base());
  EXPECT_GE(memory.find("y.a")->address, memory.find("x.b")->end());
  run_functionally(*of_y);
  EXPECT_EQ(element(y, "y.a", 0), 5);
  EXPECT_EQ(element(x, "x.a", 0), 10);
}

}  // namespace
}  // namespace heddle
