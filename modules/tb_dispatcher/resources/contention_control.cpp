#include "modules/tb_dispatcher/resources/contention_control.h"

#include <string>

#include "modules/config/setting_error.h"

namespace heddle {

namespace {

std::unique_ptr<ContentionControl> create(const CoreConfig& /*core*/, const hw::Owner& /*hardware*/) {
  return std::make_unique<ContentionControl>();
}

const ContentionControlEntry none_entry{"none", "nothing is held back", false, &create};
const ContentionControlEntry threshold_entry{
    "threshold", "at core.resources.contention_warps concurrent warps nothing more is given warp by warp",
    true, &create};

const ContentionControlEntry& entry_of(const CoreConfig& core) {
  const std::string& name = core.resources.contention;
  std::string known;
  for (const ContentionControlEntry* entry : contention_controls()) {
    if (name == entry->name) return *entry;
    known += (known.empty() ? "" : ", ") + std::string(entry->name);
  }
  throw SettingError("core.resources.contention", "'" + name + "' is unknown; expected one of: " + known);
}

}  // namespace

extern const ContentionControlEntry dueling_entry;

const std::vector<const ContentionControlEntry*>& contention_controls() {
  static const std::vector<const ContentionControlEntry*> entries{&none_entry, &dueling_entry,
                                                                  &threshold_entry};
  return entries;
}

std::unique_ptr<ContentionControl> make_contention_control(const CoreConfig& core,
                                                           const hw::Owner& hardware) {
  return entry_of(core).create(core, hardware);
}

bool limits_warps(const CoreConfig& core) { return entry_of(core).limits_warps; }

}  // namespace heddle
