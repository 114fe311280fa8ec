// SMs of another maker behind the dispatcher, right and wrong ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "modules/tb_dispatcher/tb_dispatcher.h"
#include "sc_tests/support/fake_kernel.h"
#include "sc_tests/support/memory_stubs.h"

namespace heddle {
namespace {

using test::ExpectReports;
using test::ns;
using ::testing::ElementsAre;
using testing::FakeKernel;
using ::testing::HasSubstr;

/// Takes thread blocks and does what the test says.
class ForeignSm : public sc_core::sc_module, private tlm::tlm_fw_transport_if<TbProtocol> {
 public:
  explicit ForeignSm(const sc_core::sc_module_name& name) : sc_module(name), tb("tb") { tb.bind(*this); }
  tlm::tlm_target_socket<kTbSocketBits, TbProtocol> tb;
  std::vector<TbTransaction*> taken;
  std::function<tlm::tlm_sync_enum(TbTransaction&, tlm::tlm_phase&)> answer = [](TbTransaction&,
                                                                                 tlm::tlm_phase& phase) {
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  };

  tlm::tlm_sync_enum say(TbTransaction& transaction, tlm::tlm_phase phase, double delay_ns = 0) {
    sc_core::sc_time delay = ns(delay_ns);
    return tb->nb_transport_bw(transaction, phase, delay);
  }
  void end(TbTransaction& transaction, double delay_ns = 0) {
    EXPECT_EQ(say(transaction, tlm::BEGIN_RESP, delay_ns), tlm::TLM_COMPLETED);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(TbTransaction& transaction, tlm::tlm_phase& phase,
                                     sc_core::sc_time& /*delay*/) override {
    taken.push_back(&transaction);
    return answer(transaction, phase);
  }
  void b_transport(TbTransaction& /*transaction*/, sc_core::sc_time& /*delay*/) override {}
  bool get_direct_mem_ptr(TbTransaction& /*transaction*/, tlm::tlm_dmi& /*dmi*/) override { return false; }
  unsigned transport_dbg(TbTransaction& /*transaction*/) override { return 0; }
};

class ForeignSmTest : public ::testing::Test {
 protected:
  void build(const char* management = "tb") {
    core_.sms = 1;
    core_.tb_slots = 1;
    core_.resources.management = management;
    clock_ = std::make_unique<ClockDomain>("clock", ns(1));
    dispatcher_ = std::make_unique<TbDispatcher>("dispatcher", *clock_, core_);
    sm_ = std::make_unique<ForeignSm>("sm");
    dispatcher_->sm[0].bind(sm_->tb);
    dispatcher_->tb_dispatched.listen([this](const TbTransaction&, Cycle cycle) { given_.push_back(cycle); });
    dispatcher_->launch_ended.listen([this](const LaunchRecord&) { ++launches_ended_; });
    dispatcher_->launch(kernel_, 0);
  }
  void run_to(Cycle cycle) {
    sc_core::sc_start(ns(static_cast<double>(cycle) + 0.5) - sc_core::sc_time_stamp());
  }
  /// The one message of the rest of the test.
  static std::string message() {
    EXPECT_EQ(ExpectReports::messages().size(), 1U);
    return ExpectReports::messages().empty() ? "" : ExpectReports::messages()[0];
  }

