#include "modules/tb_dispatcher/resources/warp_limit.h"

#include <algorithm>

namespace heddle {

namespace {

/// Counts 0 to `most`.
unsigned count_bits(unsigned most) { return hw::index_bits(most + 1); }

unsigned warp_bits(const CoreConfig& core) {
  return count_bits(std::max(core.warps, core.resources.contention_warps));
}

hw::CounterArrayShape counter(unsigned bits) {
  hw::CounterArrayShape shape;
  shape.entries = 1;
  shape.bits = bits;
  shape.read_ports = 0;
  shape.write_ports = 0;
  shape.amount_bits = 1;
  return shape;
}

hw::AdderShape subtractor(unsigned bits) {
  hw::AdderShape shape;
  shape.bits = bits;
  shape.overflow = hw::Overflow::kSaturate;
  return shape;
}

hw::ComparatorShape comparator(unsigned bits, bool equality) {
  hw::ComparatorShape shape;
  shape.bits = bits;
  shape.equality = equality;
  return shape;
}

hw::Owner in_ideal_timing(hw::Owner hardware) {
  hardware.timing = hw::Timing::kIdeal;
  return hardware;
}

}  // namespace

WarpLimit::WarpLimit(const CoreConfig& core, const hw::Owner& hardware)
    : limit_(core.resources.contention_warps),
      one_tb_(core.tb_slots - 1),
      running_(in_ideal_timing(hardware), "running", counter(warp_bits(core))),
      below_limit_(in_ideal_timing(hardware), "below_limit", subtractor(warp_bits(core))),
      fewer_(in_ideal_timing(hardware), "fewer", comparator(warp_bits(core), false)),
      alone_(in_ideal_timing(hardware), "alone", comparator(count_bits(core.tb_slots), true)) {
  hardware.note("running", "the paper names no hardware of its threshold");
}

unsigned WarpLimit::below_limit() {
  return static_cast<unsigned>(below_limit_.subtract(kAnyCycle, limit_, running_.value(0)));
}

unsigned WarpLimit::allowed(unsigned warps) {
  const unsigned below = below_limit();
  return fewer_.less(kAnyCycle, warps, below) ? warps : below;
}

bool WarpLimit::lets_next_start(unsigned free_tb_slots) {
  return below_limit() != 0 || alone_.equal(kAnyCycle, free_tb_slots, one_tb_);
}

}  // namespace heddle
