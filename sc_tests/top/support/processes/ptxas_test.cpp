// What `ptxas -v` prints, as CUDA 11.8 and 13.0 do.
#include "top/support/processes/ptxas.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Ptxas, OutputOfCuda11IsRead) {
  const auto found = read_ptxas_registers(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'atax_columns' for 'sm_35'\n"
      "ptxas info    : Function properties for atax_columns\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 20 registers, 348 bytes cmem[0]\n"
      "ptxas info    : Compiling entry function 'atax_rows' for 'sm_35'\n"
      "ptxas info    : Function properties for atax_rows\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 17 registers, 348 bytes cmem[0]\n");
  EXPECT_EQ(found, (std::map<std::string, unsigned>{{"atax_columns", 20}, {"atax_rows", 17}}));
}

TEST(Ptxas, OutputOfCuda13IsRead) {
  const auto found = read_ptxas_registers(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'matrix_multiply' for 'sm_75'\n"
      "ptxas info    : Function properties for matrix_multiply\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 64 registers, used 1 barriers, 2048 bytes smem, 380 bytes cmem[0]\n"
      "ptxas info    : Compile time = 33.548 ms\n");
  EXPECT_EQ(found, (std::map<std::string, unsigned>{{"matrix_multiply", 64}}));
}

/// A device function that is not inlined has properties and a count of its own.
TEST(Ptxas, CountsOfDeviceFunctionsAreNotTheKernels) {
  const auto found = read_ptxas_registers(
      "ptxas info    : Compiling entry function 'k' for 'sm_35'\n"
      "ptxas info    : Used 9 registers, 320 bytes cmem[0]\n"
      "ptxas info    : Function properties for f\n"
      "ptxas info    : Used 40 registers\n");
  EXPECT_EQ(found, (std::map<std::string, unsigned>{{"k", 9}}));
}

TEST(Ptxas, RequestsNameTheProgramAndAGpu) {
  EXPECT_TRUE(is_ptxas_request("ptxas"));
  EXPECT_TRUE(is_ptxas_request("ptxas:sm_35"));
  EXPECT_FALSE(is_ptxas_request("ptxas:"));
  EXPECT_FALSE(is_ptxas_request("ptxa"));
  EXPECT_FALSE(is_ptxas_request("nvcc"));
}

}  // namespace
}  // namespace heddle
