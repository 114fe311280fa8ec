#include "modules/tb_dispatcher/resources/sm_account.h"

#include <algorithm>

namespace heddle {

TbShare& SmAccount::start(std::uint64_t launch_id, const TbDemand& demand, unsigned warps,
                          bool use_fragments) {
  if (free_shares_.empty()) {
    shares_.push_back(std::make_unique<TbShare>());
    free_shares_.push_back(shares_.back().get());
  }
  TbShare& share = *free_shares_.back();
  free_shares_.pop_back();
  share = {launch_id, demand, 0, 0, use_fragments};
  manager_->start(share, warps);
  return share;
}

void SmAccount::end(const Ended& ended) {
  const auto behind = std::upper_bound(ended_.begin(), ended_.end(), ended.time,
                                       [](Ticks time, const Ended& other) { return time < other.time; });
  ended_.insert(behind, ended);
}

/// Warps first: what a TB's end gives to other launches depends on what its launch has early, and not on
/// which of the warps that ended together was told of before.
unsigned SmAccount::take_back(Ticks now) {
  std::size_t done = 0;
  for (; done < ended_.size() && ended_[done].time < now; ++done) {
    if (!ended_[done].tb) manager_->warp_ended(*ended_[done].share);
  }
  if (done == 0) return 0;
  for (std::size_t i = 0; i < done; ++i) {
    if (!ended_[i].tb) continue;
    manager_->tb_ended(*ended_[i].share);
    free_shares_.push_back(ended_[i].share);
  }
  ended_.erase(ended_.begin(), ended_.begin() + static_cast<std::ptrdiff_t>(done));
  return manager_->issue_waiting();
}

}  // namespace heddle
