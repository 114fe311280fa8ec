#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "hw/logic/request_groups.h"
#include "hw/pricing/gates.h"
#include "modules/warp_scheduler/policies/basic/round_robin.h"
#include "modules/warp_scheduler/policies/two_level/parameters.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {
namespace {

/// Two-level scheduling by fetch groups (Narasiman et al., MICRO 2011; scheduler-details.md, "Baselines").
/// The warps of a scheduler form groups of fixed size in slot order. The current group has priority, round
/// robin inside it; while it has nothing ready for a short time the groups after it fill in. The next group
/// becomes current when every warp of the current one waits long (load, barrier, membar) or none is left.
class TwoLevel final : public Prioritizer {
 public:
  explicit TwoLevel(const PolicyContext& context)
      : table_(context.table),
        hardware_(context.hardware.child("two_level")),
        groups_(groups_of(context)),
        running_(hardware_, "running" + std::to_string(context.scheduler), groups_of_warps(context)),
        requests_(hardware_, "requests" + std::to_string(context.scheduler), groups_of_warps(context)),
        turn_(hardware_, "turn" + std::to_string(context.scheduler), groups_, hw::SelectorForm::kRotating),
        fill_in_(hardware_, "fill_in" + std::to_string(context.scheduler), groups_,
                 hw::SelectorForm::kRotating, groups_),
        current_(owner_of_number(hardware_, groups_), "current_group" + std::to_string(context.scheduler),
                 number_of_group()) {
    const OwnWarps own(context);
    const unsigned size = context.values_of(two_level_parameters).fetch_group_warps;
    const unsigned first = first_number(context, size);
    for (unsigned g = 0; g < groups_; ++g) {
      const OwnWarps warps(own.warp(g * size), own.stride(), std::min(size, own.count() - g * size));
      members_.push_back(warps.mask());
      turns_.emplace_back(hardware_, std::to_string(first + g), warps);
    }
    hardware_.note("current_group*", kBaselineNote);
  }

  std::uint64_t update(std::uint64_t cycle) override {
    const WarpMask runs = unfinished_ & table_.resident & ~table_.waits_long();
    if (runs == 0 || (runs & members_[current_group()]) != 0) return kNever;
    current_.write(cycle, turn_.select_from(with_any(running_, runs), current_group()));
    return kNever;
  }

  unsigned select(std::uint64_t /*cycle*/, WarpMask issuable) override {
    const unsigned group = fill_in_.select_from(with_any(requests_, issuable), current_group());
    return group == hw::kNoInput ? kNoWarp : turns_[group].select(issuable & members_[group]);
  }

  /// Every group finds its own first warp, while the group that issues is found.
  hw::TimingPath choice_path() const override {
    hw::TimingPath group;
    group.then(requests_.structure().path).then(fill_in_.structure().path);
    hw::TimingPath path = hw::TimingPath::longer(group, turns_.front().choice_path());
    // The group to begin with may change in the cycle: in sized netlists what finds it comes first.
    hw::TimingPath change;
    if (groups_ > 1) {
      const hw::Depth next = groups_ > 2 ? hw::gates::find_first_fo4(groups_ - 1) : hw::Depth();
      change.then(running_.structure().path)
          .through("the next group", hw::gates::kGateFo4 + next)
          .then(fill_in_.structure().path);
    }
    const double more = std::max(0.0, change.sized_fo4() - path.sized_fo4());
    return path.through("warp of the group",
                        hw::gates::one_hot_mux_fo4(groups_) + sized_only(hw::either_depth(more)));
  }
  void on_start(unsigned warp) override { unfinished_ |= warp_bit(warp); }
  void on_finish(unsigned warp) override { unfinished_ &= ~warp_bit(warp); }
  void on_issue(const IssueEvent& event) override {
    for (unsigned g = 0; g < groups_; ++g) {
      if ((members_[g] >> event.warp & 1U) != 0) turns_[g].issued(event.warp, event.cycle);
    }
  }

  void trace(WaveSink& sink) override {
    current_.trace(sink);
    for (const RoundRobin& turns : turns_) turns.trace(sink);
  }
  void trace_state(WaveSink& sink) override { current_.trace(sink); }

 private:
  static unsigned groups_of(const PolicyContext& context) {
    const unsigned size = context.values_of(two_level_parameters).fetch_group_warps;
    return (OwnWarps(context).count() - 1) / size + 1;
  }
  /// Of the first of its groups among those of the SM. No scheduler has more warps than the first.
  static unsigned first_number(const PolicyContext& context, unsigned size) {
    const unsigned most_warps = (context.gpu.core.warps - 1) / context.gpu.core.schedulers + 1;
    return context.scheduler * ((most_warps - 1) / size + 1);
  }
  hw::RegisterShape number_of_group() const {
    hw::RegisterShape shape;
    shape.bits = hw::index_bits(groups_);
    return shape;
  }
  unsigned current_group() const { return static_cast<unsigned>(current_.value()); }
  static hw::RequestGroupsShape groups_of_warps(const PolicyContext& context) {
    const unsigned size = context.values_of(two_level_parameters).fetch_group_warps;
    return {groups_of(context), std::min(size, OwnWarps(context).count()), true};
  }
  /// Bit g: group g has one of `warps`.
  std::uint64_t with_any(hw::RequestGroups& lines, WarpMask warps) const {
    return lines.with_any(warps, [this](unsigned group) { return members_[group]; });
  }

  const WarpTable& table_;
  /// Warps that it was told of: of streams that take turns, others may have warps beside them.
  WarpMask unfinished_ = 0;
  hw::Owner hardware_;
  unsigned groups_;
  hw::RequestGroups running_;     ///< groups with a warp that runs
  hw::RequestGroups requests_;    ///< groups with a warp that may issue
  hw::PrioritySelector turn_;     ///< the group that becomes current
  hw::PrioritySelector fill_in_;  ///< the group that issues
  hw::Register current_;
  std::vector<WarpMask> members_;
  std::deque<RoundRobin> turns_;  ///< of each group
};

std::unique_ptr<Prioritizer> create_two_level(const PolicyContext& context) {
  return std::make_unique<TwoLevel>(context);
}

}  // namespace

const ParametersOf<TwoLevelParameters> two_level_parameters{
    "two_level",
    {parameter::whole(&TwoLevelParameters::fetch_group_warps, "fetch_group_warps", 1, 64, "warps",
                      "Warps of a fetch group")}};

extern const PrioritizerEntry two_level_entry;
const PrioritizerEntry two_level_entry{
    "two_level", "fetch groups (Narasiman et al.): one group has priority until all its warps wait long",
    &create_two_level, nullptr, &two_level_parameters};

}  // namespace heddle
