#include "modules/warp_scheduler/policies/ipaws/paired_policies.h"

#include "modules/config/setting_error.h"

namespace heddle {

PairedPolicies::PairedPolicies(const SmContext& context, const std::string& owner, const std::string& greedy,
                               const std::string& fair)
    : InnerSchedulers(context, owner,
                      {{"greedy", "scheduler." + owner + ".greedy", greedy},
                       {"fair", "scheduler." + owner + ".fair", fair}}) {
  if (this->fair().miss_replay() != nullptr) {
    throw SettingError("scheduler." + owner + ".fair",
                       "expected a scheduler without a re-execution queue, found '" + fair + "'");
  }
}

}  // namespace heddle
