#include "modules/warp_scheduler/policies/ipaws/kernel_ends.h"

#include "modules/warp_scheduler/policies/basic/least_issued_order.h"

namespace heddle {

namespace {

hw::CounterArrayShape end_counters() {
  hw::CounterArrayShape shape;
  shape.entries = 2;
  shape.bits = LeastIssuedOrder::kCounterBits;
  shape.read_ports = 0;
  shape.write_ports = 0;
  shape.adders = 0;
  shape.clear = true;
  shape.amount_bits = 1;
  shape.counts_in_place = true;
  return shape;
}

}  // namespace

KernelEnds::KernelEnds(const hw::Owner& owner, const GpuConfig& gpu)
    : oldest_(owner, "oldest", gpu.core.warps),
      newest_(owner, "newest", gpu.core.warps),
      first_(owner, "first_of_start", gpu.core.warps, hw::SelectorForm::kFixed),
      last_(owner, "last_of_start", gpu.core.warps, hw::SelectorForm::kFixed),
      issued_(owner, "issued_by_ends", end_counters()),
      comparator_(owner, "caught_up", {LeastIssuedOrder::kCounterBits, 1, 1, false}) {
  for (const char* part : {"oldest", "newest", "issued_by_ends"}) {
    owner.note(
        part, "between which the Recover phase evens out; the paper takes them from its one set of counters");
  }
}

void KernelEnds::begin() {
  oldest_.load(0);
  newest_.load(0);
  issued_.clear();
}

void KernelEnds::start(std::uint64_t cycle, unsigned warp) {
  const WarpMask bit = warp_bit(warp);
  if (oldest() == 0 || (changed_at_[kOldest] == cycle && bit < oldest())) {
    first_.select(bit);
    oldest_.load(bit);
    changed_at_[kOldest] = cycle;
  }
  if (changed_at_[kNewest] == cycle && bit < newest_.value()) return;
  last_.select(bit);
  newest_.load(bit);
  issued_.clear(kNewest);
  changed_at_[kNewest] = cycle;
}

void KernelEnds::issued(unsigned warp, bool watched) {
  if (watched && oldest_.test(warp)) issued_.count(kOldest);
  if (newest_.test(warp)) issued_.count(kNewest);
}

void KernelEnds::finished(unsigned warp) {
  if (newest_.test(warp)) newest_.load(0);
}

bool KernelEnds::caught_up(std::uint64_t cycle) {
  return newest_.value() == 0 || !comparator_.less(cycle, issued_.value(kNewest), issued_.value(kOldest));
}

void KernelEnds::trace(WaveSink& sink) const {
  oldest_.trace(sink);
  newest_.trace(sink);
  issued_.trace(sink);
}

}  // namespace heddle
