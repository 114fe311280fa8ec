#include "modules/tb_dispatcher/resources/resource_manager.h"

namespace heddle {
namespace {

/// Management by TB: a TB starts when there is room for all of it, and keeps all of it until its last warp
/// ends.
class TbResources final : public ResourceManager {
 public:
  using ResourceManager::ResourceManager;

  unsigned room(std::uint64_t /*launch_id*/, const TbDemand& demand, bool /*use_fragments*/) const override {
    return free_.fits(demand) ? demand.warps : 0;
  }
  void start(TbShare& share, unsigned /*warps*/) override { free_.take(share.demand); }
  void warp_ended(TbShare& /*share*/) override {}
  void tb_ended(TbShare& share) override { free_.give_back(share.demand); }
  unsigned issue_waiting() override { return 0; }
  const TbShare* partial() const override { return nullptr; }
  bool early_release() const override { return false; }
};

std::unique_ptr<ResourceManager> create_tb_resources(const CoreConfig& core, const hw::Owner& /*hardware*/) {
  return std::make_unique<TbResources>(core);
}

}  // namespace

extern const ResourceManagementEntry tb_resources_entry;
const ResourceManagementEntry tb_resources_entry{
    "tb", "thread blocks start as a whole and keep what they have until their last warp ends", false,
    &create_tb_resources};

}  // namespace heddle
