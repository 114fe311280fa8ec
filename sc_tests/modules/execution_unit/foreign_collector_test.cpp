// A module of another maker on a socket of the issue protocol is known for one.
#include <gtest/gtest.h>

#include "modules/execution_unit/execution_unit.h"
#include "tlm/foreign_modules.h"

namespace heddle {
namespace {

class ForeignCollector : public sc_core::sc_module, private tlm::tlm_bw_transport_if<IssueProtocol> {
 public:
  explicit ForeignCollector(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*this);
  }
  tlm::tlm_initiator_socket<kIssueSocketBits, IssueProtocol> socket;

 private:
  tlm::tlm_sync_enum nb_transport_bw(WarpInstruction& /*instruction*/, tlm::tlm_phase& /*phase*/,
                                     sc_core::sc_time& /*delay*/) override {
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 /*start*/, sc_dt::uint64 /*end*/) override {}
};

TEST(ForeignCollector, IsAForeignModule) {
  ClockDomain clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  ResultBus bus{ExecutionConfig()};
  ExecutionUnit unit("unit", clock, ExecutionConfig(), bus, 0);
  ForeignCollector collector("collector");
  collector.socket.bind(unit.dispatch);
  EXPECT_TRUE(socket_peers().foreign.empty());  // not known yet
  sc_core::sc_start(sc_core::sc_time(5, sc_core::SC_NS));
  EXPECT_EQ(socket_peers().foreign, std::vector<std::string>{"unit.dispatch"});
  EXPECT_TRUE(socket_peers().need_kernel_time);
}

}  // namespace
}  // namespace heddle
