#pragma once

#include <memory>
#include <string>
#include <vector>

#include "modules/warp_scheduler/prioritizer.h"
#include "modules/warp_scheduler/qualifier.h"

namespace heddle {

/// A policy that users can name. Each policy's file defines one of these, or one of each; the table in
/// policy_registry.cpp lists them.
struct PrioritizerEntry {
  const char* name;
  const char* description;
  std::unique_ptr<Prioritizer> (*create)(const PolicyContext&);
  const SharedPolicyEntry* shared = nullptr;  ///< what it shares between the schedulers of an SM, if anything
};
struct QualifierEntry {
  const char* name;
  const char* description;
  std::unique_ptr<Qualifier> (*create)(const PolicyContext&);
  const SharedPolicyEntry* shared = nullptr;
  const PrioritizerEntry* inner = nullptr;  ///< taken when it is named without a prioritizer
  bool admits_all = false;                  ///< has no state and holds no warp back
};

/// All of them, in the order in which they are listed to users.
const std::vector<const PrioritizerEntry*>& prioritizers();
const std::vector<const QualifierEntry*>& qualifiers();

/// Adds a policy to them, for as long as the program runs: for policies that are not part of the library.
void add_policy(const PrioritizerEntry& entry);
void add_policy(const QualifierEntry& entry);

struct PolicyNames {
  const QualifierEntry* qualifier = nullptr;
  const PrioritizerEntry* prioritizer = nullptr;
};

/// The policies that `name` names: "PRIORITIZER", or "QUALIFIER+PRIORITIZER" in either order. A policy that
/// is both is taken as both when it stands alone, and beside another one as what the other is not. Without a
/// qualifier it is "none"; a qualifier that has an inner prioritizer may stand alone too. Throws
/// std::invalid_argument naming the part that is unknown or missing, the nearest name, and what is known.
PolicyNames find_policies(const std::string& name);

struct PolicyPair {
  std::unique_ptr<Qualifier> qualifier;
  std::unique_ptr<Prioritizer> prioritizer;
};

}  // namespace heddle
