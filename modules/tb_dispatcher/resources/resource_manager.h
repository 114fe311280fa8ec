#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "hw/pricing/owner.h"
#include "modules/tb_dispatcher/resources/occupancy.h"

namespace heddle {

/// What a resident TB has of its SM.
struct TbShare {
  std::uint64_t launch_id = 0;
  TbDemand demand;
  unsigned unissued = 0;  ///< warps that have no warp slot and no registers yet
  unsigned ended = 0;     ///< warps that have given theirs back
  /// It may have room that management by TB would leave unused (WarpMan 3.1); see ResourceManager::room().
  bool use_fragments = true;
};

/// Gives the resources of one SM to TBs and takes them back: TB slots, shared memory, warp slots and
/// registers. Plain C++; created by name. The dispatcher and the SM have one each per SM (see SmAccount).
class ResourceManager {
 public:
  explicit ResourceManager(const CoreConfig& core) : free_(core) {}
  virtual ~ResourceManager() = default;
  ResourceManager(const ResourceManager&) = delete;
  ResourceManager& operator=(const ResourceManager&) = delete;

  /// Warps that a TB of this demand could start with now: all of its warps, or, managed by warp, as many as
  /// there is room for; 0 when it can't start. With `use_fragments` all room counts, if the management uses
  /// fragments at all; without, the kernel can't have more warps than whole TBs of it would have.
  virtual unsigned room(std::uint64_t launch_id, const TbDemand& demand, bool use_fragments) const = 0;
  /// A TB starts, `warps` of its warps at once: room() or fewer. `share` has launch_id, demand and
  /// use_fragments.
  virtual void start(TbShare& share, unsigned warps) = 0;
  /// A warp of the TB has ended. Not called unless early_release().
  virtual void warp_ended(TbShare& share) = 0;
  /// The last warp of the TB has ended; warp_ended() was called for it, too.
  virtual void tb_ended(TbShare& share) = 0;
  /// Gives what is free to unissued warps of the partial TB, in the order of their ids. Returns how many got
  /// it.
  virtual unsigned issue_waiting() = 0;
  /// The TB with unissued warps, of which there is at most one.
  virtual const TbShare* partial() const = 0;
  /// Registers and warp slot of a warp that ends are taken back before its TB ends.
  virtual bool early_release() const = 0;

  /// What any TB can be given.
  const SmResources& free() const { return free_; }
  /// What neither TBs nor warps use: free(), and what warps have given back before their TB ended, which TBs
  /// of the same launch can be given.
  virtual const SmResources& unused() const { return free_; }

 protected:
  SmResources free_;
};

/// A management that users can name.
struct ResourceManagementEntry {
  const char* name;
  const char* description;
  /// TBs may be resident beyond what an SM can hold by TB, one of them partial: it is kept in the workload
  /// buffer.
  bool manages_warps;
  std::unique_ptr<ResourceManager> (*create)(const CoreConfig&, const hw::Owner&);
};
const std::vector<const ResourceManagementEntry*>& resource_managements();

/// The entry that core.resources.management names. Throws std::invalid_argument naming what was found and
/// the known names.
const ResourceManagementEntry& resource_management(const CoreConfig& core);
inline bool manages_warps(const CoreConfig& core) { return resource_management(core).manages_warps; }

}  // namespace heddle
