#pragma once

#include <memory>
#include <vector>

#include "modules/tb_dispatcher/resources/resource_manager.h"
#include "modules/tb_dispatcher/resources/warp_watcher.h"
#include "tlm/clock_domain.h"

namespace heddle {

/// The resources of one SM over time: what ends at t can be given again from the first edge after t on.
///
/// The TB dispatcher and the SM keep one account each and tell it of the same TBs and warps at the same
/// times, as the TB protocol carries them, so that both always come to the same: a start that the SM's
/// account has no room for is refused, which the dispatcher reports as an error.
class SmAccount {
 public:
  /// `hardware` owns the parts of the SM's account; the dispatcher's is its mirror and is priced with it.
  explicit SmAccount(const CoreConfig& core, const hw::Owner& hardware = {})
      : manager_(resource_management(core).create(core, hardware)) {}

  /// See ResourceManager. advance() was called at the present edge.
  unsigned room(std::uint64_t launch_id, const TbDemand& demand, bool use_fragments) const {
    const unsigned warps = manager_->room(launch_id, demand, use_fragments);
    return watcher_ == nullptr ? warps : watcher_->on_ask(demand, warps);
  }
  /// What room() says is told to `watcher`, and is what that says.
  void watch(WarpWatcher& watcher) { watcher_ = &watcher; }

  /// A TB starts, `warps` of its warps at once: room() or fewer. Its share is kept until its end is taken
  /// back.
  TbShare& start(std::uint64_t launch_id, const TbDemand& demand, unsigned warps, bool use_fragments);

  /// At `time`, the present one or later. Warps need to be told of when early_release().
  void warp_ended(TbShare& share, Ticks time) { end({&share, time, false}); }
  void tb_ended(TbShare& share, Ticks time) { end({&share, time, true}); }

  /// Takes back what ended before `now`, and gives of it to unissued warps of the partial TB: returns to how
  /// many.
  unsigned advance(Ticks now) { return ended_.empty() ? 0 : take_back(now); }
  /// advance() will take something back.
  bool due(Ticks now) const { return !ended_.empty() && ended_.front().time < now; }
  /// Something has ended that advance() has not yet taken back.
  bool pending() const { return !ended_.empty(); }

  bool early_release() const { return manager_->early_release(); }
  const TbShare* partial() const { return manager_->partial(); }
  const SmResources& free() const { return manager_->free(); }
  const SmResources& unused() const { return manager_->unused(); }

 private:
  struct Ended {
    TbShare* share;
    Ticks time;
    bool tb;  ///< false: one of its warps
  };

  void end(const Ended& ended);
  unsigned take_back(Ticks now);

  std::unique_ptr<ResourceManager> manager_;
  WarpWatcher* watcher_ = nullptr;
  std::vector<std::unique_ptr<TbShare>> shares_;
  std::vector<TbShare*> free_shares_;
  std::vector<Ended> ended_;  ///< in order of time
};

}  // namespace heddle
