#include "modules/warp_scheduler/policy_registry.h"

#include <algorithm>
#include <stdexcept>

#include "base/nearest_name.h"

namespace heddle {

// One line a policy, in the order in which users see policies and their parameters. `lrr` is the object
// lrr_entry, which the policy's file defines.
#define HEDDLE_POLICIES(PRIORITIZER, QUALIFIER) \
  PRIORITIZER(lrr)                              \
  PRIORITIZER(gto)                              \
  PRIORITIZER(oldest)                           \
  QUALIFIER(none)                               \
  PRIORITIZER(two_level)                        \
  PRIORITIZER(two_level_active)                 \
  PRIORITIZER(pro)                              \
  QUALIFIER(swl)                                \
  QUALIFIER(ccws)                               \
  QUALIFIER(mascar_qualifier)                   \
  PRIORITIZER(mascar_prioritizer)               \
  PRIORITIZER(least_issued)                     \
  PRIORITIZER(ipaws)                            \
  PRIORITIZER(adapt_local)                      \
  QUALIFIER(oaws_static)                        \
  QUALIFIER(oaws_dynamic)                       \
  QUALIFIER(ocw_throttling)

#define HEDDLE_DECLARE_PRIORITIZER(policy) extern const PrioritizerEntry policy##_entry;
#define HEDDLE_DECLARE_QUALIFIER(policy) extern const QualifierEntry policy##_entry;
HEDDLE_POLICIES(HEDDLE_DECLARE_PRIORITIZER, HEDDLE_DECLARE_QUALIFIER)
HEDDLE_DECLARE_PRIORITIZER(per_stream)  // named by its streams' schedulers

namespace {

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
                              "; expected PRIORITIZER, QUALIFIER or QUALIFIER+PRIORITIZER, prioritizers: " +
                              names_of(prioritizers()) + "; qualifiers: " + names_of(qualifiers()));
}

/// What is registered.
struct Policies {
  std::vector<const PrioritizerEntry*> prioritizers;
  std::vector<const QualifierEntry*> qualifiers;
  std::vector<const PolicyParameters*> parameters;

  void add(const PrioritizerEntry& entry) { add(entry, prioritizers); }
  void add(const QualifierEntry& entry) { add(entry, qualifiers); }

 private:
  template <class Entry>
  void add(const Entry& entry, std::vector<const Entry*>& entries) {
    if (find(entries, entry.name) != nullptr)
      throw std::invalid_argument("warp scheduler '" + std::string(entry.name) + "' is registered twice");
    entries.push_back(&entry);
    if (entry.parameters == nullptr) return;
    if (std::find(parameters.begin(), parameters.end(), entry.parameters) == parameters.end())
      parameters.push_back(entry.parameters);
  }
};

Policies& policies() {
  static Policies all = [] {
    Policies shipped;
#define HEDDLE_ADD(policy) shipped.add(policy##_entry);
    HEDDLE_POLICIES(HEDDLE_ADD, HEDDLE_ADD)
    return shipped;
  }();
  return all;
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

const std::vector<const PrioritizerEntry*>& prioritizers() { return policies().prioritizers; }
const std::vector<const QualifierEntry*>& qualifiers() { return policies().qualifiers; }
const std::vector<const PolicyParameters*>& policy_parameters() { return policies().parameters; }

void add_policy(const PrioritizerEntry& entry) { policies().add(entry); }
void add_policy(const QualifierEntry& entry) { policies().add(entry); }

std::vector<std::string> schedulers_of_streams(const std::string& name) {
  std::vector<std::string> schedulers;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find(':', begin), name.size());
    schedulers.push_back(name.substr(begin, end - begin));
    begin = end + 1;
  }
  return schedulers;
}

PolicyNames find_policies(const std::string& name) {
  if (name.find(':') != std::string::npos) {
    for (const std::string& scheduler : schedulers_of_streams(name))
      static_cast<void>(find_policies(scheduler));
    return {&none_entry, &per_stream_entry};
  }
  const std::size_t plus = std::min(name.find('+'), name.size());
  const Part first = find_part(name, name.substr(0, plus));
  if (plus == name.size()) {
    return {first.qualifier != nullptr ? first.qualifier : &none_entry,
            first.prioritizer != nullptr ? first.prioritizer : &gto_entry};
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
