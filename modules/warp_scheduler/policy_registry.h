#pragma once

#include <memory>
#include <string>
#include <vector>

#include "modules/config/policy_parameters.h"
#include "modules/warp_scheduler/prioritizer.h"
#include "modules/warp_scheduler/qualifier.h"

namespace heddle {

/// What a policy says of its cost in hardware.
enum class Hardware : std::uint8_t {
  kOfParts,  ///< it is built of parts from hw/; when it has none, it is unpriced
  kNone,     ///< it has no state and no logic: it costs nothing
};

/// A policy that users can name. Each policy's file defines one of these, or one of each; the list in
/// policy_registry.cpp names them.
struct PrioritizerEntry {
  const char* name;
  const char* description;
  std::unique_ptr<Prioritizer> (*create)(const PolicyContext&);
  const SharedPolicyEntry* shared = nullptr;  ///< what it shares between the schedulers of an SM, if anything
  const PolicyParameters* parameters = nullptr;  ///< what users may set; several entries may name the same
  Hardware hardware = Hardware::kOfParts;
  bool chooses_schedulers = false;  ///< it has whole schedulers inside, and can't be inside another
  /// What it does depends on the kernel's past beyond the TBs that are resident: its launches are not
  /// sampled.
  bool learns_over_kernel = false;
};
struct QualifierEntry {
  const char* name;
  const char* description;
  std::unique_ptr<Qualifier> (*create)(const PolicyContext&);
  const SharedPolicyEntry* shared = nullptr;
  const PolicyParameters* parameters = nullptr;
  bool admits_all = false;  ///< holds no warp back: it need not be asked or told
  Hardware hardware = Hardware::kOfParts;
  bool learns_over_kernel = false;  ///< as PrioritizerEntry's
  /// It admits some of the ready warps and refuses the rest because of them. A second qualifier inside the
  /// prioritizer, which may refuse just these, would stop the SM for ever.
  bool admits_by_rank = false;
};

/// All of them, in the order in which they are listed to users.
const std::vector<const PrioritizerEntry*>& prioritizers();
const std::vector<const QualifierEntry*>& qualifiers();
/// Their parameters, each once.
const std::vector<const PolicyParameters*>& policy_parameters();

/// Adds a policy to the list, for as long as the program runs: for policies that are not part of the library.
/// Every command then knows its name, its parameters and its cost. Not while simulations run on other
/// threads. Throws std::invalid_argument when its name is taken; a parameter that two policies declare is
/// found when the configuration's keys are read.
void add_policy(const PrioritizerEntry& entry);
void add_policy(const QualifierEntry& entry);

/// Adds a policy from where it is defined, before main():
///   const heddle::PolicyRegistration registration{entry};
struct PolicyRegistration {
  explicit PolicyRegistration(const PrioritizerEntry& entry) { add_policy(entry); }
  explicit PolicyRegistration(const QualifierEntry& entry) { add_policy(entry); }
};

struct PolicyNames {
  const QualifierEntry* qualifier = nullptr;
  const PrioritizerEntry* prioritizer = nullptr;
};

/// The policies that `name` names: "PRIORITIZER", "QUALIFIER", or both with a "+" in either order. A policy
/// of both kinds is taken as both when it stands alone, and beside another one as what that one lacks.
/// Without a qualifier it is "none", without a prioritizer "gto". Several such names with colons between them
/// are a scheduler for each stream: policy "per_stream", which has no name of its own for users. Throws
/// std::invalid_argument naming the part that is unknown or too many, the nearest name, and what is known.
PolicyNames find_policies(const std::string& name);

/// The schedulers that a name with colons names, one for each stream in turn: "gto:lrr". The last one is that
/// of all further streams, too.
std::vector<std::string> schedulers_of_streams(const std::string& name);

struct PolicyPair {
  std::unique_ptr<Qualifier> qualifier;
  std::unique_ptr<Prioritizer> prioritizer;
};

}  // namespace heddle
