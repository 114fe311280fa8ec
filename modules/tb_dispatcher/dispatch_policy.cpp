#include "modules/tb_dispatcher/dispatch_policy.h"

#include <stdexcept>

namespace heddle {

extern const DispatchPolicyEntry fifo_entry;

const std::vector<const DispatchPolicyEntry*>& dispatch_policies() {
  static const std::vector<const DispatchPolicyEntry*> entries{&fifo_entry};
  return entries;
}

std::unique_ptr<DispatchPolicy> make_dispatch_policy(const std::string& name) {
  std::string known;
  for (const DispatchPolicyEntry* entry : dispatch_policies()) {
    if (name == entry->name) return entry->create();
    known += (known.empty() ? "" : ", ") + std::string(entry->name);
  }
  throw std::invalid_argument("thread-block dispatch policy '" + name +
                              "' is unknown; expected one of: " + known);
}

}  // namespace heddle
