#include <algorithm>

#include "modules/tb_dispatcher/resources/contention_control.h"
#include "modules/tb_dispatcher/resources/dispatch_checks.h"
#include "modules/tb_dispatcher/resources/resource_manager.h"
#include "modules/tb_dispatcher/resources/warp_limit.h"

namespace heddle {
namespace {

/// Warp-level management (WarpMan 4): registers and warp slots by warp, TB slots and shared memory by TB.
/// What a warp gives back before its TB ends goes to warps of the same kernel only (WarpMan 4.2), until that
/// TB ends.
///
/// Without fragments (WarpMan 6.1, 'temp') the warps of a kernel have no more room than its whole TBs would
/// have in what is free or the kernel's, and it is given warp by warp all the same: in room that warps of the
/// same TBs have left, whole TBs as large as the SM's only one would never start before that has ended.
///
/// No TB starts while the partial one has unissued warps, so that there is one at most and all others have
/// all their warps: these end, whatever barriers they meet, and what they give back lets the partial TB go
/// on.
///
/// With fragments the checks are hardware's (DispatchChecks) as long as the TBs are of one kernel.
class WarpResources final : public ResourceManager {
 public:
  WarpResources(const CoreConfig& core, bool spatial, const hw::Owner& hardware)
      : ResourceManager(core), spatial_(spatial), unused_(core) {
    if (spatial) checks_ = std::make_unique<DispatchChecks>(core, hardware.child("workload_buffer"));
    checked_ = spatial;
    if (spatial && limits_warps(core)) {
      limit_ = std::make_unique<WarpLimit>(core, hardware.child("warp_limit"));
    }
  }

  unsigned room(std::uint64_t launch_id, const TbDemand& demand, bool use_fragments) const override {
    if (partial_ != nullptr || !free_.fits_tb(demand)) return 0;
    const Kernel* kernel = find(launch_id);
    if (checked_ && use_fragments && limit_ == nullptr && (kernels_.empty() || kernel != nullptr))
      return checks_->room(demand);
    const unsigned warps = kernel == nullptr ? room_for(Kernel{}, demand, use_fragments)
                                             : room_for(*kernel, demand, use_fragments);
    if (warps >= demand.warps) return demand.warps;
    return limit_ != nullptr && warps != 0 ? limit_->allowed(warps) : warps;
  }

  void start(TbShare& share, unsigned warps) override {
    Kernel* kernel = find(share.launch_id);
    if (kernel == nullptr) {
      kernels_.push_back({share.launch_id, 0, 0, 0});
      kernel = &kernels_.back();
    }
    ++kernel->tbs;
    checked_ = checked_ && kernels_.size() == 1;
    if (checked_) checks_->start(share.demand);
    free_.take_tb(share.demand);
    unused_.take_tb(share.demand);
    share.unissued = share.demand.warps;
    share.ended = 0;
    for (unsigned n = 0; n < warps; ++n) issue(*kernel, share);
    partial_ = share.unissued != 0 ? &share : nullptr;
  }

  void warp_ended(TbShare& share) override {
    if (limit_ != nullptr) limit_->ended();
    ++share.ended;
    if (checked_) checks_->warps_ended(1);
    Kernel& kernel = *find(share.launch_id);
    ++kernel.early;
    --kernel.running;
    unused_.give_back_warps(share.demand, 1);
  }

  void tb_ended(TbShare& share) override {
    Kernel& kernel = *find(share.launch_id);
    free_.give_back_tb(share.demand);
    unused_.give_back_tb(share.demand);
    const unsigned back = std::min(kernel.early, share.ended);
    kernel.early -= back;
    free_.give_back_warps(share.demand, back);
    if (checked_) checks_->tb_ended();
    if (--kernel.tbs == 0) kernels_.erase(kernels_.begin() + (&kernel - kernels_.data()));
    if (kernels_.empty()) check_again();
  }

  unsigned issue_waiting() override {
    if (partial_ == nullptr) return 0;
    unsigned issued = 0;
    Kernel& kernel = *find(partial_->launch_id);
    while (partial_->unissued != 0 && may_issue(kernel)) {
      issue(kernel, *partial_);
      ++issued;
    }
    if (partial_->unissued == 0) partial_ = nullptr;
    return issued;
  }

  const TbShare* partial() const override { return partial_; }
  bool early_release() const override { return true; }
  const SmResources& unused() const override { return unused_; }

 private:
  struct Kernel {
    std::uint64_t launch_id = 0;
    unsigned early = 0;    ///< warp slots, with registers, that its warps gave back before their TBs ended
    unsigned running = 0;  ///< warps that have theirs
    unsigned tbs = 0;      ///< resident
  };

  /// The SM has no TB: those that come next are of one kernel again.
  void check_again() {
    if (checks_ == nullptr || checked_) return;
    checks_->empty_sm();
    checked_ = true;
  }

  const Kernel* find(std::uint64_t launch_id) const {
    for (const Kernel& kernel : kernels_) {
      if (kernel.launch_id == launch_id) return &kernel;
    }
    return nullptr;
  }
  Kernel* find(std::uint64_t launch_id) {
    return const_cast<Kernel*>(static_cast<const WarpResources&>(*this).find(launch_id));
  }

  /// Warps of the kernel for which there is room.
  unsigned room_for(const Kernel& kernel, const TbDemand& demand, bool use_fragments) const {
    const unsigned room = free_.warps_that_fit(demand) + kernel.early;
    if (spatial_ && use_fragments) return room;
    const unsigned in_whole_tbs = (kernel.running + room) / demand.warps * demand.warps;
    return in_whole_tbs > kernel.running ? in_whole_tbs - kernel.running : 0;
  }

  bool may_issue(const Kernel& kernel) {
    return room_for(kernel, partial_->demand, partial_->use_fragments) != 0 &&
           (limit_ == nullptr || limit_->lets_next_start(free_.tb_slots()));
  }

  void issue(Kernel& kernel, TbShare& share) {
    if (kernel.early != 0) {
      --kernel.early;
    } else {
      free_.take_warps(share.demand, 1);
    }
    unused_.take_warps(share.demand, 1);
    if (checked_) checks_->issue();
    ++kernel.running;
    --share.unissued;
    if (limit_ != nullptr) limit_->issued();
  }

  bool spatial_;
  SmResources unused_;
  std::unique_ptr<WarpLimit> limit_;        ///< nullptr: none
  std::unique_ptr<DispatchChecks> checks_;  ///< nullptr: without fragments
  bool checked_ = false;  ///< the SM's TBs are of one kernel, so that checks_ counts what is free
  std::vector<Kernel> kernels_;
  TbShare* partial_ = nullptr;
};

template <bool Spatial>
std::unique_ptr<ResourceManager> create_warp_resources(const CoreConfig& core, const hw::Owner& hardware) {
  return std::make_unique<WarpResources>(core, Spatial, hardware);
}

}  // namespace

extern const ResourceManagementEntry warp_temporal_entry;
const ResourceManagementEntry warp_temporal_entry{
    "warp_temporal", "a warp that ends gives its registers and warp slot to the next one of a thread block",
    true, &create_warp_resources<false>};

extern const ResourceManagementEntry warp_temporal_spatial_entry;
const ResourceManagementEntry warp_temporal_spatial_entry{
    "warp_temporal_spatial", "as warp_temporal; warps also have the room in which no whole thread block fits",
    true, &create_warp_resources<true>};

}  // namespace heddle
