#include "modules/warp_scheduler/policies/oaws/room.h"

#include <algorithm>

namespace heddle {

namespace {

/// Loads that can be between their issue and the L1D's exit: in the operand collector, in the LD/ST unit, one
/// access each in the L1D's pipe, and on both sides of it.
unsigned loads_under_way(const GpuConfig& gpu) {
  return gpu.operand_collector.mem_issue_slots + gpu.operand_collector.mem_units +
         gpu.ldst.l1_latency_cycles + 4;
}

/// A decision that is a few cycles late lets a load or two more go than there is room for.
unsigned in_flight_bits(const GpuConfig& gpu) { return hw::index_bits(2 * gpu.l1d.mshr.entries + 1); }

}  // namespace

// OAWS 4.4 gives the two registers 5 bits. All 32 entries can be free, which takes 6.
MshrForecast::MshrForecast(const hw::Owner& owner, const GpuConfig& gpu, unsigned need_bits)
    : available_(owner, "available",
                 {hw::index_bits(gpu.l1d.mshr.entries + 1), hw::Overflow::kSaturate, gpu.l1d.mshr.entries}),
      in_flight_(owner, "in_flight", {in_flight_bits(gpu), hw::Overflow::kSaturate}),
      most_in_flight_(hw::low_bits(in_flight_bits(gpu))),
      in_flight_adders_(owner, "in_flight_adders", {in_flight_bits(gpu), hw::Overflow::kSaturate, 2}),
      room_(owner, "room", {in_flight_bits(gpu), hw::Overflow::kSaturate}),
      compare_(owner, "compare", {hw::index_bits(gpu.l1d.mshr.entries + 1), gpu.core.warps}),
      carried_(owner, "carried",
               {std::min(loads_under_way(gpu), 1024U), need_bits, hw::Overflow::kSaturate, 1,
                gpu.operand_collector.mem_issue_slots, 0, false, 0}) {
  for (const char* part : {"available", "in_flight"}) {
    owner.note(part, "one of the five registers that the paper names beside its bytes");
  }
  owner.note(
      "carried",
      "the predictions that loads take along, to be taken off the misses in flight when they have left "
      "the L1D; the paper does not say where they are");
  for (unsigned i = carried_.entries(); i != 0; --i) free_entries_.push_back(i - 1);
  loads_.reserve(carried_.entries());
}

/// A load that this policy's qualifier was not asked about, that of another stream for one, may find no place
/// for its prediction, or more predictions in flight than their register holds: it is not followed, so that
/// what leaves never takes off more than was put on.
void MshrForecast::issued(hw::Cycle cycle, std::uint64_t id, unsigned need) {
  if (!can_follow() || in_flight_.value() + plus_ + need > most_in_flight_) return;
  const unsigned entry = free_entries_.back();
  free_entries_.pop_back();
  carried_.write(cycle, entry, need);
  loads_.push_back({id, entry});
  plus_ += need;
}

unsigned MshrForecast::left(std::uint64_t id) {
  const auto load = std::find_if(loads_.begin(), loads_.end(), [id](const Load& l) { return l.id == id; });
  if (load == loads_.end()) return 0;
  const auto need = static_cast<unsigned>(carried_.value(load->entry));
  free_entries_.push_back(load->entry);
  loads_.erase(load);
  minus_ += need;
  return need;
}

unsigned MshrForecast::number_of(std::uint64_t id) const {
  for (const Load& load : loads_) {
    if (load.id == id) return load.entry;
  }
  return kNoLoad;
}

void MshrForecast::add_up(hw::Cycle cycle) {
  const std::uint64_t sum = in_flight_adders_.add(cycle, in_flight_.value(), plus_);
  in_flight_.write(cycle, in_flight_adders_.subtract(cycle, sum, minus_));
  plus_ = 0;
  minus_ = 0;
}

unsigned MshrForecast::room(hw::Cycle cycle) {
  // Taken entries of loads whose other accesses are still to come count twice, so that this may fall below 0.
  return static_cast<unsigned>(room_.subtract(cycle, available_.value(), in_flight_.value() + plus_));
}

void MshrForecast::trace(WaveSink& sink) const {
  available_.trace(sink);
  in_flight_.trace(sink);
}

}  // namespace heddle
