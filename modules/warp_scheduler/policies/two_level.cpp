#include <stdexcept>
#include <string>
#include <vector>

#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {
namespace {

/// Two-level scheduling by fetch groups (Narasiman et al., MICRO 2011; scheduler-details.md, "Baselines").
/// The warps of a scheduler form groups of fixed size in slot order. The current group has priority, round
/// robin inside it; while it has nothing ready for a short time the groups after it fill in. The next group
/// becomes current when every warp of the current one waits long (load, barrier, membar) or none is left.
class TwoLevel final : public Prioritizer {
 public:
  explicit TwoLevel(const PolicyContext& context) : table_(context.table) {
    const unsigned size = context.config().two_level.fetch_group_warps;
    if (size == 0)
      throw std::invalid_argument("scheduler.two_level.fetch_group_warps: found 0, expected at least 1");
    unsigned members = 0;
    for (unsigned w = context.scheduler; w < context.gpu.core.warps; w += context.gpu.core.schedulers) {
      if (members++ % size == 0) groups_.push_back({});
      groups_.back().members |= warp_bit(w);
    }
  }

  std::uint64_t update(std::uint64_t /*cycle*/) override {
    const WarpMask runs = table_.resident & ~table_.waits_long();
    for (unsigned step = 0; step < groups_.size(); ++step) {
      const unsigned candidate = after_current(step);
      if ((groups_[candidate].members & runs) == 0) continue;
      current_ = candidate;
      break;
    }
    return kNever;
  }

  unsigned select(WarpMask issuable) override {
    for (unsigned step = 0; step < groups_.size(); ++step) {
      const Group& group = groups_[after_current(step)];
      const WarpMask ready = group.members & issuable;
      if (ready != 0) return first_warp_from(ready, group.start);
    }
    return kNoWarp;
  }

  void on_issue(const IssueEvent& event) override {
    for (Group& group : groups_) {
      if ((group.members >> event.warp & 1U) != 0) group.start = (event.warp + 1) % kMaxWarps;
    }
  }

 private:
  struct Group {
    WarpMask members = 0;
    unsigned start = 0;  ///< slot after the one that issued last
  };

  unsigned after_current(unsigned step) const {
    return (current_ + step) % static_cast<unsigned>(groups_.size());
  }

  const WarpTable& table_;
  std::vector<Group> groups_;
  unsigned current_ = 0;
};

std::unique_ptr<Prioritizer> create(const PolicyContext& context) {
  return std::make_unique<TwoLevel>(context);
}

}  // namespace

extern const PrioritizerEntry two_level_entry;
const PrioritizerEntry two_level_entry{
    "two_level", "fetch groups (Narasiman et al.): one group has priority until all its warps wait long",
    &create};

}  // namespace heddle