  CoreConfig core_;
  FakeKernel kernel_{2, 64};  ///< two warps a thread block
  std::unique_ptr<ClockDomain> clock_;
  std::unique_ptr<TbDispatcher> dispatcher_;
  std::unique_ptr<ForeignSm> sm_;
  std::vector<Cycle> given_;
  unsigned launches_ended_ = 0;
};

TEST_F(ForeignSmTest, AnAnnotatedEndCountsFromItsTimeOn) {
  build();
  run_to(10);
  sm_->end(*sm_->taken.at(0), 20);  // told at 10.5: ends at 30.5
  run_to(30);
  EXPECT_THAT(given_, ElementsAre(1));
  run_to(31);
  EXPECT_THAT(given_, ElementsAre(1, 31));
}

TEST_F(ForeignSmTest, AnAnnotatedEndOfAWarpDelaysThatOfItsBlock) {
  build("warp_temporal");
  run_to(10);
  sm_->say(*sm_->taken.at(0), WARP_DONE);
  sm_->say(*sm_->taken.at(0), WARP_DONE, 20);
  sm_->end(*sm_->taken.at(0));
  run_to(30);
  EXPECT_THAT(given_, ElementsAre(1));
  run_to(31);
  EXPECT_THAT(given_, ElementsAre(1, 31));
}

TEST_F(ForeignSmTest, ABlockEndsOnce) {
  build();
  run_to(10);
  TbTransaction& first = *sm_->taken.at(0);
  sm_->end(first);
  const ExpectReports reports;
  EXPECT_EQ(sm_->say(first, tlm::BEGIN_RESP), tlm::TLM_ACCEPTED);
  EXPECT_EQ(
      message(),
      "/heddle/tb_dispatcher: dispatcher.sm_0 received BEGIN_RESP for thread block 0; expected it while "
      "the SM has that one, after the return of its BEGIN_REQ and before its BEGIN_RESP");
  run_to(20);
  EXPECT_THAT(given_, ElementsAre(1, 11));
  sm_->end(*sm_->taken.at(1));
  run_to(30);
  EXPECT_EQ(launches_ended_, 1U);
  EXPECT_EQ(sm_->say(*sm_->taken.at(1), WARP_DONE), tlm::TLM_ACCEPTED);
  EXPECT_EQ(ExpectReports::messages().size(), 2U);
}

TEST_F(ForeignSmTest, ABlockCantEndInTheCallThatGivesIt) {
  build();
  sm_->answer = [this](TbTransaction& transaction, tlm::tlm_phase& phase) {
    sm_->say(transaction, tlm::BEGIN_RESP);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  };
  const ExpectReports reports;
  run_to(5);
  EXPECT_THAT(message(), HasSubstr("dispatcher.sm_0 received BEGIN_RESP for thread block 0"));
}

struct WrongAnswer {
  tlm::tlm_sync_enum status;
  tlm::tlm_phase_enum phase;
  bool refused;
  unsigned slot;
  const char* told;
};

class WrongAnswers : public ForeignSmTest, public ::testing::WithParamInterface<WrongAnswer> {};

TEST_P(WrongAnswers, AreAnErrorThatNamesTheSocket) {
  build();
  const WrongAnswer& wrong = GetParam();
  sm_->answer = [&](TbTransaction& transaction, tlm::tlm_phase& phase) {
    phase = wrong.phase;
    transaction.refused = wrong.refused;
    transaction.tb_slot = TbSlot(wrong.slot);
    return wrong.status;
  };
  const ExpectReports reports;
  run_to(1);
  EXPECT_THAT(message(), HasSubstr(std::string("/heddle/tb_dispatcher: dispatcher.sm_0: ") + wrong.told));
  EXPECT_THAT(given_, ElementsAre());
  EXPECT_EQ(dispatcher_->tbs_waiting(), 2U);
}

INSTANTIATE_TEST_SUITE_P(
    Each, WrongAnswers,
    ::testing::Values(WrongAnswer{tlm::TLM_ACCEPTED, tlm::BEGIN_REQ, false, 0,
                                  "the SM answered thread block 0 by TLM_ACCEPTED, phase BEGIN_REQ; expected "
                                  "TLM_UPDATED with END_REQ"},
                      WrongAnswer{tlm::TLM_COMPLETED, tlm::BEGIN_REQ, false, 0,
                                  "the SM answered thread block 0 by TLM_COMPLETED"},
                      WrongAnswer{tlm::TLM_UPDATED, tlm::BEGIN_RESP, false, 0,
                                  "the SM answered thread block 0 by TLM_UPDATED, phase BEGIN_RESP"},
                      WrongAnswer{
                          tlm::TLM_UPDATED, tlm::END_REQ, false, 1,
                          "the SM gave thread block 0 the slot 1; expected less than core.tb_slots (1)"},
                      WrongAnswer{tlm::TLM_COMPLETED, tlm::BEGIN_REQ, true, 0,
                                  "the SM refused thread block 0 of kernel 'fake'"}));

TEST_F(ForeignSmTest, WithWarpLevelManagementEachWarpEndsOnceBeforeItsBlock) {
  build("warp_temporal");
  run_to(10);
  TbTransaction& first = *sm_->taken.at(0);
  const ExpectReports reports;
  sm_->say(first, WARP_DONE);
  EXPECT_EQ(sm_->say(first, tlm::BEGIN_RESP), tlm::TLM_ACCEPTED);
  EXPECT_THAT(message(),
              HasSubstr("dispatcher.sm_0 received BEGIN_RESP for thread block 0 after WARP_DONE of 1 "
                        "of its warps; expected one WARP_DONE for each of its 2, then BEGIN_RESP"));
  sm_->say(first, WARP_DONE);
  sm_->say(first, WARP_DONE);
  EXPECT_EQ(ExpectReports::messages().size(), 2U);
  sm_->end(first);
  run_to(20);
  EXPECT_THAT(given_, ElementsAre(1, 11));
}

TEST_F(ForeignSmTest, ACopyOfTheTransactionIsNotTaken) {
  build();
  run_to(10);
  TbTransaction copy = *sm_->taken.at(0);
  const ExpectReports reports;
  EXPECT_EQ(sm_->say(copy, tlm::BEGIN_RESP), tlm::TLM_ACCEPTED);
  EXPECT_THAT(message(), HasSubstr("dispatcher: an SM sent BEGIN_RESP with a transaction of its own"));
}

}  // namespace
}  // namespace heddle
