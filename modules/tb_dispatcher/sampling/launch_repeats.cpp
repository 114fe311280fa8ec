#include "modules/tb_dispatcher/sampling/launch_repeats.h"

#include <algorithm>
#include <cmath>

namespace heddle {

namespace {

bool near(double a, double b) { return std::abs(a - b) <= LaunchRepeats::kDistance * std::max(a, b); }

bool near(std::uint64_t a, std::uint64_t b) { return near(static_cast<double>(a), static_cast<double>(b)); }

}  // namespace

bool LaunchWork::is_like(const LaunchWork& other) const {
  if (!near(executed.warp_instructions, other.executed.warp_instructions) ||
      !near(executed.thread_instructions, other.executed.thread_instructions) ||
      !near(sectors, other.sectors))
    return false;
  double difference = 0;
  for (unsigned part = 0; part < TbWork::kParts; ++part) {
    const auto share = [part](const TbWork& work) {
      return static_cast<double>(work.of_part[part]) /
             static_cast<double>(std::max<std::uint64_t>(work.warp_instructions, 1));
    };
    difference += std::abs(share(executed) - share(other.executed)) / 2;
  }
  return difference <= LaunchRepeats::kDistance;
}

LaunchRepeats::Group* LaunchRepeats::group_of(const LaunchWork& work) {
  const auto found = std::find_if(groups_.begin(), groups_.end(),
                                  [&work](const Group& group) { return group.work.is_like(work); });
  return found == groups_.end() ? nullptr : &*found;
}

bool LaunchRepeats::skips(const LaunchWork& work) {
  Group* const group = group_of(work);
  if (group == nullptr || group->skipped >= group->allowed) return false;
  ++group->skipped;
  tries_ = 0;
  windows_.clear();
  for (const Simulated& one : group->simulated) windows_.push_back(one.id);
  return true;
}

void LaunchRepeats::simulated(std::size_t id, const std::optional<LaunchWork>& work, std::uint64_t cycles) {
  ++seen_;
  if (!work) return;
  Group* group = group_of(*work);
  if (group == nullptr) {
    groups_.emplace_back();
    group = &groups_.back();
  }
  group->work = *work;
  const auto instructions = static_cast<double>(std::max<std::uint64_t>(work->executed.warp_instructions, 1));
  const Simulated now{id, static_cast<double>(cycles) / instructions};
  const bool agrees = !group->simulated.empty() &&
                      near(group->simulated.back().cycles_per_instruction, now.cycles_per_instruction);
  if (!agrees) group->simulated.clear();
  group->allowed = !agrees               ? 0
                   : group->allowed == 0 ? kFirstSkipped
                                         : std::min(2 * group->allowed, kMostSkipped);
  group->skipped = 0;
  group->simulated.push_back(now);
  if (group->simulated.size() > kMostWindows) group->simulated.pop_front();
  if (++tries_ >= kMostTries && group->allowed == 0) given_up_ = true;
}

}  // namespace heddle
