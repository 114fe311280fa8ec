#include "modules/warp_scheduler/policy_registry.h"

#include <algorithm>
#include <stdexcept>

#include "base/nearest_name.h"

namespace heddle {

extern const PrioritizerEntry lrr_entry;
extern const PrioritizerEntry gto_entry;
extern const PrioritizerEntry oldest_entry;
extern const PrioritizerEntry two_level_entry;
extern const PrioritizerEntry two_level_active_entry;
extern const PrioritizerEntry pro_entry;
extern const PrioritizerEntry least_issued_entry;
extern const PrioritizerEntry ipaws_entry;
extern const PrioritizerEntry adapt_local_entry;
extern const QualifierEntry none_entry;
extern const QualifierEntry swl_entry;
extern const QualifierEntry ccws_entry;
extern const QualifierEntry mascar_qualifier_entry;
extern const PrioritizerEntry mascar_prioritizer_entry;
extern const QualifierEntry oaws_static_entry;
extern const QualifierEntry oaws_dynamic_entry;
extern const QualifierEntry ocw_throttling_entry;

namespace {

std::vector<const PrioritizerEntry*>& all_prioritizers() {
  static std::vector<const PrioritizerEntry*> entries{&lrr_entry,
                                                      &gto_entry,
                                                      &oldest_entry,
                                                      &two_level_entry,
                                                      &two_level_active_entry,
                                                      &pro_entry,
                                                      &mascar_prioritizer_entry,
                                                      &least_issued_entry,
                                                      &ipaws_entry,
                                                      &adapt_local_entry};
  return entries;
}

std::vector<const QualifierEntry*>& all_qualifiers() {
  static std::vector<const QualifierEntry*> entries{
      &none_entry,        &swl_entry,          &ccws_entry,          &mascar_qualifier_entry,
      &oaws_static_entry, &oaws_dynamic_entry, &ocw_throttling_entry};
  return entries;
}

template <class Entry>
const Entry* find(const std::vector<const Entry*>& entries, const std::string& name) {
  for (const Entry* entry : entries) {
    if (name == entry->name) return entry;
  }
  return nullptr;
}

template <class Entry>
void append_names(const std::vector<const Entry*>& entries, std::vector<std::string_view>& names) {
  for (const Entry* entry : entries) names.emplace_back(entry->name);
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

struct Part {
  const PrioritizerEntry* prioritizer;
  const QualifierEntry* qualifier;
};

Part find_part(const std::string& name, const std::string& part) {
  const Part found{find(prioritizers(), part), find(qualifiers(), part)};
  if (found.prioritizer != nullptr || found.qualifier != nullptr) return found;
  std::vector<std::string_view> known;
  append_names(prioritizers(), known);
  append_names(qualifiers(), known);
  fail(name, "'" + part + "' is unknown" + did_you_mean(part, known));
}

}  // namespace

const std::vector<const PrioritizerEntry*>& prioritizers() { return all_prioritizers(); }
const std::vector<const QualifierEntry*>& qualifiers() { return all_qualifiers(); }

void add_policy(const PrioritizerEntry& entry) { all_prioritizers().push_back(&entry); }
void add_policy(const QualifierEntry& entry) { all_qualifiers().push_back(&entry); }

PolicyNames find_policies(const std::string& name) {
  const std::size_t plus = std::min(name.find('+'), name.size());
  const Part first = find_part(name, name.substr(0, plus));
  if (plus == name.size()) {
    if (first.prioritizer == nullptr) {
      if (first.qualifier->inner == nullptr) fail(name, "it names no prioritizer");
      return {first.qualifier, first.qualifier->inner};
    }
    return {first.qualifier != nullptr ? first.qualifier : &none_entry, first.prioritizer};
  }
  const std::string rest = name.substr(plus + 1);
  if (rest.find('+') != std::string::npos) fail(name, "it names more than two policies");
  const Part second = find_part(name, rest);
  const bool in_order = first.qualifier != nullptr && second.prioritizer != nullptr;
  const bool reversed = first.prioritizer != nullptr && second.qualifier != nullptr;
  if (in_order) return {first.qualifier, second.prioritizer};
  if (reversed) return {second.qualifier, first.prioritizer};
  fail(name, first.qualifier == nullptr ? "it names two prioritizers" : "it names two qualifiers");
}

}  // namespace heddle
