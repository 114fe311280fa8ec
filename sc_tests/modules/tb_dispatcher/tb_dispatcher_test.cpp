#include "modules/tb_dispatcher/tb_dispatcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>

#include "modules/messages/tick_order.h"
#include "modules/tb_dispatcher/sampling/launch_sampler.h"
#include "sc_tests/support/fake_kernel.h"
#include "sc_tests/support/stat_table.h"

namespace heddle {
namespace {

using ::testing::ElementsAre;
using testing::FakeKernel;

/// An SM whose thread blocks last `duration` cycles, or until they are ended by hand (duration 0).
class FakeSm : public sc_core::sc_module,
               public Clocked,
               public IssueCount,
               private tlm::tlm_fw_transport_if<TbProtocol> {
 public:
  FakeSm(const sc_core::sc_module_name& name, ClockDomain& domain, Cycle duration)
      : sc_module(name), Clocked(domain, tick_order::kIssue, this->name()), tb("tb"), duration_(duration) {
    tb.bind(*this);
  }
  TbTargetSocket tb;

  bool tick() override {
    const auto due = running_.equal_range(domain().cycle());
    for (auto it = due.first; it != due.second; ++it) end(*it->second);
    running_.erase(due.first, due.second);
    return false;
  }
  void end(TbTransaction& transaction) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    tlm::tlm_phase phase = WARP_DONE;
    for (unsigned w = 0; w < transaction.launch->warps_per_tb(); ++w)
      tb->nb_transport_bw(transaction, phase, delay);
    phase = tlm::BEGIN_RESP;
    EXPECT_EQ(tb->nb_transport_bw(transaction, phase, delay), tlm::TLM_COMPLETED);
  }
  std::uint64_t warp_instructions() const override {
    asked.push_back(domain().cycle_now());
    return 0;
  }
  std::vector<TbTransaction*> taken;
  mutable std::vector<Cycle> asked;  ///< how many instructions it has issued

 private:
  tlm::tlm_sync_enum nb_transport_fw(TbTransaction& transaction, tlm::tlm_phase& phase,
                                     sc_core::sc_time& /*delay*/) override {
    EXPECT_TRUE(phase == tlm::BEGIN_REQ);
    taken.push_back(&transaction);
    if (duration_ != 0) {
      running_.emplace(domain().cycle() + duration_, &transaction);
      wake_in(duration_);
    }
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void b_transport(TbTransaction& /*t*/, sc_core::sc_time& /*delay*/) override {}
  bool get_direct_mem_ptr(TbTransaction& /*t*/, tlm::tlm_dmi& /*dmi*/) override { return false; }
  unsigned transport_dbg(TbTransaction& /*t*/) override { return 0; }

  Cycle duration_;
  std::multimap<Cycle, TbTransaction*> running_;
};

struct Given {
  Cycle cycle;
  std::uint64_t launch;
  std::uint64_t tb;
  unsigned sm;
};
bool operator==(const Given& a, const Given& b) {
  return std::tie(a.cycle, a.launch, a.tb, a.sm) == std::tie(b.cycle, b.launch, b.tb, b.sm);
}
void PrintTo(const Given& g, std::ostream* os) {
  *os << "{cycle " << g.cycle << ", launch " << g.launch << ", tb " << g.tb << ", sm " << g.sm << "}";
}

class TbDispatcherTest : public ::testing::Test {
 protected:
  void build(unsigned sms, Cycle duration, bool sleeping = true) {
    core_.sms = sms;
    clock_ = std::make_unique<ClockDomain>("clock", sc_core::sc_time(1, sc_core::SC_NS), sleeping);
    dispatcher_ = std::make_unique<TbDispatcher>("dispatcher", *clock_, core_);
    for (unsigned s = 0; s < sms; ++s) {
      sms_.push_back(std::make_unique<FakeSm>(("sm" + std::to_string(s)).c_str(), *clock_, duration));
      dispatcher_->sm[s].bind(sms_.back()->tb);
    }
    for (unsigned s = 0; s < dispatcher_->issue_counts.size(); ++s)
      dispatcher_->issue_counts[s].bind(*sms_[s]);
    dispatcher_->tb_dispatched.listen([this](const TbTransaction& tb, Cycle cycle) {
      given_.push_back({cycle, tb.launch_id, tb.tb, tb.sm.value()});
    });
    dispatcher_->launch_ended.listen([this](const LaunchRecord& record) { ended_.push_back(record); });
  }
  void run_to(Cycle cycle) {
    sc_core::sc_start(sc_core::sc_time(static_cast<double>(cycle) + 0.5, sc_core::SC_NS) -
                      sc_core::sc_time_stamp());
    clock_->rethrow_fault();
  }

