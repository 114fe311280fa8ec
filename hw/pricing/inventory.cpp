#include "hw/pricing/inventory.h"

#include <algorithm>
#include <stdexcept>

#include "hw/pricing/owner.h"
#include "hw/pricing/part.h"

namespace heddle::hw {

void Inventory::enter(const Part& part) {
  for (const Part* other : parts_) {
    if (other->owner() == part.owner() && other->name() == part.name()) {
      throw std::invalid_argument("hardware part " + part.owner() + "/" + part.name() +
                                  ": found twice, expected names that differ inside a block");
    }
  }
  parts_.push_back(&part);
}

void Inventory::leave(const Part& part) {
  parts_.erase(std::remove(parts_.begin(), parts_.end(), &part), parts_.end());
}

void Owner::note(std::string_view part, std::string_view text) const {
  if (inventory != nullptr) inventory->note({path, std::string(part), std::string(text)});
}

void Owner::declare_path(std::string_view name, const TimingPath& timing_path) const {
  if (inventory != nullptr) inventory->declare_path({path, std::string(name), timing_path});
}

}  // namespace heddle::hw
