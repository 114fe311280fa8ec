#pragma once

#include <memory>
#include <string>
#include <vector>

#include "modules/warp_scheduler/prioritizer.h"
#include "modules/warp_scheduler/qualifier.h"

namespace heddle {

/// A policy that users can name. Each policy's file defines one of these; the table in policy_registry.cpp
/// lists them.
struct PrioritizerEntry {
  const char* name;
  const char* description;
  std::unique_ptr<Prioritizer> (*create)(const PolicyContext&);
};
struct QualifierEntry {
  const char* name;
  const char* description;
  std::unique_ptr<Qualifier> (*create)(const PolicyContext&);
};

/// All of them, in the order in which they are listed to users.
const std::vector<const PrioritizerEntry*>& prioritizers();
const std::vector<const QualifierEntry*>& qualifiers();

struct PolicyPair {
  std::unique_ptr<Qualifier> qualifier;
  std::unique_ptr<Prioritizer> prioritizer;
};

/// Creates the policies that `name` names: "PRIORITIZER", or "QUALIFIER+PRIORITIZER" in either order.
/// Throws std::invalid_argument naming the part that is unknown or missing, and what is known; or a policy's
/// parameter that is out of range.
PolicyPair make_policies(const std::string& name, const PolicyContext& context);

}  // namespace heddle
