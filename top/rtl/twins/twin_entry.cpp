#include "top/rtl/twins/twin_entry.h"

namespace heddle {

const std::vector<const TwinEntry*>& prioritizer_twins() {
  static const std::vector<const TwinEntry*> kTwins{
      &lrr_twin(),          &oldest_twin(), &gto_twin(), &two_level_twin(),         &two_level_active_twin(),
      &least_issued_twin(), &ipaws_twin(),  &pro_twin(), &mascar_prioritizer_twin()};
  return kTwins;
}

const std::vector<const TwinEntry*>& qualifier_twins() {
  static const std::vector<const TwinEntry*> kTwins{&swl_twin(), &ccws_twin(), &oaws_static_twin(),
                                                    &oaws_dynamic_twin(), &mascar_qualifier_twin()};
  return kTwins;
}

hw::Owner twin_owner(const GpuConfig& gpu) {
  hw::Owner owner;
  owner.timing = hw::Timing::kHardware;
  owner.clock_fo4 = gpu.scheduler.clock_fo4;
  return owner;
}

}  // namespace heddle
