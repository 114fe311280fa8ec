#include "modules/warp_scheduler/policies/ipaws/paired_policies.h"

#include <utility>

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
  const QualifierEntry& before = *find_policies(context.gpu.scheduler.name).qualifier;
  if (!before.admits_by_rank) return;
  for (const auto& [key, scheduler] : {std::pair{"greedy", greedy}, std::pair{"fair", fair}}) {
    if (find_policies(scheduler).qualifier->admits_all) continue;
    throw SettingError({"scheduler." + owner + "." + key, "scheduler.name"},
                       "behind '" + std::string(before.name) +
                           "' expected a scheduler without a qualifier, which may refuse all that the other "
                           "one admits, found '" +
                           scheduler + "'");
  }
}

}  // namespace heddle
