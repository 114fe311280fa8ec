#include "workloads/description/workload_loader.h"

#include <gtest/gtest.h>

#include "workloads/checks/references.h"

namespace heddle {
namespace {

// A workload with `part` after a valid head; the head is 5 lines long.
std::string with_head(const std::string& part) {
  return "ptx: k.ptx\n"
         "parameters: {n: 64, half: n / 2}\n"
         "buffers:\n"
         "  a: {type: f32, count: n}\n"
         "  b: {type: i32, count: 1}\n" +
         part;
}

std::string load_error(const std::string& text) {
  try {
    load_workload_text(text, "dir/w.yaml");
  } catch (const WorkloadError& error) {
    return error.what();
  }
  return "no error";
}

const LaunchStatement& launch_at(const Workload& workload, std::size_t index) {
  return std::get<LaunchStatement>(workload.launches.at(index).action);
}

TEST(WorkloadLoader, ReadsAMinimalWorkload) {
  const Workload workload = load_workload_text("ptx: k.ptx\nlaunches: []\n", "dir/w.yaml");
  EXPECT_EQ(workload.name, "w");
  ASSERT_EQ(workload.ptx.size(), 1U);
  EXPECT_EQ(workload.ptx[0].path, "dir/k.ptx");
  EXPECT_TRUE(workload.launches.empty());
  EXPECT_TRUE(workload.buffers.empty());
}

TEST(WorkloadLoader, KeepsTheBuffersInTheFilesOrder) {
  const Workload workload = load_workload_text(
      "ptx: k\nbuffers: {z: {type: u8, count: 1}, a: {type: f64, count: 2}}\nlaunches: []", "w");
  EXPECT_EQ(workload.buffer_names(), (std::vector<std::string>{"z", "a"}));
  EXPECT_EQ(workload.buffers[0].type, ElementType::kU8);
  EXPECT_EQ(workload.buffers[1].type, ElementType::kF64);
}

TEST(WorkloadLoader, EvaluatesParametersInOrderAndOverridesThem) {
  const Workload workload = load_workload_text(with_head("sizes: {large: {n: 128}}\nlaunches: []"), "w");
  EXPECT_EQ(*workload.scope({}).find("half"), 32);
  EXPECT_EQ(*workload.scope({{"n", 10}}).find("half"), 5);
  EXPECT_EQ(*workload.scope({{"half", 7}}).find("half"), 7);
  EXPECT_EQ(*workload.scope(workload.size_parameters("large")).find("half"), 64);
  EXPECT_TRUE(workload.size_parameters("default").empty());
}

TEST(WorkloadLoader, ReadsEveryFormOfArgument) {
  const Workload workload = load_workload_text(
      with_head(
          "launches:\n  - {kernel: k, grid: n, block: [half, 2], shared_bytes: 4 * n, registers: 20,\n"
          "     args: [a, n, -1.5, {u8: 7}, {buffer: a, offset: 4 * half}, {struct: [{i32: 1}, a]}]}\n"),
      "w");
  const LaunchStatement& launch = launch_at(workload, 0);
  using Kind = Argument::Kind;
  EXPECT_EQ(launch.kernel, "k");
  ASSERT_EQ(launch.args.size(), 6U);
  EXPECT_EQ(launch.args[0].kind, Kind::kBuffer);
  EXPECT_EQ(launch.args[1].kind, Kind::kNumber);
  EXPECT_EQ(launch.args[2].kind, Kind::kNumber);
  EXPECT_EQ(launch.args[3].type, ElementType::kU8);
  EXPECT_EQ(launch.args[4].value.evaluate_integer(workload.scope({})), 128);
  EXPECT_EQ(launch.args[5].members.size(), 2U);
  EXPECT_EQ(launch.grid[0].evaluate_integer(workload.scope({})), 64);
  EXPECT_EQ(launch.block[1].evaluate_integer(workload.scope({})), 2);
  EXPECT_EQ(launch.block[2].evaluate_integer(workload.scope({})), 1);
}

TEST(WorkloadLoader, LoopVariablesAreKnownInsideTheirLoopOnly) {
  const std::string inside =
      "launches: [{repeat: {count: 2, as: k, launches: [{set: {buffer: b, value: k}}]}}]";
  EXPECT_EQ(load_error(with_head(inside)), "no error");
  EXPECT_EQ(load_error(with_head("launches:\n- repeat: {count: 2, as: k, launches: []}\n"
                                 "- set: {buffer: b, value: k}\n")),
            "dir/w.yaml:8:27: 'k': unknown name 'k' (names: half, n)");
  EXPECT_EQ(load_error(with_head("launches:\n- repeat: {count: 2, as: n, launches: []}\n")),
            "dir/w.yaml:7:26: repeat, as: the name 'n' is taken");
}

TEST(WorkloadLoader, NamesUnknownKeysAndTheNearest) {
  EXPECT_EQ(
      load_error("ptx: k\nlaunchs: []\n"),
      "dir/w.yaml:2:1: workload: unknown key 'launchs'; did you mean 'launches'? (keys: buffers, checks, "
      "description, dump, launches, name, parameters, ptx, sizes, streams, textures)");
  EXPECT_EQ(
      load_error("ptx: k\nbuffers:\n  a: {type: f32, cuont: 4}\nlaunches: []\n"),
      "dir/w.yaml:3:18: buffer 'a': unknown key 'cuont'; did you mean 'count'? (keys: count, init, offset, "
      "ptx, set, symbol, type)");
  EXPECT_EQ(
      load_error(with_head("launches:\n- {kernel: k, gird: 1, block: 1}\n")),
      "dir/w.yaml:7:15: launch: unknown key 'gird'; did you mean 'grid'? (keys: args, arrival_cycles, block, "
      "grid, kernel, ptx, registers, shared_bytes)");
}

TEST(WorkloadLoader, NamesMissingAndDoubledKeys) {
  EXPECT_EQ(load_error("launches: []\n"), "dir/w.yaml:1:1: workload: missing key 'ptx'");
  EXPECT_EQ(load_error("ptx: k\n"), "dir/w.yaml:1:1: workload: missing key 'launches'");
  EXPECT_EQ(load_error("ptx: k\nptx: l\nlaunches: []\n"), "dir/w.yaml:2:1: workload: key 'ptx' stands twice");
  EXPECT_EQ(load_error("ptx: k\nbuffers: {a: {count: 1}}\nlaunches: []"),
            "dir/w.yaml:2:14: buffer 'a': missing key 'type'");
}

TEST(WorkloadLoader, ALaunchWithoutItsKernelIsOne) {
  EXPECT_EQ(load_error(with_head("launches: [{grid: 1, block: 32, args: [a]}]")),
            "dir/w.yaml:6:12: launch: missing key 'kernel'");
  EXPECT_EQ(load_error(with_head("launches: [{kernal: k, grid: 1, block: 32}]")),
            "dir/w.yaml:6:13: launch: unknown key 'kernal'; did you mean 'kernel'? (keys: args, "
            "arrival_cycles, block, grid, kernel, ptx, registers, shared_bytes)");
}

TEST(WorkloadLoader, SaysThatAnExpressionWithACommaNeedsQuotes) {
  const std::string quotes = "; in [...] and {...} an expression with a comma needs quotes";
  EXPECT_EQ(load_error(with_head("launches: [{kernel: k, grid: ceil_div(n, 64), block: 64}]")),
            "dir/w.yaml:6:42: launch: unknown key '64)' (keys: args, arrival_cycles, block, grid, kernel, "
            "ptx, registers, shared_bytes)" +
                quotes);
  EXPECT_EQ(load_error(with_head("launches: [{kernel: k, grid: [ceil_div(n, 64), 2], block: 64}]")),
            "dir/w.yaml:6:31: launch, grid: 'ceil_div(n', character 11: ceil_div takes 2 arguments; expected "
            "',', found the end" +
                quotes);
}

TEST(WorkloadLoader, RefusesKernelsInPlaceOfAWorkload) {
  for (const std::string path : {"dir/k.ptx", "dir/k.cu"}) {
    try {
      load_workload(path);
      ADD_FAILURE() << "no error";
    } catch (const WorkloadError& error) {
      EXPECT_EQ(std::string(error.what()).find(path + ": found a file of kernels, expected YAML"), 0U)
          << error.what();
    }
  }
}

TEST(WorkloadLoader, NamesWhatIsNotOfTheExpectedKind) {
  EXPECT_EQ(load_error("[1, 2]\n"), "dir/w.yaml:1:1: workload: expected a map, found a list");
  EXPECT_EQ(load_error("ptx: k\nlaunches: 3\n"), "dir/w.yaml:2:11: launches: expected a list, found a value");
  EXPECT_EQ(load_error("ptx: {k: l}\nlaunches: []\n"),
            "dir/w.yaml:1:6: workload, ptx: expected a value, found a map");
  EXPECT_EQ(load_error("ptx: {\n").substr(0, 25), "dir/w.yaml:2:1: not YAML:");
  EXPECT_EQ(load_error(with_head("launches: [{while: {buffer: b, equal: 1, do: maybe, launches: []}}]\n")),
            "dir/w.yaml:6:46: while, do: expected true or false, found 'maybe'");
}

TEST(WorkloadLoader, NamesUnknownBuffersTypesNamesAndReferences) {
  EXPECT_EQ(load_error(with_head("launches:\n- set: {buffer: c, value: 1}\n")),
            "dir/w.yaml:7:17: unknown buffer 'c' (buffers: a, b)");
  EXPECT_EQ(
      load_error("ptx: k\nbuffers: {a: {type: f31, count: 1}}\nlaunches: []"),
      "dir/w.yaml:2:21: buffer 'a': unknown type 'f31'; did you mean 'f32'? (types: f32, f64, i16, i32, "
      "i64, i8, u16, u32, u64, u8)");
  EXPECT_EQ(load_error(with_head("launches:\n- {kernel: k, grid: m, block: 1}\n")),
            "dir/w.yaml:7:21: 'm': unknown name 'm' (names: half, n)");
  EXPECT_EQ(
      load_error(with_head("launches:\n- {kernel: k, grid: 1, block: 1, args: [halv]}\n")),
      "dir/w.yaml:7:41: argument 1: unknown name 'halv'; did you mean 'half'? (buffers and parameters: a, "
      "b, half, n)");
  EXPECT_NE(load_error(with_head("launches: []\nchecks: [{buffer: a, reference: atx}]\n"))
                .find("dir/w.yaml:7:33: unknown reference 'atx'; did you mean 'atax'? (references: " +
                      reference_names().front() + ", "),
            std::string::npos);
}

TEST(WorkloadLoader, NamesUnknownParametersAndSizes) {
  const Workload workload = load_workload_text(with_head("sizes: {large: {n: 128}}\nlaunches: []"), "w.yaml");
  try {
    workload.scope({{"hallf", 1}});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "workload 'w' has no parameter 'hallf'; did you mean 'half'? (parameters: half, n)");
  }
  try {
    workload.size_parameters("larg");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "workload 'w' has no size 'larg'; did you mean 'large'? (sizes: default, large)");
  }
  EXPECT_EQ(load_error(with_head("sizes: {large: {m: 1}}\nlaunches: []\n")),
            "dir/w.yaml:6:17: size 'large': unknown key 'm' (keys: half, n)");
}

