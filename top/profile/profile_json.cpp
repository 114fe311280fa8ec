#include "top/profile/profile_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "base/utf8.h"
#include "top/support/version.h"

namespace heddle {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr int kProfileFormat = 1;

/// A launch, and what its warps did.
struct ProfiledLaunch {
  const LaunchResult& result;
  WarpAccount account;
};

double over(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// Warps of a scheduler by the resources of the launch.
double theoretical_warps(const LaunchResult& launch, const CoreConfig& core) {
  return launch.occupancy.warp_occupancy * core.warps / core.schedulers;
}

/// Mean of the launches, by the scheduler cycles that they had.
std::optional<double> theoretical_warps(const std::vector<ProfiledLaunch>& launches, const CoreConfig& core) {
  double sum = 0;
  double cycles = 0;
  for (const ProfiledLaunch& launch : launches) {
    const auto weight = static_cast<double>(launch.account.scheduler_cycles);
    sum += weight * theoretical_warps(launch.result, core);
    cycles += weight;
  }
  if (cycles == 0) return std::nullopt;
  return sum / cycles;
}

OrderedJson states_json() {
  OrderedJson states = OrderedJson::array();
  for (unsigned s = 0; s < kNumWarpStates; ++s) {
    const WarpStateInfo& state = info(static_cast<WarpState>(s));
    states.push_back({{"name", state.name},
                      {"label", state.label},
                      {"nsight", state.nsight},
                      {"resident", s < kNumResidentStates},
                      {"description", state.description}});
  }
  return states;
}

void add_account(OrderedJson& json, const WarpAccount& account) {
  json["warp_cycles"] = account.resident();
  json["warp_instructions"] = account.issued();
  json["scheduler_cycles"] = account.scheduler_cycles;
  json["no_eligible_cycles"] = account.no_eligible_cycles;
  json["cycles"] = account.cycles;
}

void add_derived(OrderedJson& json, const WarpAccount& account, std::optional<double> theoretical) {
  json["cycles_per_instruction"] = over(account.resident(), account.issued());
  OrderedJson funnel;
  funnel["theoretical"] = theoretical ? OrderedJson(*theoretical) : OrderedJson();
  funnel["active"] = over(account.resident(), account.scheduler_cycles);
  funnel["eligible"] = over(account.eligible(), account.scheduler_cycles);
  funnel["issued"] = over(account.issued(), account.scheduler_cycles);
  json["funnel"] = std::move(funnel);
}

OrderedJson sm_json(unsigned number, const SmWarps& sm) {
  OrderedJson json{{"sm", number}};
  add_account(json, sm.total);
  json["schedulers"] = OrderedJson::array();
  for (const WarpAccount& scheduler : sm.schedulers) {
    OrderedJson& of_scheduler = json["schedulers"].emplace_back(OrderedJson::object());
    add_account(of_scheduler, scheduler);
  }
  return json;
}

OrderedJson launch_json(const ProfiledLaunch& launch, const CoreConfig& core) {
  OrderedJson json{{"id", launch.result.id}, {"kernel", launch.result.kernel}};
  add_account(json, launch.account);
  add_derived(json, launch.account, theoretical_warps(launch.result, core));
  return json;
}

const char* to_string(Space space) {
  switch (space) {
    case Space::kGlobal:
      return "global";
    case Space::kLocal:
      return "local";
    case Space::kShared:
      return "shared";
    case Space::kConst:
      return "const";
    case Space::kParam:
      return "param";
    case Space::kGeneric:
      return "generic";
    case Space::kTexture:
      return "texture";
    case Space::kNone:
      break;
  }
  return "";
}

OrderedJson memory_json(const KernelText::Line& text, const LineCounts& counts) {
  const bool generic = text.space == Space::kGeneric;
  OrderedJson json{{"space", to_string(text.space)},
                   {"lanes", counts.access_lanes},
                   {"bytes", counts.access_lanes * text.bytes_per_lane}};
  if (generic || text.space == Space::kGlobal || text.space == Space::kLocal) {
    json["accesses"] = counts.accesses;
    json["moved_bytes"] = counts.moved_bytes;
    json["l1d_hits"] = counts.l1d_hits;
    json["l1d_merged"] = counts.l1d_merged;
    json["l1d_misses"] = counts.l1d_misses;
  }
  if (generic || text.space == Space::kShared) {
    json["bank_cycles"] = counts.bank_cycles;
    json["bank_conflict_cycles"] = counts.bank_conflict_cycles;
  }
  if (text.space == Space::kConst || text.space == Space::kParam) json["constants"] = counts.constants;
  if (text.space == Space::kTexture) {
    json["texture_lines"] = counts.texture_lines;
    json["texture_hits"] = counts.texture_hits;
    json["texture_pending_hits"] = counts.texture_pending;
    json["texture_misses"] = counts.texture_misses;
  }
  json["results"] = counts.results;
  json["result_cycles"] = counts.result_cycles;
  return json;
}

OrderedJson line_json(std::size_t index, const KernelText::Line& text, const LineCounts& counts) {
  OrderedJson json{{"index", index}, {"line", text.line}, {"text", as_utf8(text.text)}};
  if (!text.source.empty()) json["source"] = as_utf8(text.source);
  json["issued"] = counts.issued;
  json["lanes"] = counts.lanes;
  json["path_lanes"] = counts.path_lanes;
  json["cycles"] = counts.cycles;
  if (text.mem != MemOp::kNone) json["memory"] = memory_json(text, counts);
  return json;
}

OrderedJson kernel_json(const KernelProfile& kernel) {
  OrderedJson json{{"name", kernel.text.name}, {"file", as_utf8(kernel.text.file)}};
  json["lines"] = OrderedJson::array();
  for (std::size_t i = 0; i < kernel.lines.size(); ++i) {
    json["lines"].push_back(line_json(i, kernel.text.lines[i], kernel.lines[i]));
  }
  return json;
}

/// Objects without objects or lists of them, and lists of numbers, stand on one line.
bool on_one_line(const OrderedJson& json) {
  const auto nested = [](const OrderedJson& value) {
    return value.is_array() && !value.empty() && value.front().is_structured();
  };
  if (json.is_object()) return json.contains("text") || std::none_of(json.begin(), json.end(), nested);
  return !nested(json);
}

void print(const OrderedJson& json, std::size_t indent, std::string& text) {
  if (!json.is_structured() || on_one_line(json)) {
    text += json.dump();
    return;
  }
  const std::string margin(indent + 1, ' ');
  const char* before = "";
  text += json.is_object() ? "{" : "[";
  for (const auto& item : json.items()) {
    text += before;
    text += "\n" + margin;
    if (json.is_object()) text += OrderedJson(item.key()).dump() + ": ";
    print(item.value(), indent + 1, text);
    before = ",";
  }
  text += "\n" + std::string(indent, ' ') + (json.is_object() ? "}" : "]");
}

std::vector<ProfiledLaunch> launches_of(const RunResult& result, const ProfileCounts& counts) {
  std::vector<ProfiledLaunch> launches;
  for (const LaunchResult& launch : result.launches) {
    const auto found = counts.launches.find(launch.id);
    launches.push_back({launch, found == counts.launches.end() ? WarpAccount() : found->second});
  }
  return launches;
}

}  // namespace

std::string profile_json(const RunDescription& description, const RunResult& result,
                         const ProfileCounts& counts) {
  const CoreConfig& core = description.config.core;
  const std::vector<ProfiledLaunch> launches = launches_of(result, counts);
  OrderedJson json;
  json["format"] = kProfileFormat;
  json["version"] = version();
  json["status"] = result.end == RunEnd::kComplete ? "complete" : "partial";
  json["command"] = description.command;
  json["workload"] = description.workload;
  json["scheduler"] = description.config.scheduler.name;
  json["states"] = states_json();
  OrderedJson gpu;
  add_account(gpu, counts.gpu);
  add_derived(gpu, counts.gpu, theoretical_warps(launches, core));
  json["gpu"] = std::move(gpu);
  json["sms"] = OrderedJson::array();
  for (unsigned sm = 0; sm < counts.sms.size(); ++sm) json["sms"].push_back(sm_json(sm, counts.sms[sm]));
  json["launches"] = OrderedJson::array();
  for (const ProfiledLaunch& launch : launches) json["launches"].push_back(launch_json(launch, core));
  json["kernels"] = OrderedJson::array();
  for (const KernelProfile& kernel : counts.kernels) json["kernels"].push_back(kernel_json(kernel));
  std::string text;
  print(json, 0, text);
  return text + "\n";
}

}  // namespace heddle
