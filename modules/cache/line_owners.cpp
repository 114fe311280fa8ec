#include "modules/cache/line_owners.h"

#include "hw/pricing/bits.h"

namespace heddle {

namespace {

unsigned lines_of(const CacheConfig& cache) { return cache.sets * cache.ways; }

hw::TableShape table_shape(const LineOwnersShape& shape) {
  hw::TableShape table = hw::TableShape::direct(shape.lines, {{"warp", hw::index_bits(shape.warps + 1)}});
  if (shape.sms > 1) table.fields.push_back({"sm", hw::index_bits(shape.sms)});
  table.read_ports = shape.readers;
  table.storage = hw::StorageKind::kRam;
  return table;
}

hw::ComparatorShape comparator_shape(const LineOwnersShape& shape) {
  hw::ComparatorShape comparator;
  comparator.bits = hw::index_bits(shape.warps + 1) + (shape.sms > 1 ? hw::index_bits(shape.sms) : 0);
  comparator.equality = true;
  return comparator;
}

}  // namespace

// A hit reads a line's owner, and a fill or a reservation that of the line that it evicts. Schedulers compare
// it themselves.
LineOwnersShape LineOwnersShape::of_l1d(const GpuConfig& gpu) {
  return {lines_of(gpu.l1d.cache), gpu.core.warps, 1, 2, false};
}

LineOwnersShape LineOwnersShape::of_l2(const GpuConfig& gpu) {
  return {lines_of(gpu.l2.cache), gpu.core.warps, gpu.core.sms, 1, true};
}

LineOwners::LineOwners(const hw::Owner& owner, const LineOwnersShape& shape)
    : nobody_(shape.warps), keeps_sm_(shape.sms > 1), table_(owner, "line_owner", table_shape(shape)) {
  if (shape.compares) same_.emplace(owner, "same_owner", comparator_shape(shape));
  owner.note("line_owner", "a field beside the tags of the cache");
}

void LineOwners::note(hw::Cycle cycle, LineIndex line, SmId sm, WarpSlot warp) {
  table_.write(cycle, line.value(), kWarp, warp.value());
  if (keeps_sm_) table_.write(cycle, line.value(), kSm, sm.value());
}

void LineOwners::note_nobody(hw::Cycle cycle, LineIndex line) {
  table_.write(cycle, line.value(), kWarp, nobody_);
}

LineOrigin LineOwners::origin(hw::Cycle cycle, LineIndex line, SmId sm, WarpSlot warp) {
  const std::uint64_t by = table_.read(cycle, line.value(), kWarp);
  if (by == nobody_) return LineOrigin::kNobody;
  const std::uint64_t by_sm = keeps_sm_ ? table_.read(cycle, line.value(), kSm) : 0;
  const std::uint64_t asks_sm = keeps_sm_ ? sm.value() : 0;
  const unsigned warp_bits = hw::index_bits(nobody_ + 1);
  if (same_->equal(cycle, by_sm << warp_bits | by, asks_sm << warp_bits | warp.value())) {
    return LineOrigin::kSameWarp;
  }
  return by_sm == asks_sm ? LineOrigin::kSameSm : LineOrigin::kOtherSm;
}

}  // namespace heddle
