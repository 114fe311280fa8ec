#include "modules/messages/warp_instruction.h"

#include <string>

namespace heddle {

void IssueEnd::report_wrong(const char* what) const {
  SC_REPORT_ERROR("/heddle/issue", (block_.block_name() + ": " + what).c_str());
}

void IssueEnd::report_phase(const tlm::tlm_phase& phase) const {
  report_wrong((std::string("received the unexpected phase ") + phase.get_name()).c_str());
}

Cycle IssueEnd::present(const sc_core::sc_time& delay) const {
  if (delay.value() != 0) report_wrong("a call has a delay; expected none in the issue protocol");
  return block_.domain().cycle_now();
}

}  // namespace heddle
