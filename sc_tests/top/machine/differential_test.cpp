// The same kernels without timing and on the machine under three schedulers leave the same memory: generated
// ones, and built-in ones of which instructions were changed. HEDDLE_DIFFERENTIAL=1000 draws as many of each.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "sc_tests/support/apart.h"
#include "sc_tests/support/kernel_generator.h"
#include "sc_tests/support/paths.h"
#include "top/machine/gpu_builder.h"
#include "top/machine/host.h"
#include "workloads/description/workload_loader.h"
#include "workloads/host/functional_run.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 3> kSchedulers = {"lrr", "gto", "pro"};
constexpr std::uint64_t kMostInstructions = 100'000;

unsigned count_or(unsigned few) {
  const char* const many = std::getenv("HEDDLE_DIFFERENTIAL");
  return many != nullptr ? static_cast<unsigned>(std::atoi(many)) : few;
}

/// Runs the warps of a launch from the last of the last block to the first of the first. False when that does
/// not end.
bool run_launch_backwards(KernelLaunch& launch) {
  struct Warp {
    bool finished = false;
    int barrier = -1;
  };
  std::uint64_t steps = 0;
  for (std::uint64_t tb = launch.grid().count(); tb-- > 0;) {
    const std::unique_ptr<ThreadBlock> block = launch.start(tb);
    std::vector<Warp> warps(launch.warps_per_tb());
    for (bool progress = true; progress;) {
      progress = false;
      for (unsigned warp = launch.warps_per_tb(); warp-- > 0;) {
        while (!warps[warp].finished && warps[warp].barrier < 0) {
          if (++steps > kMostInstructions) return false;
          Step step;
          LaneAddresses addresses;
          block->step(warp, {}, step, addresses);
          warps[warp].finished = step.warp_finished;
          if (step.at_barrier) warps[warp].barrier = step.barrier;
          progress = true;
        }
      }
      for (Warp& warp : warps) {  // those that can be reached wait at one barrier in these kernels
        progress = progress || warp.barrier >= 0;
        warp.barrier = -1;
      }
    }
  }
  return true;
}

bool run_forwards(HostProgram& program) {
  FunctionalLimits limits;
  limits.warp_instructions = kMostInstructions;
  return run_functionally(program, limits).complete;
}

bool run_backwards(HostProgram& program) {
  while (const std::unique_ptr<KernelLaunch> launch = program.next(0)) {
    if (!run_launch_backwards(*launch)) return false;
  }
  return true;
}

/// A workload whose PTX is given as text.
struct DrawnProgram {
  std::string yaml;
  std::string ptx;
  std::map<std::string, std::int64_t> parameters;
};

/// How a program ended and, when it did, what it left in memory.
struct Outcome {
  enum class Kind : char { kEnded = 'e', kFault = 'f', kStuck = 's' };
  Kind kind = Kind::kEnded;
  std::string memory;
  std::string message;
};
bool operator==(const Outcome& a, const Outcome& b) { return a.kind == b.kind && a.memory == b.memory; }

class Differential : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::unique_ptr<HostProgram> load(const DrawnProgram& program) const {
    std::ofstream(folder_ + "/k.ptx") << program.ptx;
    return std::make_unique<HostProgram>(load_workload_text(program.yaml, folder_ + "/w.yaml"),
                                         program.parameters);
  }

  static std::string memory_of(const HostProgram& program) {
    std::string bytes;
    for (const DeviceMemory::Buffer& buffer : program.memory().buffers()) {
      bytes.append(reinterpret_cast<const char*>(program.memory().host(buffer.address)), buffer.bytes);
    }
    return bytes;
  }

  Outcome on_the_machine(const DrawnProgram& program, const std::string& scheduler) const {
    const std::string text = test::apart([&] {
      const std::unique_ptr<HostProgram> loaded = load(program);
      const std::unique_ptr<Gpu> gpu =
          build_gpu(load_config("", {"core.sms=2", "scheduler.name=" + scheduler}));
      HostOptions options;
      options.max_cycles = 200 * kMostInstructions;
      Host host("host", *gpu, *loaded, options);
      const RunResult result = host.run();
      const Outcome::Kind kind = result.end == RunEnd::kComplete ? Outcome::Kind::kEnded
                                 : result.end == RunEnd::kFault  ? Outcome::Kind::kFault
                                                                 : Outcome::Kind::kStuck;
      return std::string(1, static_cast<char>(kind)) +
             (kind == Outcome::Kind::kEnded ? memory_of(*loaded) : result.reason);
    });
    if (text.empty()) return {Outcome::Kind::kStuck, "", "no result"};
    const auto kind = static_cast<Outcome::Kind>(text.front());
    const std::string rest = text.substr(1);
    return kind == Outcome::Kind::kEnded ? Outcome{kind, rest, ""} : Outcome{kind, "", rest};
  }

  /// `run` is false when the program does not end.
  template <class Run>
  Outcome without_timing(const DrawnProgram& program, Run run) const {
    const std::unique_ptr<HostProgram> loaded = load(program);
    try {
      if (!run(*loaded)) return {Outcome::Kind::kStuck, "", "limit"};
    } catch (const BarrierDeadlock& error) {
      return {Outcome::Kind::kStuck, "", error.what()};
    } catch (const ExecutionFault& error) {
      return {Outcome::Kind::kFault, "", error.what()};
    }
    return {Outcome::Kind::kEnded, memory_of(*loaded), ""};
  }

  void expect_the_same(const DrawnProgram& program, const Outcome& expected, const std::string& what) const {
    for (const char* const scheduler : kSchedulers) {
      const Outcome found = on_the_machine(program, scheduler);
      EXPECT_TRUE(found == expected) << what << " under " << scheduler << ": " << found.message << "\n"
                                     << expected.message << "\n"
                                     << program.ptx;
    }
  }

  std::string folder_ = ::testing::TempDir() + "heddle_differential_" + std::to_string(getpid());
};

