#include "modules/global_memory/put_off_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "modules/messages/tick_order.h"
#include "sc_tests/support/memory_stubs.h"

namespace heddle::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Writes down the warps whose steps are finished; warp 13 faults.
class Block : public ThreadBlock {
 public:
  explicit Block(std::vector<unsigned>& finished) : finished_(finished) {}
  std::uint32_t next_index(unsigned /*warp*/) const override { return 0; }
  LaneMask next_path(unsigned /*warp*/) const override { return 0; }
  void step(unsigned /*warp*/, const ExecutionSite& /*site*/, Step& /*out*/, LaneAddresses& /*to*/) override {
  }
  void finish(const PutOffStep& step) override {
    if (step.warp == 13) throw std::runtime_error("fault on SM " + std::to_string(step.site.sm));
    finished_.push_back(step.warp);
  }
  void barrier_released(unsigned /*barrier*/) override {}
  std::string describe_warp(unsigned /*warp*/) const override { return ""; }

 private:
  std::vector<unsigned>& finished_;
};

class PutOffStepsTest : public ::testing::Test {
 protected:
  void put_off(unsigned strand, unsigned sm, unsigned warp) {
    PutOffStep step;
    step.block = &block_;
    step.warp = warp;
    step.site.sm = sm;
    steps_.of_strand(strand).push_back(step);
  }

  std::vector<unsigned> finished_;
  Block block_{finished_};
  ClockDomain clock_{"clock", ns(1)};
  PutOffSteps steps_{"put_off_steps", clock_, 3};
};

TEST_F(PutOffStepsTest, InTheOrderOfSmsAndWithinOneOfIssue) {
  put_off(0, 3, 5);
  put_off(0, 0, 1);  // the SMs of a thread tick in any order
  put_off(0, 3, 4);
  put_off(1, 4, 6);
  put_off(2, 2, 3);
  put_off(2, 5, 7);
  steps_.finish();
  EXPECT_THAT(finished_, ElementsAre(1, 3, 5, 4, 6, 7));
  steps_.finish();
  EXPECT_THAT(finished_, ElementsAre(1, 3, 5, 4, 6, 7));
}

TEST_F(PutOffStepsTest, BehindAFaultTheOtherSmsStepsAreDoneAndTheLowestSmsIsTold) {
  put_off(0, 0, 1);
  put_off(0, 3, 13);
  put_off(0, 3, 2);
  put_off(1, 1, 13);
  put_off(1, 4, 6);
  try {
    steps_.finish();
    ADD_FAILURE() << "no fault";
  } catch (const std::runtime_error& fault) {
    EXPECT_STREQ(fault.what(), "fault on SM 1");
  }
  EXPECT_THAT(finished_, ElementsAre(1, 6));
}

/// An SM that puts a step off at cycle 5.
class Issuer : public Clocked {
 public:
  Issuer(ClockDomain& domain, std::function<void()> act)
      : Clocked(domain, tick_order::kIssue, "sm"), act_(std::move(act)) {}
  bool tick() override {
    if (domain().cycle() == 5) act_();
    return true;
  }

 private:
  std::function<void()> act_;
};

TEST_F(PutOffStepsTest, WokenForAnEdgeTheyAreDoneAtIt) {
  Issuer issuer(clock_, [this] {
    put_off(0, 0, 1);
    steps_.wake_this_edge();
  });
  sc_core::sc_start(ns(4.9));
  EXPECT_THAT(finished_, IsEmpty());
  sc_core::sc_start(ns(0.2));
  EXPECT_THAT(finished_, ElementsAre(1));
}

}  // namespace
}  // namespace heddle::test
