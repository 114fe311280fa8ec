#include "modules/warp_scheduler/policies/ipaws/decisions.h"

#include <algorithm>

#include "hw/pricing/bits.h"

namespace heddle {

namespace {

unsigned decision_sets(const GpuConfig& gpu) {
  unsigned sets = 1;
  while (sets < gpu.tb_dispatcher.max_kernels) sets *= 2;
  return sets;
}

/// A TB's kernel and a verdict's are looked up in one cycle.
hw::TableShape decision_shape(unsigned sets) {
  unsigned tag_bits = kIpawsLaunchBits;
  for (unsigned left = sets; left > 1; left /= 2) --tag_bits;
  hw::TableShape result = hw::TableShape::direct(sets, {{"convex", 1, hw::Overflow::kWrap}}, tag_bits);
  result.lookup_ports = 2;
  return result;
}

}  // namespace

IpawsDecisions::IpawsDecisions(const hw::Owner& owner, const GpuConfig& gpu)
    : hardware_(owner.timing == hw::Timing::kHardware),
      sets_(decision_sets(gpu)),
      table_(owner, "decisions", decision_shape(decision_sets(gpu))) {
  owner.note("decisions",
             "what was decided about kernels that the SM has not come to, of which the paper says nothing");
  recent_.reserve(kDecisions);
}

std::uint64_t IpawsDecisions::tag_of(std::uint64_t launch) const {
  return (launch & hw::low_bits(kIpawsLaunchBits)) / sets_;
}

std::optional<bool> IpawsDecisions::recent(std::uint64_t launch) const {
  const auto found = std::find_if(recent_.begin(), recent_.end(),
                                  [launch](const Decision& decision) { return decision.launch == launch; });
  if (found == recent_.end()) return std::nullopt;
  return found->convex;
}

std::optional<bool> IpawsDecisions::about(std::uint64_t launch) const {
  if (!hardware_) return recent(launch);
  const unsigned line = set_of(launch);
  if (!table_.valid(line) || table_.tag(line) != tag_of(launch)) return std::nullopt;
  return table_.value(line, 0) != 0;
}

std::optional<bool> IpawsDecisions::look_up(std::uint64_t cycle, std::uint64_t launch) {
  if (hardware_) table_.lookup(cycle, set_of(launch), tag_of(launch));
  return about(launch);
}

void IpawsDecisions::remember(std::uint64_t cycle, std::uint64_t launch, bool convex) {
  if (!hardware_) {
    if (recent_.size() == kDecisions) recent_.erase(recent_.begin());
    recent_.push_back({launch, convex});
    return;
  }
  const unsigned line = table_.insert(cycle, set_of(launch), tag_of(launch));
  table_.write(cycle, line, 0, convex ? 1 : 0);
}

}  // namespace heddle