TEST(WorkloadLoader, RefusesAmbiguousAndIncompleteStatements) {
  EXPECT_EQ(load_error(with_head("launches: [{}]\n")),
            "dir/w.yaml:6:12: launch: expected exactly one of kernel, set, fill, copy, swap, repeat, while");
  EXPECT_EQ(load_error(with_head("launches: [{while: {buffer: b, launches: []}}]\n")),
            "dir/w.yaml:6:20: while: expected exactly one of equal, not_equal, less, greater, found 0");
  EXPECT_EQ(load_error(with_head("launches: [{swap: [a]}]\n")),
            "dir/w.yaml:6:19: swap: expected two buffers, found 1");
  EXPECT_EQ(load_error(with_head("launches: [{swap: [a, b]}]\n")),
            "dir/w.yaml:6:19: swap: 'a' is f32 but 'b' is i32; expected the same type");
  EXPECT_EQ(load_error(with_head("launches: [{kernel: k, grid: [1, 1, 1, 1], block: 1}]\n")),
            "dir/w.yaml:6:30: launch, grid: expected 1 to 3 values, found 4");
  EXPECT_EQ(load_error(with_head("launches: [{kernel: k, grid: 1, block: 1, args: [{struct: [n]}]}]\n")),
            "dir/w.yaml:6:60: argument 1: a member needs a type, as in {i32: n}");
  EXPECT_EQ(load_error(with_head("launches: []\nchecks: [{buffer: a}]\n")),
            "dir/w.yaml:7:10: check: expected exactly one of reference, file, sum");
}

