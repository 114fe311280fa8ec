#include "modules/tb_dispatcher/policies/srtf/slicing_table.h"

#include <algorithm>

namespace heddle {

SlicingTable::SlicingTable(const hw::Owner& owner, unsigned kernels, unsigned tb_slots, bool slices)
    : parts_(owner, kernels, tb_slots), slices_(slices), running_(kernels), counted_until_(kernels) {}

void SlicingTable::launch(std::uint64_t cycle, unsigned kernel, unsigned residency,
                          std::uint64_t blocks_per_sm) {
  parts_.active_cycles.clear(kernel);
  parts_.done_blocks.clear(kernel);
  parts_.total_blocks_done->write(cycle, kernel, 0);
  parts_.total_blocks.write(cycle, kernel, blocks_per_sm);
  parts_.resident_blocks.write(cycle, kernel, residency);
  parts_.t.write(cycle, kernel, 0);
  parts_.predicted.write(cycle, kernel, 0);
  parts_.remaining.write(cycle, kernel, 0);
  if (!slices_) parts_.reslice.set_bits(std::uint64_t{1} << kernel);
  running_[kernel] = 0;
  counted_until_[kernel] = cycle;
}

void SlicingTable::block_start(std::uint64_t cycle, unsigned kernel, TbSlot tb_slot) {
  count_active(cycle, kernel);
  ++running_[kernel];
  parts_.block_start.write(cycle, tb_slot.value(), cycle);
}

bool SlicingTable::block_end(std::uint64_t cycle, unsigned kernel, TbSlot tb_slot) {
  count_active(cycle, kernel);
  --running_[kernel];
  parts_.done_blocks.count(kernel);
  const bool first_of_slice = parts_.reslice.test(kernel);
  if (!first_of_slice && !slices_) return false;
  if (first_of_slice)
    parts_.t.write(cycle, kernel,
                   std::max<std::uint64_t>(
                       parts_.duration.subtract(cycle, cycle, parts_.block_start.value(tb_slot.value())), 1));
  predict(cycle, kernel);
  parts_.reslice.clear_bits(std::uint64_t{1} << kernel);
  return true;
}

void SlicingTable::adopt(std::uint64_t cycle, unsigned kernel, std::uint64_t tb_cycles) {
  count_active(cycle, kernel);
  parts_.t.write(cycle, kernel, tb_cycles);
  predict(cycle, kernel);
}

std::uint64_t SlicingTable::blocks_left(unsigned kernel) const {
  const std::uint64_t total = parts_.total_blocks.value(kernel);
  return total - std::min(total, parts_.done_blocks.value(kernel));
}

void SlicingTable::count_active(std::uint64_t cycle, unsigned kernel) {
  if (running_[kernel] != 0) parts_.active_cycles.count(kernel, 1, cycle - counted_until_[kernel]);
  counted_until_[kernel] = cycle;
}

void SlicingTable::trace(WaveSink& sink) const {
  parts_.predicted.trace(sink);
  parts_.total_blocks_done->trace(sink);
}

void SlicingTable::predict(std::uint64_t cycle, unsigned kernel) {
  const std::uint64_t remaining = parts_.ratio.multiply_divide(
      cycle, parts_.t.value(kernel), blocks_left(kernel), parts_.resident_blocks.value(kernel));
  parts_.remaining.write(cycle, kernel, remaining);
  parts_.predicted.write(cycle, kernel,
                         parts_.adder.add(cycle, parts_.active_cycles.value(kernel), remaining));
}

}  // namespace heddle
