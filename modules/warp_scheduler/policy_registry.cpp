#include "modules/warp_scheduler/policy_registry.h"

#include <algorithm>
#include <stdexcept>

namespace heddle {

extern const PrioritizerEntry lrr_entry;
extern const PrioritizerEntry gto_entry;
extern const PrioritizerEntry oldest_entry;
extern const PrioritizerEntry two_level_entry;
extern const PrioritizerEntry two_level_active_entry;
extern const QualifierEntry none_entry;

const std::vector<const PrioritizerEntry*>& prioritizers() {
  static const std::vector<const PrioritizerEntry*> entries{&lrr_entry, &gto_entry, &oldest_entry,
                                                            &two_level_entry, &two_level_active_entry};
  return entries;
}

const std::vector<const QualifierEntry*>& qualifiers() {
  static const std::vector<const QualifierEntry*> entries{&none_entry};
  return entries;
}

namespace {

template <class Entry>
const Entry* find(const std::vector<const Entry*>& entries, const std::string& name) {
  for (const Entry* entry : entries) {
    if (name == entry->name) return entry;
  }
  return nullptr;
}

template <class Entry>
std::string names_of(const std::vector<const Entry*>& entries) {
  std::string names;
  for (const Entry* entry : entries) names += (names.empty() ? "" : ", ") + std::string(entry->name);
  return names;
}

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw std::invalid_argument("warp scheduler '" + name + "': " + what +
                              "; expected PRIORITIZER or QUALIFIER+PRIORITIZER, prioritizers: " +
                              names_of(prioritizers()) + "; qualifiers: " + names_of(qualifiers()));
}

}  // namespace

PolicyPair make_policies(const std::string& name, const PolicyContext& context) {
  const PrioritizerEntry* prioritizer = nullptr;
  const QualifierEntry* qualifier = nullptr;
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t plus = std::min(name.find('+', from), name.size());
    const std::string part = name.substr(from, plus - from);
    from = plus + 1;
    if (const PrioritizerEntry* p = find(prioritizers(), part)) {
      if (prioritizer != nullptr) fail(name, "it names two prioritizers");
      prioritizer = p;
    } else if (const QualifierEntry* q = find(qualifiers(), part)) {
      if (qualifier != nullptr) fail(name, "it names two qualifiers");
      qualifier = q;
    } else {
      fail(name, "'" + part + "' is unknown");
    }
  }
  if (prioritizer == nullptr) fail(name, "it names no prioritizer");
  if (qualifier == nullptr) qualifier = &none_entry;
  return {qualifier->create(context), prioritizer->create(context)};
}

}  // namespace heddle