DrawnProgram generated(std::uint32_t seed) {
  std::mt19937 random{seed};
  std::string bytes(400, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  test::ChoiceStream choices(bytes);
  const test::GeneratedKernel kernel = test::generate_kernel(choices);
  std::ostringstream yaml;
  yaml << "ptx: k.ptx\nbuffers:\n"
       << "  in: {type: u32, count: " << test::GeneratedKernel::kInputWords << ", init: {formula: \"hash(i + "
       << seed << ")\"}}\n"
       << "  out: {type: u32, count: " << kernel.output_words() << "}\n"
       << "  sums: {type: u32, count: " << test::GeneratedKernel::kSums << "}\n"
       << test::textures_of(kernel.ptx) << "launches:\n  - {kernel: k, grid: " << kernel.blocks
       << ", block: " << kernel.threads_per_block << ", args: [in, out, sums, "
       << test::GeneratedKernel::kInputWords << "]}\n";
  return {yaml.str(), kernel.ptx, {}};
}

TEST_F(Differential, GeneratedKernels) {
  const unsigned count = count_or(12);
  for (std::uint32_t seed = 0; seed < count; ++seed) {
    const DrawnProgram program = generated(seed);
    const Outcome expected = without_timing(program, run_forwards);
    ASSERT_EQ(expected.kind, Outcome::Kind::kEnded) << expected.message << program.ptx;
    expect_the_same(program, expected, "seed " + std::to_string(seed));
  }
}

struct BuiltIn {
  const char* name;
  std::map<std::string, std::int64_t> parameters;
};

const std::vector<BuiltIn>& built_in() {
  static const std::vector<BuiltIn> kernels = {
      {"vector_add", {{"n", 700}, {"block", 64}}},
      {"scalar_product", {{"pairs", 3}, {"length", 512}, {"block", 128}}},
      {"pathfinder", {{"columns", 500}, {"rows", 4}, {"passes", 1}}},
      {"hotspot", {{"n", 24}, {"passes", 1}}},
      {"bitonic_sort", {{"tiles", 1}}},
      {"matrix_multiply", {{"n", 32}}},
      {"mvt", {{"n", 64}}},
      {"histogram", {{"words", 2048}, {"blocks", 2}, {"block", 128}}},
  };
  return kernels;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The program with one to three changes of its instructions: another operation of the same operands, another
/// comparison or constant, or a guard turned round. Barriers stay: without one a kernel has races that few
/// orders of its warps show.
std::string mutated(std::string text, std::mt19937& random) {
  static const std::vector<std::pair<std::string, std::string>> changes = {
      {"add.", "sub."},      {"sub.", "add."}, {"mul.lo.", "mul.hi."},   {".lt.", ".le."},
      {".ge.", ".gt."},      {".eq.", ".ne."}, {".ne.", ".eq."},         {"shl.b32", "shr.u32"},
      {"and.b32", "or.b32"}, {"max.", "min."}, {"\tfma.rn", "\tfma.rz"}, {"@%p", "@!%p"},
      {", 1;", ", 2;"},      {", 2;", ", 1;"}, {", 4;", ", 3;"},         {"+4]", "+8]"},
      {"+8]", "+4]"}};
  const std::size_t body = text.find('{');
  for (unsigned change = 0; change <= random() % 3; ++change) {
    const auto& [from, to] = changes[random() % changes.size()];
    std::vector<std::size_t> places;
    for (std::size_t at = text.find(from, body); at != std::string::npos; at = text.find(from, at + 1)) {
      places.push_back(at);
    }
    if (!places.empty()) text.replace(places[random() % places.size()], from.size(), to);
  }
  return text;
}

TEST_F(Differential, BuiltInKernelsWithChangedInstructions) {
  const unsigned count = count_or(24);
  std::mt19937 random{2026};
  unsigned compared = 0;
  for (unsigned i = 0; i < count; ++i) {
    const BuiltIn& kernel = built_in()[i % built_in().size()];
    const std::string path = test::source_dir() + "/workloads/kernels/" + kernel.name + "/" + kernel.name;
    const std::string yaml =
        "ptx: k.ptx\n" + text_of(path + ".yaml").substr(text_of(path + ".yaml").find("parameters:"));
    const DrawnProgram program{yaml, mutated(text_of(path + ".ptx"), random), kernel.parameters};
    const Outcome expected = without_timing(program, run_forwards);
    if (expected.kind == Outcome::Kind::kStuck) continue;
    // Where results depend on the order of warps no two machines need agree.
    if (!(without_timing(program, run_backwards) == expected)) continue;
    ++compared;
    expect_the_same(program, expected, kernel.name);
  }
  EXPECT_GE(compared, count / 3);
}

}  // namespace
}  // namespace heddle
