#include "modules/tb_dispatcher/resources/resource_manager.h"

#include "modules/config/setting_error.h"

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
  const std::string& name = core.resources.management;
  std::string known;
  for (const ResourceManagementEntry* entry : resource_managements()) {
    if (name == entry->name) return *entry;
    known += (known.empty() ? "" : ", ") + std::string(entry->name);
  }
  throw SettingError("core.resources.management", "'" + name + "' is unknown; expected one of: " + known);
}

}  // namespace heddle
