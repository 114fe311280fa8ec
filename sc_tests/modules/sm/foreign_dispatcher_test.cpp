// A dispatcher of another maker before an SM.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "modules/sm/sm.h"
#include "sc_tests/support/fake_kernel.h"
#include "sc_tests/support/memory_stubs.h"
#include "sc_tests/support/stub_memory.h"

namespace heddle {
namespace {

using test::ExpectReports;
using test::ns;
using ::testing::HasSubstr;

class ForeignDispatcher : public sc_core::sc_module, private tlm::tlm_bw_transport_if<TbProtocol> {
 public:
  explicit ForeignDispatcher(const sc_core::sc_module_name& name) : sc_module(name), sm("sm") {
    sm.bind(*this);
  }
  tlm::tlm_initiator_socket<kTbSocketBits, TbProtocol> sm;
  std::vector<std::string> heard;  ///< phases

  tlm::tlm_sync_enum give(TbTransaction& transaction, double delay_ns = 0) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = ns(delay_ns);
    return sm->nb_transport_fw(transaction, phase, delay);
  }

 private:
  tlm::tlm_sync_enum nb_transport_bw(TbTransaction& /*transaction*/, tlm::tlm_phase& phase,
                                     sc_core::sc_time& /*delay*/) override {
    heard.emplace_back(phase.get_name());
    return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 /*start*/, sc_dt::uint64 /*end*/) override {}
};

class ForeignDispatcherTest : public ::testing::Test {
 protected:
  ForeignDispatcherTest() {
    kernel_.fma({1}, {2});
    kernel_.exit();
    dispatcher_.sm.bind(sm_.tb());
    sm_.network().bind(memory_.port.socket);
    sm_.issue.residency.tb_started.listen([this](const TbTransaction&, Cycle cycle) { started_ = cycle; });
    sc_core::sc_start(ns(10.5));
  }
  TbTransaction transaction() {
    TbTransaction made;
    made.launch = &kernel_;
    return made;
  }
  /// What the SM has to say about it.
  std::string refusal(TbTransaction& wrong) {
    const ExpectReports reports;
    EXPECT_EQ(dispatcher_.give(wrong), tlm::TLM_ACCEPTED);
    sc_core::sc_start(ns(50));
    EXPECT_TRUE(sm_.idle());
    return ExpectReports::messages().size() == 1 ? ExpectReports::messages()[0] : "";
  }

  GpuConfig config_;
  testing::FakeKernel kernel_{2, 64};
  ClockDomain clock_{"clock", ns(1)};
  Sm sm_{"sm", clock_, config_, 0};
  testing::StubMemory memory_{"memory", clock_, 20};
  ForeignDispatcher dispatcher_{"dispatcher"};
  Cycle started_ = 0;
};

TEST_F(ForeignDispatcherTest, ABlockRunsAndIsTold) {
  TbTransaction tb = transaction();
  EXPECT_EQ(dispatcher_.give(tb), tlm::TLM_UPDATED);
  sc_core::sc_start(ns(500));
  EXPECT_EQ(started_, 11U);
  EXPECT_EQ(dispatcher_.heard, (std::vector<std::string>{"WARP_DONE", "WARP_DONE", "BEGIN_RESP"}));
  EXPECT_TRUE(sm_.idle());
}

TEST_F(ForeignDispatcherTest, AnAnnotatedBlockStartsAfterItsTime) {
  TbTransaction tb = transaction();
  EXPECT_EQ(dispatcher_.give(tb, 20), tlm::TLM_UPDATED);
  sc_core::sc_start(ns(20));
  EXPECT_EQ(started_, 0U);
  sc_core::sc_start(ns(500));
  EXPECT_EQ(started_, 31U);
  EXPECT_EQ(dispatcher_.heard.size(), 3U);
}

TEST_F(ForeignDispatcherTest, ABlockWithoutALaunchIsRefused) {
  TbTransaction tb;
  EXPECT_EQ(refusal(tb), "/heddle/sm: sm.issue.tb received a thread block without a launch");
}

TEST_F(ForeignDispatcherTest, ABlockBeyondItsGridIsRefused) {
  TbTransaction tb = transaction();
  tb.tb = 2;
  EXPECT_EQ(refusal(tb), "/heddle/sm: sm.issue.tb received a thread block with the index 2 in a grid of 2");
}

TEST_F(ForeignDispatcherTest, APartOfABlockNeedsWarpLevelManagement) {
  TbTransaction tb = transaction();
  tb.start_warps = 1;
  EXPECT_EQ(refusal(tb),
            "/heddle/sm: sm.issue.tb received a thread block with start_warps 1 of 2 warps under "
            "core.resources.management tb");
}

TEST_F(ForeignDispatcherTest, AnotherPhaseIsAnErrorThatNamesTheSocket) {
  TbTransaction tb = transaction();
  const ExpectReports reports;
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay;
  dispatcher_.sm->nb_transport_fw(tb, phase, delay);
  dispatcher_.sm->b_transport(tb, delay);
  ASSERT_EQ(ExpectReports::messages().size(), 2U);
  EXPECT_EQ(ExpectReports::messages()[0],
            "/heddle/sm: sm.issue.tb received the phase END_RESP; expected BEGIN_REQ");
  EXPECT_THAT(ExpectReports::messages()[1],
              HasSubstr("sm.issue.tb: the thread-block protocol has no blocking"));
}

}  // namespace
}  // namespace heddle
