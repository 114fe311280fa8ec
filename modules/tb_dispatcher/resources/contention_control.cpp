#include "modules/tb_dispatcher/resources/contention_control.h"

#include <string>

#include "modules/config/named_entry.h"

namespace heddle {

namespace {

std::unique_ptr<ContentionControl> create_contention_control(const CoreConfig& /*core*/,
                                                             const hw::Owner& /*hardware*/) {
  return std::make_unique<ContentionControl>();
}

const ContentionControlEntry none_entry{"none", "nothing is held back", false, &create_contention_control};
const ContentionControlEntry threshold_entry{
    "threshold", "at core.resources.contention_warps concurrent warps nothing more is given warp by warp",
    true, &create_contention_control};

const ContentionControlEntry& entry_of(const CoreConfig& core) {
  return named_entry("core.resources.contention", core.resources.contention, contention_controls());
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
