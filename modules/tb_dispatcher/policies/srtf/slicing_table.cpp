#include "modules/tb_dispatcher/policies/srtf/slicing_table.h"

#include <algorithm>

namespace heddle {

namespace {

hw::CounterArrayShape counters(unsigned entries, unsigned bits, unsigned adders, unsigned amount_bits = 0) {
  hw::CounterArrayShape shape;
  shape.entries = entries;
  shape.bits = bits;
  shape.overflow = hw::Overflow::kSaturate;
  shape.adders = adders;
  shape.amount_bits = amount_bits;
  return shape;
}

unsigned bits_for(unsigned count) {
  unsigned bits = 1;
  while (count >> bits != 0) ++bits;
  return bits;
}

/// The fewer bits multiply, the fewer steps it takes: t x blocks left.
hw::RatioUnitShape ratio(unsigned residency_bits) {
  hw::RatioUnitShape shape;
  shape.factor_bits = SlicingTable::kCycleBits;
  shape.multiplier_bits = SlicingTable::kBlockBits;
  shape.divisor_bits = residency_bits;
  shape.result_bits = SlicingTable::kCycleBits;
  return shape;
}

hw::AdderShape saturating_adder() {
  hw::AdderShape shape;
  shape.bits = SlicingTable::kCycleBits;
  shape.overflow = hw::Overflow::kSaturate;
  return shape;
}

hw::ComparatorShape cycle_comparator() {
  hw::ComparatorShape shape;
  shape.bits = SlicingTable::kCycleBits;
  return shape;
}

}  // namespace

SlicingTable::SlicingTable(const hw::Owner& owner, unsigned kernels, unsigned tb_slots, bool slices)
    : active_cycles_(owner, "active_kernel_cycles", counters(kernels, kCycleBits, 1), hw::PaperCount::kBits),
      done_blocks_(owner, "done_blocks", counters(kernels, kBlockBits, 1, 1), hw::PaperCount::kBits),
      total_blocks_(owner, "total_blocks", counters(kernels, kBlockBits, 0), hw::PaperCount::kBits),
      resident_blocks_(owner, "resident_blocks", counters(kernels, bits_for(tb_slots), 0),
                       hw::PaperCount::kBits),
      block_start_(owner, "block_start", counters(tb_slots, kCycleBits, 0), hw::PaperCount::kBits),
      t_(owner, "t", counters(kernels, kCycleBits, 0), hw::PaperCount::kBits),
      predicted_(owner, "pred_cycles", counters(kernels, kCycleBits, 0), hw::PaperCount::kBits),
      total_blocks_done_(owner, "total_blocks_done", counters(kernels, kBlockBits, 0), hw::PaperCount::kBits),
      reslice_(owner, "reslice", kernels, hw::PaperCount::kBits),
      remaining_(owner, "remaining_cycles", counters(kernels, kCycleBits, 0)),
      ratio_(owner, "blocks_times_t_over_residency", ratio(bits_for(tb_slots))),
      adder_(owner, "prediction_adder", saturating_adder()),
      order_(owner, "order_comparator", cycle_comparator()),
      slices_(slices),
      running_(kernels),
      counted_until_(kernels) {}

void SlicingTable::launch(std::uint64_t cycle, unsigned kernel, unsigned residency,
                          std::uint64_t blocks_per_sm) {
  active_cycles_.write(cycle, kernel, 0);
  done_blocks_.write(cycle, kernel, 0);
  total_blocks_done_.write(cycle, kernel, 0);
  total_blocks_.write(cycle, kernel, blocks_per_sm);
  resident_blocks_.write(cycle, kernel, residency);
  t_.write(cycle, kernel, 0);
  predicted_.write(cycle, kernel, 0);
  remaining_.write(cycle, kernel, 0);
  if (!slices_) reslice_.set_bits(std::uint64_t{1} << kernel);
  running_[kernel] = 0;
  counted_until_[kernel] = cycle;
}

void SlicingTable::block_start(std::uint64_t cycle, unsigned kernel, TbSlot tb_slot) {
  count_active(cycle, kernel);
  ++running_[kernel];
  block_start_.write(cycle, tb_slot.value(), cycle);
}

bool SlicingTable::block_end(std::uint64_t cycle, unsigned kernel, TbSlot tb_slot) {
  count_active(cycle, kernel);
  --running_[kernel];
  done_blocks_.add(cycle, kernel, 1);
  const bool first_of_slice = reslice_.test(kernel);
  if (!first_of_slice && !slices_) return false;
  if (first_of_slice)
    t_.write(cycle, kernel, std::max<std::uint64_t>(cycle - block_start_.value(tb_slot.value()), 1));
  predict(cycle, kernel);
  reslice_.clear_bits(std::uint64_t{1} << kernel);
  return true;
}

void SlicingTable::adopt(std::uint64_t cycle, unsigned kernel, std::uint64_t tb_cycles) {
  count_active(cycle, kernel);
  t_.write(cycle, kernel, tb_cycles);
  predict(cycle, kernel);
}

std::uint64_t SlicingTable::blocks_left(unsigned kernel) const {
  const std::uint64_t total = total_blocks_.value(kernel);
  return total - std::min(total, done_blocks_.value(kernel));
}

void SlicingTable::count_active(std::uint64_t cycle, unsigned kernel) {
  if (running_[kernel] != 0) active_cycles_.add(cycle, kernel, cycle - counted_until_[kernel]);
  counted_until_[kernel] = cycle;
}

void SlicingTable::trace(WaveSink& sink) const {
  predicted_.trace(sink);
  total_blocks_done_.trace(sink);
}

void SlicingTable::predict(std::uint64_t cycle, unsigned kernel) {
  const std::uint64_t remaining =
      ratio_.multiply_divide(cycle, t_.value(kernel), blocks_left(kernel), resident_blocks_.value(kernel));
  remaining_.write(cycle, kernel, remaining);
  predicted_.write(cycle, kernel, adder_.add(cycle, active_cycles_.value(kernel), remaining));
}

}  // namespace heddle
