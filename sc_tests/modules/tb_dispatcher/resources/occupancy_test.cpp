#include "modules/tb_dispatcher/resources/occupancy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sc_tests/support/fake_kernel.h"

namespace heddle {
namespace {

using ::testing::AllOf;
using testing::FakeKernel;
using ::testing::HasSubstr;

struct Row {
  unsigned threads;
  unsigned registers;
  unsigned shared;
  unsigned tbs_per_sm;
  SmResource limiter;
};

void PrintTo(const Row& row, std::ostream* os) {
  *os << row.threads << " threads, " << row.registers << " registers, " << row.shared << " bytes";
}

class OccupancyTest : public ::testing::TestWithParam<Row> {};

// gtx480.md, "Clocks, size, occupancy": 1536 threads, 48 warps, 8 TBs, 32768 registers, 48 KB.
TEST_P(OccupancyTest, FollowsTheTightestResource) {
  const Row& row = GetParam();
  FakeKernel kernel(1000, row.threads);
  kernel.registers = row.registers;
  kernel.shared = row.shared;
  const Occupancy occupancy = Occupancy::of(kernel, CoreConfig{});
  EXPECT_EQ(occupancy.tbs_per_sm, row.tbs_per_sm);
  EXPECT_EQ(occupancy.resident_limit, row.tbs_per_sm);
  EXPECT_EQ(occupancy.limiter, row.limiter) << to_string(occupancy.limiter);
}

INSTANTIATE_TEST_SUITE_P(
    Table, OccupancyTest,
    ::testing::Values(Row{32, 16, 0, 8, SmResource::kTbSlots}, Row{256, 16, 0, 6, SmResource::kThreads},
                      Row{192, 20, 0, 8, SmResource::kTbSlots}, Row{256, 21, 0, 5, SmResource::kRegisters},
                      Row{256, 24, 0, 5, SmResource::kRegisters}, Row{256, 20, 0, 6, SmResource::kThreads},
                      Row{100, 63, 0, 4, SmResource::kRegisters},
                      Row{64, 16, 12288, 4, SmResource::kSharedMemory},
                      Row{64, 16, 12289, 3, SmResource::kSharedMemory},
                      Row{1024, 32, 0, 1, SmResource::kThreads},
                      Row{1024, 0, 49152, 1, SmResource::kThreads}));

TEST(OccupancyTest, RoundsThreadsToWarpsAndRegistersToTheAllocationUnit) {
  FakeKernel kernel(1, 33);
  kernel.registers = 13;
  kernel.shared = 1;
  const TbDemand demand = TbDemand::of(kernel, CoreConfig{});
  EXPECT_EQ(demand.warps, 2U);
  EXPECT_EQ(demand.threads, 64U);
  EXPECT_EQ(demand.registers_per_thread, 16U);
  EXPECT_EQ(demand.registers, 1024U);
  EXPECT_EQ(demand.shared_bytes, 128U);
}

TEST(OccupancyTest, AGridThatCannotFillTheGpuIsSpread) {
  CoreConfig core;
  const auto limit_of = [&](unsigned tbs) {
    FakeKernel kernel(tbs, 32);
    return Occupancy::of(kernel, core);
  };
  EXPECT_EQ(limit_of(120).resident_limit, 8U);
  EXPECT_EQ(limit_of(120).limiter, SmResource::kTbSlots);
  EXPECT_EQ(limit_of(106).resident_limit, 8U);
  EXPECT_EQ(limit_of(105).resident_limit, 7U);
  EXPECT_EQ(limit_of(105).limiter, SmResource::kGrid);
  EXPECT_EQ(limit_of(105).tbs_per_sm, 8U);
  EXPECT_EQ(limit_of(1).resident_limit, 1U);
}

TEST(OccupancyTest, SaysWhereTheWorkloadLaunchesWhatDoesNotFit) {
  CoreConfig core;
  FakeKernel kernel(1000, 256);
  kernel.registers = 64;
  kernel.set_place("w.yaml:7:5: ");
  try {
    Occupancy::of(kernel, core);
    ADD_FAILURE() << "no error";
  } catch (const OccupancyError& error) {
    EXPECT_EQ(std::string(error.what()).find("w.yaml:7:5: kernel 'fake': 64 registers"), 0U) << error.what();
  }
}

TEST(OccupancyTest, MoreRegistersThanAThreadHasAreRefused) {
  CoreConfig core;
  FakeKernel kernel(1000, 256);
  kernel.registers = 63;
  EXPECT_EQ(Occupancy::of(kernel, core).tbs_per_sm, 2U);
  kernel.registers = 64;
  try {
    Occupancy::of(kernel, core);
    ADD_FAILURE() << "no error";
  } catch (const OccupancyError& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("'fake'"), HasSubstr("64 registers per thread"), HasSubstr("at most 63"),
                      HasSubstr("core.max_registers_per_thread"), HasSubstr("-maxrregcount 63")));
  }
  core.max_registers_per_thread = 0;
  EXPECT_EQ(Occupancy::of(kernel, core).tbs_per_sm, 2U);
}

class LocalKernel : public FakeKernel {
 public:
  explicit LocalKernel(unsigned local_bytes) : FakeKernel(1, 32), local_(FakeKernel::program()) {
    local_.local_bytes_per_thread = local_bytes;
  }
  const Program& program() const override { return local_; }
  std::uint64_t local_base() const override { return 0x40000000; }

 private:
  Program local_;
};

TEST(OccupancyTest, LocalMemoryOfAllThreadsOfTheGpuIsThere) {
  CoreConfig core;  // 15 SMs of 1536 threads: 23040 threads in 2 GB
  EXPECT_NO_THROW(Occupancy::of(LocalKernel(93206), core));
  try {
    Occupancy::of(LocalKernel(93207), core);
    ADD_FAILURE() << "no error";
  } catch (const OccupancyError& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("93207 bytes of local memory per thread, expected at most 93206"),
                      HasSubstr("23040 threads")));
  }
  core.sms = 2;
  EXPECT_NO_THROW(Occupancy::of(LocalKernel(524288), core));
}

TEST(OccupancyTest, AKernelThatDoesNotFitIsAnErrorThatSaysWhy) {
  const auto message_of = [](unsigned threads, unsigned registers, unsigned shared) -> std::string {
    FakeKernel kernel(1, threads);
    kernel.registers = registers;
    kernel.shared = shared;
    try {
      Occupancy::of(kernel, CoreConfig{});
    } catch (const OccupancyError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message_of(32, 8, 49153), AllOf(HasSubstr("'fake'"), HasSubstr("shared memory"),
                                              HasSubstr("49280 bytes"), HasSubstr("has 49152")));
  EXPECT_THAT(message_of(1024, 33, 0), AllOf(HasSubstr("registers"), HasSubstr("36864"), HasSubstr("32768")));
  EXPECT_THAT(message_of(1568, 8, 0), AllOf(HasSubstr("threads"), HasSubstr("1568"), HasSubstr("1536")));
}

}  // namespace
}  // namespace heddle
