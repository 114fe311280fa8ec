#include "tlm/tick_levels.h"

#include <string>

namespace heddle {

void TickLevels::add(Block end) {
  const std::string name = "edge" + std::to_string(levels_.size());
  levels_.push_back({end, std::make_unique<sc_core::sc_event>(name.c_str())});
}

}  // namespace heddle
