// The whole GPU with memories of another maker in the place of its DRAM channels.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <deque>
#include <string>

#include "sc_tests/support/correct_output.h"
#include "sc_tests/support/kernel_time.h"
#include "sc_tests/support/paths.h"
#include "sc_tests/support/timed_memory.h"
#include "tlm/socket_width.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/host.h"
#include "top/report/stats/stats_json.h"
#include "top/report/summary/summary.h"
#include "workloads/description/workload_loader.h"

namespace heddle {
namespace {

sc_core::sc_time ns(double value) { return {value, sc_core::SC_NS}; }

const std::string kVectorAdd = "/workloads/kernels/vector_add/vector_add.yaml";

GpuBuild with_external_memory(const ExternalMemory& memory = {}) {
  GpuBuild build;
  build.external_memory = memory;
  return build;
}

/// As a SystemC engineer writes it in sc_main.
TEST(ExternalMemory, RunsAKernelInTenLines) {
  const LoadedConfig config = load_config("", {});
  const auto gpu = build_gpu(config, with_external_memory());
  std::deque<test::TimedMemory<64>> memories;
  for (unsigned channel = 0; channel < config.config.dram.channels; ++channel) {
    memories.emplace_back(("memory" + std::to_string(channel)).c_str(), 29.6, ns(100));
    gpu->memory(channel).bind(memories.back().socket);
  }
  HostProgram program(load_workload(test::source_dir() + kVectorAdd));
  Host host("host", *gpu, program, {});
  const RunResult result = host.run();

  EXPECT_EQ(result.end, RunEnd::kComplete);
  EXPECT_TRUE(test::correct(program));
  ASSERT_EQ(result.foreign_modules.size(), memories.size());
  EXPECT_NE(result.foreign_modules[0].find("partition0.memory.socket"), std::string::npos);
  EXPECT_TRUE(gpu->clock_tree().ticks_by_processes());
  const TotalView totals(host.registry(), result.values);
  std::uint64_t bytes = 0;
  for (const auto& memory : memories) {
    EXPECT_GT(memory.requests, 0U);
    EXPECT_EQ(memory.debug_calls, 0U);  // no storage is needed
    // Channel-local: a sixth of the addresses that the kernel uses, from 0xC0000000 on.
    EXPECT_LT(memory.end_address, 0xD0000000U / memories.size());
    bytes += memory.bytes;
  }
  EXPECT_EQ(bytes,
            totals.count("partition.memory.read_bytes") + totals.count("partition.memory.written_bytes"));
  EXPECT_EQ(totals.count("partition.memory.read_bytes"),
            totals.count("partition.slice.fetched_sectors") * kSectorBytes);

  // What a DRAM of ours would tell is left out, and not told as zeros.
  RunDescription description;
  description.config = config.config;
  const std::string json = stats_json(description, result, host.registry(), {});
  EXPECT_EQ(json.find("dram_bandwidth"), std::string::npos);
  EXPECT_EQ(json.find("partition.dram."), std::string::npos);
  EXPECT_NE(json.find("\"external_memory_bandwidth\""), std::string::npos);
  EXPECT_NE(json.find("\"foreign_modules\""), std::string::npos);
  const std::string summary =
      run_summary({description, result, host.registry(), {}, {}, {}, "", {}}, OutputFormat::kText);
  EXPECT_EQ(summary.find("DRAM: "), std::string::npos);
  EXPECT_NE(summary.find("External memories: "), std::string::npos);
  EXPECT_NE(summary.find("Foreign modules at "), std::string::npos);
}

struct Variant {
  bool ahead = false;
  bool sleeping = true;
  bool reversed = false;
  unsigned threads = 1;
  ExternalMemory memory;
  double bytes_per_ns = 29.6;
  unsigned latency_ns = 100;
};

/// What a run came to; all zeros when it was not complete and right.
struct VariantFigures {
  std::uint64_t cycles = 0;
  std::uint64_t requests = 0;
  std::uint64_t wrong_times = 0;
  std::uint64_t refused = 0;
  std::uint64_t returned_end_resp = 0;
};

template <unsigned bits>
VariantFigures run(const Variant& variant) {
  const LoadedConfig config = load_config("", {"core.sms=4", "l2.cache.sets=1"});
  GpuBuild build = with_external_memory(variant.memory);
  build.sleeping = variant.sleeping;
  build.reverse_construction = variant.reversed;
  build.threads = variant.threads;
  const auto gpu = build_gpu(config, build);
  test::KernelTime time(gpu->core_clock());
  std::deque<test::TimedMemory<bits>> memories;
  std::deque<SocketWidth<bits>> widths;
  for (unsigned channel = 0; channel < config.config.dram.channels; ++channel) {
    const std::string number = std::to_string(channel);
    auto& memory = memories.emplace_back(
        ("memory" + number).c_str(), variant.bytes_per_ns, ns(variant.latency_ns),
        test::TimedMemoryRules{variant.memory.aligned_powers_of_two, variant.memory.explicit_end_resp});
    memory.called = [&time] { time.look(); };
    auto& width = widths.emplace_back(("width" + number).c_str());
    gpu->memory(channel).bind(width.from);
    width.to.bind(memory.socket);
  }
  if (variant.ahead) gpu->clock_tree().run_ahead();
  HostProgram program(load_workload(test::source_dir() + kVectorAdd), {{"n", 8192}});
  Host host("host", *gpu, program, {});
  const RunResult result = host.run();
  VariantFigures figures;
  if (result.end != RunEnd::kComplete || !test::correct(program)) return figures;
  figures.cycles = result.cycles;
  figures.wrong_times = time.wrong;
  for (const auto& memory : memories) {
    figures.requests += memory.requests;
    figures.refused += memory.refused;
    figures.returned_end_resp += memory.returned_end_resp;
  }
  return figures;
}

/// Each in a process of its own, since a process has one simulation.
template <unsigned bits = 64>
VariantFigures run_apart(const Variant& variant) {
  std::array<int, 2> ends{};
  VariantFigures figures;
  if (pipe(ends.data()) != 0) return figures;
  const pid_t child = fork();
  if (child == 0) {
    const VariantFigures own = run<bits>(variant);
    _exit(write(ends[1], &own, sizeof own) == static_cast<ssize_t>(sizeof own) ? 0 : 1);
  }
  close(ends[1]);
  const bool whole = ::read(ends[0], &figures, sizeof figures) == static_cast<ssize_t>(sizeof figures);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return whole ? figures : VariantFigures{};
}

TEST(ExternalMemory, CyclesAreTheSameHoweverTheClocksAreRun) {
  const VariantFigures plain = run_apart({});
  ASSERT_GT(plain.cycles, 0U);
  EXPECT_EQ(plain.wrong_times, 0U);
  Variant ahead;
  ahead.ahead = true;
  Variant awake = ahead;
  awake.sleeping = false;
  Variant reversed = ahead;
  reversed.reversed = true;
  Variant threads = ahead;
  threads.threads = 2;
  for (const Variant& variant : {ahead, awake, reversed, threads}) {
    const VariantFigures figures = run_apart(variant);
    EXPECT_EQ(figures.cycles, plain.cycles);
    EXPECT_EQ(figures.requests, plain.requests);
    EXPECT_EQ(figures.wrong_times, 0U);
  }
}

TEST(ExternalMemory, ItsTimesCount) {
  const VariantFigures plain = run_apart({});
  Variant slow;
  slow.latency_ns = 1100;
  Variant narrow;
  narrow.bytes_per_ns = 0.5;
  const VariantFigures late = run_apart(slow);
  // A chain of at least one miss is longer by a microsecond, 700 core cycles.
  EXPECT_GT(late.cycles, plain.cycles + 650);
  // 8192 elements of a and of b are fetched over six buses, but for what the host's copies left in the L2.
  const double left_bytes = 12.0 * 8 * kLineBytes;
  const double least_ns = (2.0 * 8192 * 4 - left_bytes) / 6 / narrow.bytes_per_ns;
  EXPECT_GT(static_cast<double>(run_apart(narrow).cycles), 0.7 * least_ns);
}

TEST(ExternalMemory, GetsAlignedPowersOfTwoWhenItAsksForThem) {
  Variant variant;
  const VariantFigures whole = run_apart(variant);
  variant.memory.aligned_powers_of_two = true;
  const VariantFigures parts = run_apart(variant);
  EXPECT_GT(parts.cycles, 0U);
  EXPECT_GE(parts.requests, whole.requests);
  EXPECT_EQ(parts.refused, 0U);
}

TEST(ExternalMemory, GetsAnEndRespOfItsOwnWhenItAsksForIt) {
  Variant variant;
  EXPECT_GT(run_apart(variant).returned_end_resp, 0U);
  variant.memory.explicit_end_resp = true;
  const VariantFigures figures = run_apart(variant);
  EXPECT_GT(figures.cycles, 0U);
  EXPECT_EQ(figures.returned_end_resp, 0U);
}

TEST(ExternalMemory, MayHaveASocketOf32Bits) {
  const VariantFigures wide = run_apart<64>({});
  const VariantFigures narrow = run_apart<32>({});
  EXPECT_GT(wide.cycles, 0U);
  EXPECT_EQ(narrow.cycles, wide.cycles);
}

TEST(ExternalMemory, IsNotThereUnlessAskedFor) {
  const auto gpu = build_gpu(load_config("", {}));
  EXPECT_THROW(gpu->memory(0), std::logic_error);
}

}  // namespace
}  // namespace heddle
