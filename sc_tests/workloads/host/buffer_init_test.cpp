#include "workloads/host/buffer_init.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "base/input_scope.h"
#include "workloads/description/workload_loader.h"

namespace heddle {
namespace {

constexpr std::uint64_t kAddress = 0xC0000100;

/// The elements of a buffer of `count` elements, given the rest of its YAML map; n = 10 is a parameter.
template <typename T>
std::vector<T> initialised(const std::string& type, std::size_t count, const std::string& rest) {
  const Workload workload =
      load_workload_text("ptx: k\nparameters: {n: 10}\nbuffers: {a: {type: " + type +
                             ", count: " + std::to_string(count) + ", " + rest + "}}\nlaunches: []",
                         "w.yaml");
  std::vector<T> elements(count);
  const Bindings buffers{{"a", {kAddress, count, workload.buffers[0].type}}};
  initialise_buffer(workload.buffers[0], workload.scope({}), buffers,
                    reinterpret_cast<std::uint8_t*>(elements.data()));
  return elements;
}

template <typename T>
std::string init_error(const std::string& type, const std::string& rest) {
  try {
    initialised<T>(type, 4, rest);
  } catch (const WorkloadError& error) {
    return error.what();
  }
  return "no error";
}

TEST(BufferInit, IsZeroByDefaultAndAValueWhenGiven) {
  EXPECT_EQ(initialised<std::int32_t>("i32", 3, "init: 0"), (std::vector<std::int32_t>{0, 0, 0}));
  EXPECT_EQ(initialised<std::int32_t>("i32", 2, "init: -1"), (std::vector<std::int32_t>{-1, -1}));
  EXPECT_EQ(initialised<std::uint64_t>("u64", 2, "init: 9223372036854775808.0"),
            (std::vector<std::uint64_t>{1ULL << 63U, 1ULL << 63U}));
  EXPECT_EQ(initialised<std::uint64_t>("u64", 1, "init: 18446744073709549568.0")[0], 0xFFFFFFFFFFFFF800U);
  EXPECT_EQ(initialised<std::int64_t>("i64", 1, "init: -9223372036854775808.0")[0],
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(initialised<double>("f64", 2, "init: {value: n / 4.0}"), (std::vector<double>{2.5, 2.5}));
  EXPECT_TRUE(std::signbit(initialised<float>("f32", 1, "init: -0.0")[0]));
}

TEST(BufferInit, EvaluatesFormulasOfTheIndex) {
  EXPECT_EQ(initialised<std::int64_t>("i64", 4, "init: {formula: i * i - n}"),
            (std::vector<std::int64_t>{-10, -9, -6, -1}));
  EXPECT_EQ(initialised<float>("f32", 3, "init: {formula: 0.5 * i}"), (std::vector<float>{0.0F, 0.5F, 1.0F}));
  EXPECT_EQ(initialised<std::uint8_t>("u8", 3, "init: {formula: 7}"), (std::vector<std::uint8_t>{7, 7, 7}));
}

// The first states after seed 1 by hand: 1015568748, 1586005467, 2165703038.
TEST(BufferInit, LcgFollowsItsRecurrence) {
  const auto plain = initialised<double>("f64", 3, "init: {lcg: {seed: 1}}");
  EXPECT_EQ(plain[0], (1015568748U >> 8U) / 16777216.0);
  EXPECT_EQ(plain[1], (1586005467U >> 8U) / 16777216.0);
  EXPECT_EQ(plain[2], (2165703038U >> 8U) / 16777216.0);
  const auto scaled = initialised<double>("f64", 1, "init: {lcg: {seed: 1, low: -2, high: 2}}");
  EXPECT_EQ(scaled[0], -2.0 + 4.0 * plain[0]);
  const auto integers = initialised<std::int32_t>("i32", 3, "init: {lcg: {seed: 1, low: 0, high: 100}}");
  EXPECT_EQ(integers, (std::vector<std::int32_t>{23, 36, 50}));
}

TEST(BufferInit, RandomCoversItsRangeAndDependsOnItsSeed) {
  const auto values = initialised<std::int32_t>("i32", 1000, "init: {random: {seed: 1, low: -2, high: 3}}");
  std::vector<int> seen(5);
  for (const std::int32_t value : values) {
    ASSERT_GE(value, -2);
    ASSERT_LT(value, 3);
    ++seen[static_cast<std::size_t>(value + 2)];
  }
  for (const int times : seen) {
    EXPECT_GT(times, 150);
  }
  EXPECT_NE(values, initialised<std::int32_t>("i32", 1000, "init: {random: {seed: 2, low: -2, high: 3}}"));
}

TEST(BufferInit, ChasesByIndexAndByAddress) {
  EXPECT_EQ(initialised<std::int32_t>("i32", 4, "init: {chase: 3}"), (std::vector<std::int32_t>{3, 0, 1, 2}));
  EXPECT_EQ(initialised<std::int32_t>("i32", 4, "init: {chase: 9}"), (std::vector<std::int32_t>{1, 2, 3, 0}));
  EXPECT_EQ(initialised<std::uint64_t>("u64", 3, "init: {pointer_chase: 16}"),
            (std::vector<std::uint64_t>{kAddress + 16, kAddress, kAddress + 8}));
}

TEST(BufferInit, SetsElementsLast) {
  EXPECT_EQ(
      initialised<std::int32_t>("i32", 3, "init: 5, set: [{index: 0, value: 1}, {index: n / 5, value: n}]"),
      (std::vector<std::int32_t>{1, 5, 10}));
}

TEST(BufferInit, ReadsRawFilesOfTheRightSize) {
  allow_files_outside(true);
  const std::string path = std::filesystem::temp_directory_path() /
                           ("heddle_buffer_init_test_" + std::to_string(getpid()) + ".bin");
  const std::vector<float> contents = {1.5F, -2.0F};
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(contents.data()), 8);
  EXPECT_EQ(initialised<float>("f32", 2, "init: {file: " + path + "}"), contents);
  EXPECT_EQ(init_error<float>("f32", "init: {file: " + path + "}"),
            "w.yaml:3:42: the file '" + path + "' has 8 bytes, expected 16");
  std::filesystem::remove(path);
  EXPECT_EQ(init_error<float>("f32", "init: {file: " + path + "}"),
            "w.yaml:3:42: the file '" + path + "': can't be read: No such file or directory");
  allow_files_outside(false);
}

TEST(BufferInit, NamesValuesThatDoNotFitTheType) {
  EXPECT_EQ(init_error<std::uint8_t>("u8", "init: 256"),
            "w.yaml:3:41: buffer 'a', element 0: 256 does not fit u8 (0..255)");
  EXPECT_EQ(init_error<std::uint8_t>("i8", "init: {formula: i - 130}"),
            "w.yaml:3:41: buffer 'a', element 0: -130 does not fit i8 (-128..127)");
  EXPECT_EQ(init_error<std::uint32_t>("u32", "init: {formula: 2 - i}"),
            "w.yaml:3:42: buffer 'a', element 3: -1 does not fit u32 (0..4294967295)");
  EXPECT_EQ(init_error<std::uint64_t>("u64", "init: -1"),
            "w.yaml:3:42: buffer 'a', element 0: -1 does not fit u64 (0..18446744073709551615)");
  EXPECT_EQ(init_error<std::uint64_t>("u64", "init: 18446744073709551616.0"),
            "w.yaml:3:42: buffer 'a', element 0: 1.8446744073709552e+19 does not fit u64 "
            "(0..18446744073709551615)");
  EXPECT_EQ(
      init_error<std::int32_t>("i32", "init: {formula: i * 0.5}"),
      "w.yaml:3:42: buffer 'a', element 1: 0.5 is not a whole number, but the type is i32 (use floor())");
  EXPECT_EQ(init_error<std::int32_t>("i32", "init: {formula: 6 / (2 - i)}"),
            "w.yaml:3:42: buffer 'a', element 2: '6 / (2 - i)': division by zero");
}

TEST(BufferInit, NamesIndicesOutsideTheBuffer) {
  EXPECT_EQ(init_error<std::int32_t>("i32", "set: [{index: 4, value: 0}]"),
            "w.yaml:3:50: index of 'a' is 4, expected 0..3");
  EXPECT_EQ(init_error<std::int32_t>("i32", "set: [{index: n - 20, value: 0}]"),
            "w.yaml:3:50: index of 'a' is -10 ('n - 20'), expected 0..3");
}

}  // namespace
}  // namespace heddle