TEST(WorkloadLoader, RefusesInitialisersThatDoNotFitTheType) {
  EXPECT_EQ(load_error("ptx: k\nbuffers: {a: {type: f32, count: 4, init: {chase: 1}}}\nlaunches: []"),
            "dir/w.yaml:2:42: buffer 'a', init: chase needs an integer type, found f32");
  EXPECT_EQ(load_error("ptx: k\nbuffers: {a: {type: u32, count: 4, init: {pointer_chase: 8}}}\nlaunches: []"),
            "dir/w.yaml:2:42: buffer 'a', init: pointer_chase needs type u64, found u32");
  EXPECT_EQ(load_error("ptx: k\nbuffers: {a: {type: i64, count: 4, init: {addresses: [a]}}}\nlaunches: []"),
            "dir/w.yaml:2:54: buffer 'a', init: addresses needs type u64, found i64");
  EXPECT_EQ(
      load_error("ptx: k\nbuffers: {a: {type: f32, count: 4, init: {value: 1, chase: 1}}}\nlaunches: []"),
      "dir/w.yaml:2:42: buffer 'a', init: expected exactly one kind of value, formula, lcg, random, chase, "
      "pointer_chase, addresses, file, found 2");
}

TEST(WorkloadLoader, PointsIntoAMalformedExpression) {
  EXPECT_EQ(
      load_error("ptx: k\nbuffers: {a: {type: f32, count: 4 +}}\nlaunches: []"),
      "dir/w.yaml:2:33: buffer 'a', count: '4 +', character 4: expected a number, a name or '(', found the "
      "end");
}

