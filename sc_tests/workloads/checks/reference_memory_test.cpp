// References are named by workloads that may not fit them: each says so, and none reaches outside of buffers.
#include "workloads/checks/reference_memory.h"

#include <gtest/gtest.h>

#include "workloads/checks/references.h"

namespace heddle {
namespace {

const std::vector<std::pair<const char*, ElementType>> kBuffers{
    {"a", ElementType::kF32},        {"b", ElementType::kF32},         {"c", ElementType::kF32},
    {"x", ElementType::kF32},        {"y", ElementType::kF32},         {"t", ElementType::kF32},
    {"x1", ElementType::kF32},       {"x2", ElementType::kF32},        {"y1", ElementType::kF32},
    {"y2", ElementType::kF32},       {"p", ElementType::kF32},         {"q", ElementType::kF32},
    {"r", ElementType::kF32},        {"s", ElementType::kF32},         {"in", ElementType::kF32},
    {"out", ElementType::kF32},      {"value", ElementType::kF32},     {"row_start", ElementType::kI32},
    {"column", ElementType::kI32},   {"neighbour", ElementType::kI32}, {"visited", ElementType::kI32},
    {"level", ElementType::kI32},    {"cost", ElementType::kI32},      {"path", ElementType::kI32},
    {"keys", ElementType::kU32},     {"values", ElementType::kU32},    {"counts", ElementType::kU32},
    {"data", ElementType::kU32},     {"wall", ElementType::kU8},       {"met_and_steps", ElementType::kU32},
    {"points", ElementType::kF32},   {"centres", ElementType::kF32},   {"membership", ElementType::kI32},
    {"distance", ElementType::kF32}, {"power", ElementType::kF32},     {"temperature", ElementType::kF32},
    {"call", ElementType::kF32},     {"put", ElementType::kF32},       {"price", ElementType::kF32},
    {"strike", ElementType::kF32},   {"years", ElementType::kF32}};
const std::vector<const char*> kParameters{
    "n",     "count", "features", "clusters", "passes", "steps", "matrices",   "block",     "rounds",
    "width", "size",  "length",   "nx",       "ny",     "nz",    "most_steps", "most_walls"};

/// Every buffer that a reference knows with `count` elements of the byte `fill`, every parameter `value`.
ReferenceMemory memory_of(std::size_t count, std::uint8_t fill, std::int64_t value) {
  Scope scope;
  for (const char* name : kParameters) scope.push(name, value);
  ReferenceMemory memory(scope);
  for (const auto& [name, type] : kBuffers) {
    std::uint8_t* const bytes = memory.add(name, type, count);
    std::fill(bytes, bytes + count * element_bytes(type), fill);
  }
  return memory;
}

TEST(References, EndOrSayThatTheWorkloadDoesNotFit) {
  unsigned refused = 0;
  unsigned computed = 0;
  for (const std::string& name : reference_names()) {
    for (const std::size_t count : {1, 7, 64}) {
      for (const int fill : {0, 1, 255}) {
        for (const std::int64_t value : {0, 1, 5, 100}) {
          ReferenceMemory memory = memory_of(count, static_cast<std::uint8_t>(fill), value);
          try {
            find_reference(name)(memory);
            ++computed;
          } catch (const std::invalid_argument& error) {
            EXPECT_EQ(std::string(error.what()).find("the reference reads"), std::string::npos)
                << name << ": " << error.what() << ": this test does not have what it reads";
            ++refused;
          }
        }
      }
    }
  }
  EXPECT_GT(refused, 100U);
  EXPECT_GT(computed, 100U);
}

TEST(ReferenceMemory, AnIndexBeyondTheEndIsAnError) {
  ReferenceMemory memory = memory_of(4, 0, 4);
  const auto view = memory.view<float>("a");
  EXPECT_NO_THROW(view[3] = 1);
  EXPECT_THROW(view[4] = 1, std::invalid_argument);
  EXPECT_THROW(view[~std::size_t{0}] = 1, std::invalid_argument);
  Scratch<double> scratch(4);
  EXPECT_NO_THROW(scratch[3] = 1);
  EXPECT_THROW(scratch[4] = 1, std::invalid_argument);
}

TEST(ReferenceMemory, ParametersThatAreSizesHaveLimits) {
  EXPECT_EQ(memory_of(1, 0, 0).size("n"), 0U);
  EXPECT_THROW(memory_of(1, 0, 0).positive("n"), std::invalid_argument);
  EXPECT_THROW(memory_of(1, 0, -1).size("n"), std::invalid_argument);
  EXPECT_THROW(memory_of(1, 0, INT64_MAX).size("n"), std::invalid_argument);
  EXPECT_EQ(memory_of(1, 0, 3).positive("n"), 3U);
}

TEST(References, EndWhenTheyAreAsked) {
  ReferenceMemory memory = memory_of(1 << 14, 1, 100);
  request_stop(StopCause::kInterrupt);
  EXPECT_THROW(find_reference("matrix_multiply")(memory), Stopped);
  clear_stop();
}

}  // namespace
}  // namespace heddle
