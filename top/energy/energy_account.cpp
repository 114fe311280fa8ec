#include "top/energy/energy_account.h"

#include <algorithm>
#include <map>
#include <memory>

#include "modules/messages/warp_instruction.h"

namespace heddle {

namespace {

constexpr double kNanojoules = 1e9;
constexpr const char* kSmScope = "sm.";

bool of_sm(const EnergyEvent& event) {
  return std::all_of(event.counts.begin(), event.counts.end(),
                     [](const EnergyEvent::Count& count) { return count.metric.rfind(kSmScope, 0) == 0; });
}

/// Executed lanes of such instructions over those of full warps; 0 when there were none.
double lane_share(EnergyLanes lanes, const MetricLookup& count) {
  const auto share = [&count](const char* executed, const char* instructions) {
    const double full = static_cast<double>(count(instructions).value_or(0)) * kWarpSize;
    return full == 0 ? 0 : static_cast<double>(count(executed).value_or(0)) / full;
  };
  switch (lanes) {
    case EnergyLanes::kAll:
      return share("sm.thread_instructions", "sm.warp_instructions");
    case EnergyLanes::kSp:
      return share("sm.sp_lanes", "sm.sp_instructions");
    case EnergyLanes::kSfu:
      return share("sm.sfu_lanes", "sm.sfu_instructions");
    case EnergyLanes::kLdst:
      return share("sm.ldst_lanes", "sm.ldst_instructions");
    default:
      return 1;
  }
}

/// How often it happened, of full warps where lanes count; nothing when something of it is not counted.
std::optional<double> times(const EnergyEvent& event, const MetricLookup& count) {
  double sum = 0;
  for (const EnergyEvent::Count& part : event.counts) {
    const auto counted = count(part.metric);
    if (!counted) return std::nullopt;
    sum += static_cast<double>(*counted) * part.factor;
  }
  return sum * lane_share(event.lanes, count);
}

Energy scaled(const EnergyFigure& figure, double factor) {
  return {figure.value * factor, figure.low * factor, figure.high * factor};
}

class Accounting {
 public:
  Accounting(const EnergyTable& table, std::uint64_t cycles, const GpuConfig& config) : table_(table) {
    account_.seconds = static_cast<double>(cycles) / (config.clock.core_mhz * 1e6);
    for (const EnergyEvent& event : table.events) block(event.block);
    for (const StaticPower& power : table.power) block(power.block);
  }
  void add_events(const MetricLookup& count, bool sm_only) {
    for (const EnergyEvent& event : table_.events) {
      if (sm_only && !of_sm(event)) continue;
      if (const auto number = times(event, count)) {
        block(event.block).dynamic += scaled(event.nj, *number);
      } else {
        account_.not_counted.push_back(event.name);
      }
    }
  }
  void add_power(unsigned sms, bool sm_only) {
    for (const StaticPower& power : table_.power) {
      if (sm_only && !power.of_each_sm) continue;
      const double instances = power.of_each_sm ? sms : 1;
      block(power.block).static_ += scaled(power.watts, instances * account_.seconds * kNanojoules);
    }
  }
  EnergyAccount take() { return std::move(account_); }

 private:
  BlockEnergy& block(const std::string& name) {
    for (BlockEnergy& known : account_.blocks) {
      if (known.block == name) return known;
    }
    return account_.blocks.emplace_back(BlockEnergy{name, {}, {}});
  }

  const EnergyTable& table_;
  EnergyAccount account_;
};

}  // namespace

Energy& Energy::operator+=(const Energy& other) {
  nj += other.nj;
  low_nj += other.low_nj;
  high_nj += other.high_nj;
  return *this;
}

Energy BlockEnergy::sum() const {
  Energy both = dynamic;
  return both += static_;
}

Energy EnergyAccount::total() const {
  Energy sum;
  for (const BlockEnergy& block : blocks) sum += block.sum();
  return sum;
}

Energy EnergyAccount::dynamic() const {
  Energy sum;
  for (const BlockEnergy& block : blocks) sum += block.dynamic;
  return sum;
}

double EnergyAccount::static_share() const {
  const double all = total().nj;
  return all == 0 ? 0 : 1 - dynamic().nj / all;
}

EnergyAccount energy_of_gpu(const EnergyTable& table, const MetricLookup& count, std::uint64_t cycles,
                            const GpuConfig& config) {
  Accounting accounting(table, cycles, config);
  accounting.add_events(count, false);
  accounting.add_power(config.core.sms, false);
  return accounting.take();
}

EnergyAccount energy_of_sm(const EnergyTable& table, const MetricLookup& count, std::uint64_t cycles,
                           const GpuConfig& config) {
  Accounting accounting(table, cycles, config);
  accounting.add_events(count, true);
  accounting.add_power(1, true);
  return accounting.take();
}

MetricLookup all_counts(const StatRegistry& registry, const StatValues& values) {
  const auto totals = std::make_shared<TotalView>(registry, values);
  return [totals](const std::string& name) -> std::optional<std::uint64_t> {
    if (!totals->has(name)) return std::nullopt;
    return totals->count(name);
  };
}

MetricLookup counts_of_sm(const StatRegistry& registry, const StatValues& values, unsigned sm) {
  const auto counts = std::make_shared<std::map<std::string, std::uint64_t>>();
  const std::string scope = "sm" + std::to_string(sm);
  for (const Metric& metric : registry.metrics()) {
    const bool inside = metric.scope == scope || metric.scope.rfind(scope + ".", 0) == 0;
    if (!inside || !metric.is_count) continue;
    (*counts)[kind_of_scope(metric.scope) + "." + metric.name] += values.counts[metric.index];
  }
  return [counts](const std::string& name) -> std::optional<std::uint64_t> {
    const auto found = counts->find(name);
    if (found == counts->end()) return std::nullopt;
    return found->second;
  };
}

}  // namespace heddle
