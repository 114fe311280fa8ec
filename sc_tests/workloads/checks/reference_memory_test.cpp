// References are named by workloads that may not fit them: each says so, and none reaches outside of buffers.
#include "workloads/checks/reference_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sc_tests/support/paths.h"
#include "workloads/checks/references.h"
#include "workloads/description/workload_loader.h"

namespace heddle {
namespace {

/// The buffers of kernel `name`'s workload with `count` elements of the byte `fill`, its parameters `value`.
ReferenceMemory memory_of(const std::string& name, std::size_t count, std::uint8_t fill, std::int64_t value) {
  const Workload workload =
      load_workload(test::source_dir() + "/workloads/kernels/" + name + "/" + name + ".yaml");
  Scope scope;
  for (const std::string& parameter : workload.parameter_names()) scope.push(parameter, value);
  ReferenceMemory memory(scope);
  for (const BufferSpec& buffer : workload.buffers) {
    std::uint8_t* const bytes = memory.add(buffer.name, buffer.type, count);
    std::fill(bytes, bytes + count * element_bytes(buffer.type), fill);
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
          ReferenceMemory memory = memory_of(name, count, static_cast<std::uint8_t>(fill), value);
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

TEST(ReferenceMemory, ANumberThatIsNoIndexIsBeyondEveryEnd) {
  EXPECT_EQ(index_of(0), 0U);
  EXPECT_EQ(index_of(2.75), 2U);
  EXPECT_EQ(index_of(9007199254740991.0), 9007199254740991U);
  for (const double number : {-1.0, 9007199254740992.0, 1e300, std::nan("")})
    EXPECT_EQ(index_of(number), ~std::size_t{0}) << number;
}

TEST(ReferenceMemory, AnIndexBeyondTheEndIsAnError) {
  ReferenceMemory memory = memory_of("vector_add", 4, 0, 4);
  const auto view = memory.view<float>("a");
  EXPECT_NO_THROW(view[3] = 1);
  EXPECT_THROW(view[4] = 1, std::invalid_argument);
  EXPECT_THROW(view[~std::size_t{0}] = 1, std::invalid_argument);
  Scratch<double> scratch(4);
  EXPECT_NO_THROW(scratch[3] = 1);
  EXPECT_THROW(scratch[4] = 1, std::invalid_argument);
}

TEST(ReferenceMemory, ParametersThatAreSizesHaveLimits) {
  EXPECT_EQ(memory_of("vector_add", 1, 0, 0).size("n"), 0U);
  EXPECT_THROW(memory_of("vector_add", 1, 0, 0).positive("n"), std::invalid_argument);
  EXPECT_THROW(memory_of("vector_add", 1, 0, -1).size("n"), std::invalid_argument);
  EXPECT_THROW(memory_of("vector_add", 1, 0, INT64_MAX).size("n"), std::invalid_argument);
  EXPECT_EQ(memory_of("vector_add", 1, 0, 3).positive("n"), 3U);
}

TEST(References, EndWhenTheyAreAsked) {
  ReferenceMemory memory = memory_of("matrix_multiply", 1 << 14, 1, 100);
  request_stop(StopCause::kInterrupt);
  EXPECT_THROW(find_reference("matrix_multiply")(memory), Stopped);
  clear_stop();
}

}  // namespace
}  // namespace heddle