TEST(WorkloadLoader, NamesAFileThatCannotBeRead) {
  try {
    load_workload("/nonexistent/w.yaml");
    FAIL();
  } catch (const WorkloadError& error) {
    EXPECT_STREQ(error.what(), "/nonexistent/w.yaml: can't be read: No such file or directory");
  }
}

TEST(WorkloadLoader, ReadsStreamsWithTheirArrivals) {
  const Workload workload = load_workload_text(
      with_head("streams:\n"
                "  - {launches: [{kernel: k, grid: 1, block: 1, args: []}]}\n"
                "  - {name: late, arrival_cycles: 10 * n,\n"
                "     launches: [{kernel: k, grid: 1, block: 1, arrival_cycles: 1000, args: []}]}\n"),
      "w");
  EXPECT_TRUE(workload.launches.empty());
  ASSERT_EQ(workload.streams.size(), 2U);
  EXPECT_EQ(workload.streams[0].name, "stream0");
  EXPECT_EQ(workload.streams[1].name, "late");
  EXPECT_EQ(workload.streams[1].arrival_cycles.evaluate_integer(workload.scope({})), 640);
  const auto& launch = std::get<LaunchStatement>(workload.streams[1].launches.at(0).action);
  EXPECT_TRUE(launch.arrival_cycles.has_value());
}

TEST(WorkloadLoader, SaysWhatIsWrongWithStreams) {
  EXPECT_EQ(load_error(with_head("launches: []\nstreams: [{launches: []}]")),
            "dir/w.yaml:7:10: workload: expected launches or streams, found both");
  EXPECT_EQ(load_error(with_head("streams: []")),
            "dir/w.yaml:6:10: streams: expected at least one, found none");
  EXPECT_EQ(load_error(with_head("streams: [{name: a, launches: []}, {name: a, launches: []}]")),
            "dir/w.yaml:6:36: streams: there are two of the name 'a'");
  EXPECT_EQ(
      load_error(with_head("launches:\n  - {kernel: k, grid: 1, block: 1, arrival_cycles: 5}")),
      "dir/w.yaml:7:52: launch, arrival_cycles: only the launches of `streams` have arrival times; those "
      "of `launches` begin when the one before has ended");
}

}  // namespace
}  // namespace heddle
