#include "hw/logic/multiplexer.h"

#include "hw/pricing/gates.h"

namespace heddle::hw {

Multiplexer::Multiplexer(const Owner& owner, std::string_view name, const MultiplexerShape& shape)
    : Part(owner, name, PaperCount::kNot), shape_(shape), ports_(shape.count, 1, hardware()) {
  expect_range("inputs", shape.inputs, 1, 1024);
  expect_range("bits", shape.bits, 1, 1024);
  expect_range("count", shape.count, 1, 64);
  set_cycles(operation_cycles(0, structure().path));
}

Structure Multiplexer::structure() const {
  Structure row;
  row.kind = "multiplexer";
  row.read_ports = shape_.count;
  row.selector_inputs = shape_.inputs;
  row.cycles_per_operation = cycles();
  if (shape_.one_hot) {
    row.area.read_muxes = shape_.count * gates::one_hot_mux(shape_.inputs, shape_.bits);
    row.path.through("lines", gates::fan_out_fo4(shape_.bits))
        .through("one-hot multiplexer", gates::one_hot_mux_fo4(shape_.inputs));
    return row;
  }
  row.area.read_muxes = shape_.count * gates::mux(shape_.inputs, shape_.bits);
  row.path.through("read multiplexer", gates::mux_fo4(shape_.inputs, shape_.bits));
  return row;
}

}  // namespace heddle::hw
