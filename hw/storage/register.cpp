#include "hw/storage/register.h"

#include "hw/pricing/gates.h"

namespace heddle::hw {

Register::Register(const Owner& owner, std::string_view name, const RegisterShape& shape, PaperCount paper)
    : Part(owner, name, paper), value_(shape.reset), shape_(shape), write_port_(1, 1, hardware()) {
  expect_range("bits", shape.bits, 1, 64);
  expect_range("reset", shape.reset, 0, low_bits(shape.bits));
  set_cycles(operation_cycles(1, {}));
}

Structure Register::structure() const {
  Structure row;
  row.kind = "register";
  row.storage = StorageKind::kFlipFlops;
  row.entries = 1;
  row.bits_per_entry = shape_.bits;
  row.write_ports = 1;
  row.cycles_per_operation = cycles();
  row.area.storage = gates::flip_flops(shape_.bits);
  row.area.writes = gates::write_ports(1, shape_.bits, 1);
  row.path.through("enable", gates::enable_fo4() + sized_only(gates::fan_out_fo4(shape_.bits)));
  return row;
}

void Register::trace(WaveSink& sink) const { sink.signal(value_, shape_.bits, name()); }

}  // namespace heddle::hw
