#include "modules/operand_collector/due_results.h"

#include <algorithm>

namespace heddle {

void DueResults::bring_near(Cycle cycle) {
  const auto due = [cycle](const Far& far) { return far.cycle == cycle; };
  for (const Far& far : far_) {
    if (due(far)) enter(cycle, *far.instruction);
  }
  far_.erase(std::remove_if(far_.begin(), far_.end(), due), far_.end());
}

}  // namespace heddle