  CoreConfig core_;
  std::unique_ptr<ClockDomain> clock_;
  std::unique_ptr<TbDispatcher> dispatcher_;
  std::vector<std::unique_ptr<FakeSm>> sms_;
  std::vector<Given> given_;
  std::vector<LaunchRecord> ended_;
};

TEST_F(TbDispatcherTest, GivesEachSmOneTbPerCycleInTurn) {
  build(3, 100);
  FakeKernel kernel(7, 32);
  dispatcher_->launch(kernel, 0);
  run_to(50);
  EXPECT_THAT(given_, ElementsAre(Given{1, 0, 0, 0}, Given{1, 0, 1, 1}, Given{1, 0, 2, 2}, Given{2, 0, 3, 0},
                                  Given{2, 0, 4, 1}, Given{2, 0, 5, 2}, Given{3, 0, 6, 0}));
  EXPECT_EQ(dispatcher_->tbs_waiting(), 0U);
}

TEST_F(TbDispatcherTest, AFreedPlaceIsGivenOneCycleAfterTheEndWasReported) {
  core_.tb_slots = 1;
  build(2, 10);
  FakeKernel kernel(4, 32);
  dispatcher_->launch(kernel, 0);
  run_to(100);
  // Reported at 11, not given again at 11 but at 12.
  EXPECT_THAT(given_,
              ElementsAre(Given{1, 0, 0, 0}, Given{1, 0, 1, 1}, Given{12, 0, 2, 0}, Given{12, 0, 3, 1}));
  ASSERT_EQ(ended_.size(), 1U);
  EXPECT_EQ(ended_[0].first_tb_at, 1U);
  EXPECT_EQ(ended_[0].ended_at, 23U);
  EXPECT_TRUE(dispatcher_->idle());
}

/// Says that the fake SMs have issued two instructions of each TB that they were given.
struct FakeMarks : SampleMarks {
  FakeMarks(const ClockDomain& domain, const std::vector<Given>& tbs) : clock(domain), given(tbs) {}
  SampleMark mark() override { return {clock.cycle(), 2 * given.size()}; }
  void accessed(std::uint64_t address, unsigned /*sectors*/, bool /*writes*/) override {
    addresses.push_back(address);
  }
  const ClockDomain& clock;
  const std::vector<Given>& given;
  std::vector<std::uint64_t> addresses;
};

TEST_F(TbDispatcherTest, TbsThatTheSamplerLeavesOutAreExecutedWithoutAnSm) {
  core_.tb_slots = 1;
  build(2, 10);
  FakeKernel kernel(400, 32);  // rounds of two TBs
  kernel.load({1}).address = 0xC0000000;
  kernel.exit();
  LaunchSampler sampler({400, 2}, {});
  FakeMarks marks(*clock_, given_);
  LaunchTerms terms;
  terms.sampler = &sampler;
  terms.marks = &marks;
  dispatcher_->launch(kernel, 0, terms);
  run_to(3000);
  ASSERT_EQ(ended_.size(), 1U);
  EXPECT_EQ(ended_[0].tbs_ended, 400U);
  EXPECT_TRUE(dispatcher_->idle());
  EXPECT_EQ(dispatcher_->tbs_waiting(), 0U);
  // The fake SMs execute nothing: what was started here was fast-forwarded. Each TB once, in order.
  EXPECT_EQ(kernel.started_tbs.size(), sampler.fast_forwarded().tbs);
  EXPECT_EQ(sampler.fast_forwarded().warp_instructions, 2 * sampler.fast_forwarded().tbs);
  EXPECT_GT(sampler.fast_forwarded().tbs, 300U);
  std::vector<std::uint64_t> all = kernel.started_tbs;
  for (const Given& given : given_) all.push_back(given.tb);
  std::sort(all.begin(), all.end());
  for (std::uint64_t tb = 0; tb < 400; ++tb) ASSERT_EQ(all[tb], tb);
  // In no time: rounds of 11 cycles, one after the other.
  EXPECT_LE(ended_[0].ended_at, 1 + 11 * (given_.size() / 2 + 1));
  // Two rounds follow each section, of whose first and last sixteen caches are told.
  const auto sections = std::count_if(sampler.stretches().begin(), sampler.stretches().end(),
                                      [](const auto& s) { return s.use == LaunchSampler::Use::kLeftOut; });
  EXPECT_GE(sections, 2);
  const std::size_t most = static_cast<std::size_t>(sections) * (1 + 16) * 2;
  EXPECT_EQ(marks.addresses, std::vector<std::uint64_t>(marks.addresses.size(), 0xC0000000));
  EXPECT_LE(marks.addresses.size(), most);
  EXPECT_GE(marks.addresses.size(), most - static_cast<std::size_t>(sections))
      << "a part of a round is left out";
  sampler.end({ended_[0].ended_at, 2 * given_.size()});
  EXPECT_NEAR(sampler.cycles(), 1 + 11 * 200, 15);
}

/// One of its TBs spins until a cycle.
struct WaitingKernel : FakeKernel {
  struct Block : ThreadBlock {
    explicit Block(Cycle cycle) : until(cycle) {}
    std::uint32_t next_index(unsigned /*warp*/) const override { return 0; }
    LaneMask next_path(unsigned /*warp*/) const override { return kAllLanes; }
    void step(unsigned /*warp*/, const ExecutionSite& site, Step& out, LaneAddresses& /*a*/) override {
      out = {};
      out.warp_finished = site.cycle >= until;
    }
    std::uint64_t run(unsigned warp, ExecutionSite& site, const Steps& steps, Step& last,
                      LaneAddresses& addresses) override {
      step(warp, site, last, addresses);
      steps.work.warp_instructions += steps.most;
      return steps.most;
    }
    void barrier_released(unsigned /*barrier*/) override {}
    std::string describe_warp(unsigned /*warp*/) const override { return "waits"; }
    Cycle until;
  };
  using FakeKernel::FakeKernel;
  std::unique_ptr<ThreadBlock> start(std::uint64_t tb) override {
    if (tb != waits) return FakeKernel::start(tb);
    started_tbs.push_back(tb);
    return std::make_unique<Block>(until);
  }
  std::uint64_t waits = 0;
  Cycle until = 0;
};

/// Rounds of two TBs. Whichever of them it is, the other one is not simulated either, and the last round is
/// whole.
TEST_F(TbDispatcherTest, ARoundInWhichATbWaitsIsLeftOutToItsEnd) {
  core_.tb_slots = 1;
  build(2, 10);
  for (const std::uint64_t waits : {80, 81}) {
    given_.clear();
    ended_.clear();
    WaitingKernel kernel(400, 32);
    kernel.waits = waits;
    kernel.until = clock_->cycle_now() + 1000;
    kernel.fma({1}, {1});
    kernel.exit();
    LaunchSampler sampler({400, 2}, {clock_->cycle_now(), 0});
    FakeMarks marks(*clock_, given_);
    LaunchTerms terms;
    terms.sampler = &sampler;
    terms.marks = &marks;
    const Cycle begin = clock_->cycle_now();
    dispatcher_->launch(kernel, waits, terms);
    run_to(begin + 5000);
    ASSERT_EQ(ended_.size(), 1U);
    EXPECT_EQ(ended_[0].tbs_ended, 400U);
    EXPECT_EQ(sampler.given_up(), "its thread blocks wait for each other");
    EXPECT_EQ(kernel.started_tbs.size(), sampler.fast_forwarded().tbs);
    EXPECT_EQ(sampler.fast_forwarded().tbs % 2, 0U);
    EXPECT_EQ(given_.size() % 2, 0U);
    EXPECT_EQ(sampler.fast_forwarded().warp_instructions, 2 * sampler.fast_forwarded().tbs);
    sampler.end({ended_[0].ended_at, 2 * given_.size()});
    EXPECT_NEAR(sampler.cycles(), 1 + 11 * 200, 15);
  }
}

TEST_F(TbDispatcherTest, AnSmThatIsNotOursIsAForeignModule) {
  build(2, 10);
  run_to(1);
  EXPECT_THAT(socket_peers().foreign, ElementsAre("dispatcher.sm_0", "dispatcher.sm_1"));
}

class DuelingDispatcher : public TbDispatcherTest, public ::testing::WithParamInterface<bool> {};

TEST_P(DuelingDispatcher, AsksTheTwoSmsWhenAPeriodEndsWhileKernelsRun) {
  core_.resources.management = "warp_temporal_spatial";
  core_.resources.contention = "dueling";
  core_.resources.dueling_period_cycles = 100;
  build(3, 250, GetParam());
  FakeKernel kernel(3, 32);
  dispatcher_->launch(kernel, 0);
  run_to(20);
  ASSERT_EQ(sms_[0]->asked.size(), 1U);
  const Cycle begin = sms_[0]->asked[0];
  EXPECT_LE(begin, 1U);
  run_to(begin + 99);
  EXPECT_EQ(sms_[0]->asked.size(), 1U);
  run_to(begin + 100);
  EXPECT_EQ(sms_[0]->asked.size(), 2U);
  run_to(400);
  ASSERT_EQ(ended_.size(), 1U);
  EXPECT_THAT(sms_[0]->asked, ElementsAre(begin, begin + 100, begin + 200));
  EXPECT_EQ(sms_[1]->asked, sms_[0]->asked);
  EXPECT_THAT(sms_[2]->asked, ElementsAre());
  FakeKernel second(3, 32);
  dispatcher_->launch(second, 1);
  run_to(520);
  EXPECT_THAT(sms_[0]->asked, ElementsAre(begin, begin + 100, begin + 200, 401, 501));
}

INSTANTIATE_TEST_SUITE_P(Sleeping, DuelingDispatcher, ::testing::Bool());

TEST_F(TbDispatcherTest, BlocksAreCountedWhenGivenAndWhenEndedLaunchesWithTheirLast) {
  using Counts = std::map<std::string, std::uint64_t>;
  core_.tb_slots = 1;
  build(2, 10);
  FakeKernel kernel(3, 32);
  dispatcher_->launch(kernel, 0);
  run_to(11);
  EXPECT_EQ(test::statistics(*dispatcher_).values,
            (Counts{{"tbs_dispatched", 2}, {"tbs_ended", 0}, {"launches_ended", 0}}));
  run_to(12);
  EXPECT_EQ(test::statistics(*dispatcher_).values,
            (Counts{{"tbs_dispatched", 3}, {"tbs_ended", 2}, {"launches_ended", 0}}));
  run_to(23);
  EXPECT_EQ(test::statistics(*dispatcher_).values,
            (Counts{{"tbs_dispatched", 3}, {"tbs_ended", 3}, {"launches_ended", 1}}));
}

TEST_F(TbDispatcherTest, StartsAfterTheLastSmThatGotATb) {
  core_.tb_slots = 1;
  build(3, 0);
  FakeKernel kernel(6, 32);
  dispatcher_->launch(kernel, 0);
  run_to(10);
  ASSERT_EQ(given_.size(), 3U);
  sms_[1]->end(*sms_[1]->taken[0]);  // between the edges 10 and 11
  run_to(20);
  ASSERT_EQ(given_.size(), 4U);
  EXPECT_EQ(given_[3], (Given{11, 0, 3, 1}));
  sms_[0]->end(*sms_[0]->taken[0]);
  sms_[2]->end(*sms_[2]->taken[0]);
  run_to(30);
  ASSERT_EQ(given_.size(), 6U);
  EXPECT_EQ(given_[4], (Given{21, 0, 4, 2}));  // 1 was last
  EXPECT_EQ(given_[5], (Given{21, 0, 5, 0}));
}

TEST_F(TbDispatcherTest, ASmTakesANewKernelOnlyWhenItHasDrained) {
  build(1, 0);
  FakeKernel first(2, 32);
  FakeKernel second(2, 32);
  dispatcher_->launch(first, 0);
  dispatcher_->launch(second, 1);
  run_to(10);
  ASSERT_EQ(given_.size(), 2U);
  sms_[0]->end(*sms_[0]->taken[0]);
  run_to(20);
  EXPECT_EQ(given_.size(), 2U);
  sms_[0]->end(*sms_[0]->taken[1]);
  run_to(30);
  EXPECT_THAT(given_,
              ElementsAre(Given{1, 0, 0, 0}, Given{2, 0, 1, 0}, Given{21, 1, 0, 0}, Given{22, 1, 1, 0}));
  ASSERT_EQ(ended_.size(), 1U);
  EXPECT_EQ(ended_[0].launch_id, 0U);
  EXPECT_FALSE(dispatcher_->idle());
}

TEST_F(TbDispatcherTest, SpreadsAGridThatIsTooSmall) {
  build(4, 100);
  FakeKernel kernel(6, 32);  // ceil(6 / 4) = 2 per SM
  dispatcher_->launch(kernel, 0);
  run_to(50);
  ASSERT_EQ(given_.size(), 6U);
  EXPECT_EQ(given_[4], (Given{2, 0, 4, 0}));
  EXPECT_EQ(given_[5], (Given{2, 0, 5, 1}));
}

TEST_F(TbDispatcherTest, WaitsForTheLaunchLatency) {
  core_.launch_latency_cycles = 70;
  build(1, 5);
  FakeKernel kernel(1, 32);
  dispatcher_->launch(kernel, 0);
  run_to(69);
  EXPECT_TRUE(given_.empty());
  run_to(70);
  EXPECT_EQ(given_.size(), 1U);
  run_to(100);
  FakeKernel again(1, 32);
  dispatcher_->launch(again, 1);
  run_to(169);
  EXPECT_EQ(given_.size(), 1U);
  run_to(170);
  EXPECT_EQ(given_.size(), 2U);
}

TEST_F(TbDispatcherTest, ALaunchFromOutsideStartsAtTheNextEdge) {
  build(1, 5);
  run_to(10);
  FakeKernel kernel(1, 32);
  dispatcher_->launch(kernel, 4);
  run_to(20);
  EXPECT_THAT(given_, ElementsAre(Given{11, 4, 0, 0}));
}

TEST_F(TbDispatcherTest, SleepsWhileNothingChanges) {
  build(1, 1000);
  FakeKernel kernel(9, 32);
  dispatcher_->launch(kernel, 0);
  run_to(900);
  EXPECT_LT(clock_->ticks_executed(), 20U);
}

TEST_F(TbDispatcherTest, WithoutSleepingItDoesTheSame) {
  core_.tb_slots = 2;
  build(2, 10, false);
  FakeKernel kernel(5, 32);
  dispatcher_->launch(kernel, 0);
  run_to(100);
  EXPECT_THAT(given_, ElementsAre(Given{1, 0, 0, 0}, Given{1, 0, 1, 1}, Given{2, 0, 2, 0}, Given{2, 0, 3, 1},
                                  Given{12, 0, 4, 0}));
}

TEST_F(TbDispatcherTest, RejectsWhatCannotRun) {
  build(1, 5);
  FakeKernel empty(0, 32);
  EXPECT_THROW(dispatcher_->launch(empty, 0), std::invalid_argument);
  FakeKernel large(1, 32);
  large.shared = 1U << 20U;
  EXPECT_THROW(dispatcher_->launch(large, 0), OccupancyError);
  TbDispatcherConfig dispatch;
  dispatch.policy = "lifo";
  EXPECT_THROW(make_dispatch_policy({CoreConfig(), dispatch, {}}), std::invalid_argument);
  EXPECT_TRUE(dispatcher_->idle());
}

}  // namespace
}  // namespace heddle
