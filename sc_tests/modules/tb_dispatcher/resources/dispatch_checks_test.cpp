#include "modules/tb_dispatcher/resources/dispatch_checks.h"

#include <gtest/gtest.h>

#include <random>

#include "sc_tests/modules/tb_dispatcher/resources/managed_sm.h"

namespace heddle {
namespace {

using testing::demand_of;

// WarpMan 4.1: five whole TBs of 8 warps with 24 registers a thread, then two warps of a sixth.
TEST(DispatchChecksTest, AsTheTbDoesNotFitItsWarpsAreCounted) {
  const CoreConfig core;  // 32,768 registers, 48 warps
  const TbDemand demand = demand_of(8, 24);
  EXPECT_EQ(DispatchChecks::register_warps(core, demand), 42U);
  DispatchChecks checks(core, {});
  for (unsigned tb = 0; tb < 6; ++tb) {
    const unsigned warps = tb < 5 ? 8 : 2;
    ASSERT_EQ(checks.room(demand), warps) << tb;
    checks.start(demand);
    for (unsigned n = 0; n < warps; ++n) checks.issue();
  }
  EXPECT_EQ(checks.room(demand), 0U);
  checks.warps_ended(3);
  EXPECT_EQ(checks.room(demand), 3U);
}

TEST(DispatchChecksTest, TbSlotsAndSharedMemoryAreTheTbs) {
  CoreConfig core;
  core.tb_slots = 3;
  const TbDemand demand = demand_of(2, 8, core.shared_bytes / 2);
  EXPECT_EQ(DispatchChecks::shared_tbs(core, demand), 2U);
  EXPECT_EQ(DispatchChecks::shared_tbs(core, demand_of(2, 8)), 3U) << "no more than slots";
  DispatchChecks checks(core, {});
  for (unsigned tb = 0; tb < 2; ++tb) {
    EXPECT_EQ(checks.room(demand), 2U);
    checks.start(demand);
  }
  EXPECT_EQ(checks.room(demand), 0U) << "shared memory";
  checks.tb_ended();
  EXPECT_EQ(checks.room(demand), 2U);
}

// Counted in warps and TBs it comes to what counting registers, threads and bytes does, kernel after kernel.
TEST(DispatchChecksTest, CountsInWarpsWhatThereIsInRegistersAndBytes) {
  std::mt19937 random(11);
  const auto drawn = [&random](unsigned from, unsigned to) {
    return from + static_cast<unsigned>(random() % (to - from + 1));
  };
  CoreConfig core;
  core.threads = 44 * kWarpSize;  // fewer than warps
  DispatchChecks checks(core, {});
  unsigned partial = 0;
  for (unsigned kernel = 0; kernel < 400; ++kernel) {
    const TbDemand demand = demand_of(drawn(1, 32), drawn(0, 63), drawn(0, 3) * 5000);
    SmResources free(core);
    unsigned running = 0;
    unsigned tbs = 0;
    for (unsigned turn = 0; turn < 40; ++turn) {
      const unsigned fit = free.fits_tb(demand) ? std::min(free.warps_that_fit(demand), demand.warps) : 0;
      ASSERT_EQ(checks.room(demand), fit) << "kernel " << kernel << ", turn " << turn;
      if (fit != 0 && drawn(0, 2) != 0) {
        partial += fit < demand.warps ? 1 : 0;
        free.take_tb(demand);
        free.take_warps(demand, fit);
        checks.start(demand);
        for (unsigned n = 0; n < fit; ++n) checks.issue();
        running += fit;
        ++tbs;
      }
      const unsigned end = running == 0 ? 0 : drawn(0, running);
      free.give_back_warps(demand, end);
      checks.warps_ended(end);
      running -= end;
      if (tbs > 1 && running == 0) {
        free.give_back_tb(demand);
        checks.tb_ended();
        --tbs;
      }
    }
    checks.warps_ended(running);
    for (; tbs != 0; --tbs) checks.tb_ended();
  }
  EXPECT_GT(partial, 100U);
}

}  // namespace
}  // namespace heddle
