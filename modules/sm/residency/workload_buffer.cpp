#include "modules/sm/residency/workload_buffer.h"

#include "hw/pricing/bits.h"

namespace heddle {

namespace {

hw::RegisterShape of_bits(unsigned bits) {
  hw::RegisterShape shape;
  shape.bits = bits;
  return shape;
}

}  // namespace

WorkloadBuffer::WorkloadBuffer(const hw::Owner& owner, unsigned tb_slots)
    : tb_slot_(owner, "p_tb_id", of_bits(hw::index_bits(tb_slots)), hw::PaperCount::kBits),
      tb_(owner, "l_tb_id", of_bits(kTbBits), hw::PaperCount::kBits),
      start_(owner, "start_wid", of_bits(kWarpBits), hw::PaperCount::kBits),
      end_(owner, "end_wid", of_bits(kWarpBits), hw::PaperCount::kBits),
      valid_(owner, "valid", of_bits(1), hw::PaperCount::kBits) {}

void WorkloadBuffer::store(std::uint64_t cycle, TbSlot tb_slot, std::uint64_t tb, WarpInTb first_warp,
                           WarpInTb last_warp) {
  tb_slot_.write(cycle, tb_slot.value());
  tb_.write(cycle, tb);
  start_.write(cycle, first_warp.value());
  end_.write(cycle, last_warp.value());
  valid_.write(cycle, 1);
}

WarpInTb WorkloadBuffer::issue(std::uint64_t cycle) {
  const WarpInTb warp = first_warp();
  if (warp == last_warp()) {
    valid_.write(cycle, 0);
  } else {
    start_.write(cycle, warp.value() + 1);
  }
  return warp;
}

void WorkloadBuffer::trace(WaveSink& sink) const {
  tb_slot_.trace(sink);
  tb_.trace(sink);
  start_.trace(sink);
  end_.trace(sink);
  valid_.trace(sink);
}

}  // namespace heddle
