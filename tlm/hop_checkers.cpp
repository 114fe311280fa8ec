#include "tlm/hop_checkers.h"

#include <string>

namespace heddle {

void HopCheckers::bind(MemoryInitiatorSocket& from, MemoryTargetSocket& to) {
  std::string hop = from.basename();
  for (const sc_core::sc_object* owner = from.get_parent_object(); owner != nullptr;
       owner = owner->get_parent_object()) {
    hop.insert(0, std::string(owner->basename()) + "_");
  }
  checkers_.push_back(std::make_unique<ProtocolChecker>(sc_core::sc_gen_unique_name((hop + "_hop").c_str())));
  from.bind(checkers_.back()->from_initiator);
  checkers_.back()->to_target.bind(to);
}

void HopCheckers::check_idle() {
  for (const auto& checker : checkers_) checker->check_idle();
}

std::uint64_t HopCheckers::violations() const {
  std::uint64_t sum = 0;
  for (const auto& checker : checkers_) sum += checker->violations();
  return sum;
}

}  // namespace heddle
