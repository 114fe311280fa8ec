#include "modules/messages/warp_instruction.h"

namespace heddle {

void IssueEnd::report_wrong(const std::string& what) const {
  SC_REPORT_ERROR("/heddle/issue", (block_.block_name() + ": " + what).c_str());
}

}  // namespace heddle
