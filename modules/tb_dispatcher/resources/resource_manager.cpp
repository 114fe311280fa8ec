#include "modules/tb_dispatcher/resources/resource_manager.h"

#include "modules/config/named_entry.h"

namespace heddle {

extern const ResourceManagementEntry tb_resources_entry;
extern const ResourceManagementEntry warp_temporal_entry;
extern const ResourceManagementEntry warp_temporal_spatial_entry;

const std::vector<const ResourceManagementEntry*>& resource_managements() {
  static const std::vector<const ResourceManagementEntry*> entries{&tb_resources_entry, &warp_temporal_entry,
                                                                   &warp_temporal_spatial_entry};
  return entries;
}

const ResourceManagementEntry& resource_management(const CoreConfig& core) {
  return named_entry("core.resources.management", core.resources.management, resource_managements());
}

}  // namespace heddle
