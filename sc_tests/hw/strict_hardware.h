#pragma once
#include "hw/pricing/owner.h"

namespace heddle::hw {

/// Of parts that take their time, and to which too much in a cycle is an error.
inline Owner strict_hardware() {
  Owner owner;
  owner.path = "sm0/block";
  owner.timing = Timing::kHardware;
  owner.strict = true;
  return owner;
}

}  // namespace heddle::hw
