#pragma once

#include <string>

#include "modules/warp_scheduler/policies/inner/inner_schedulers.h"

namespace heddle {

/// Two whole warp schedulers of an SM, a greedy and a fair one, of which an adaptive policy uses one at a
/// time.
class PairedPolicies : public InnerSchedulers {
 public:
  static constexpr unsigned kGreedy = 0;
  static constexpr unsigned kFair = 1;

  /// `owner` is the adaptive policy's name, `greedy` and `fair` are as scheduler.name: the settings
  /// scheduler.<owner>.greedy and .fair. Throws as InnerSchedulers does, and for qualifiers in both behind
  /// one that admits by rank.
  PairedPolicies(const SmContext& context, const std::string& owner, const std::string& greedy,
                 const std::string& fair);

  SmPolicies& greedy() { return side(kGreedy); }
  SmPolicies& fair() { return side(kFair); }

 protected:
  /// The greedy side chooses at present.
  virtual bool greedy_chosen() const = 0;
  bool rules_misses(unsigned /*side*/, unsigned /*warp*/) const override { return greedy_chosen(); }
};

}  // namespace heddle
