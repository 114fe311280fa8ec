#include "modules/operand_collector/due_results.h"

#include <algorithm>
#include <string>

#include "modules/config/setting_error.h"

namespace heddle {

DueResults::DueResults(unsigned ports) {
  if (ports > kMaxPorts) {
    throw SettingError({"execution.sp_units", "execution.sfu_units"},
                       "expected at most " + std::to_string(kMaxPorts) + " execution units together, found " +
                           std::to_string(ports));
  }
  while ((1U << row_shift_) < ports) ++row_shift_;
  results_.resize(std::size_t{kNear} << row_shift_);
}

bool DueResults::far_carries(Cycle cycle, unsigned port) const {
  return std::any_of(far_.begin(), far_.end(), [cycle, port](const Far& far) {
    return far.cycle == cycle && far.instruction->result_port == port;
  });
}

void DueResults::bring_near(Cycle cycle) {
  const auto due = [cycle](const Far& far) { return far.cycle == cycle; };
  for (const Far& far : far_) {
    if (due(far)) enter(cycle, *far.instruction);
  }
  far_.erase(std::remove_if(far_.begin(), far_.end(), due), far_.end());
}

}  // namespace heddle
