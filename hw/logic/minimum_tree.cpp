#include "hw/logic/minimum_tree.h"

#include "hw/pricing/gates.h"

namespace heddle::hw {

MinimumTree::MinimumTree(const Owner& owner, std::string_view name, const MinimumTreeShape& shape)
    : Part(owner, name, PaperCount::kNot),
      shape_(shape),
      key_mask_(low_bits(shape.bits)),
      trees_(shape.count, 1, hardware()) {
  expect_range("inputs", shape.inputs, 1, 64);
  expect_range("bits", shape.bits, 1, 64);
  expect_range("count", shape.count, 1, 64);
  set_cycles(operation_cycles(0, structure().path));
}

unsigned MinimumTree::least(Cycle cycle, std::uint64_t valid, const std::uint64_t* keys) {
  if (valid == 0) return kNoInput;
  use(trees_, cycle, "trees");
  auto found = static_cast<unsigned>(__builtin_ctzll(valid));
  for (std::uint64_t left = valid & (valid - 1); left != 0; left &= left - 1) {
    const auto input = static_cast<unsigned>(__builtin_ctzll(left));
    ++activity_.compares;
    if ((keys[input] & key_mask_) < (keys[found] & key_mask_)) found = input;
  }
  return found;
}

Structure MinimumTree::structure() const {
  constexpr double kValidGates = 3;  // one is there; the second is taken: it is there, and less or alone
  const Depth taken = sized_only(2 * gates::kGateFo4);  // there, and less or alone
  Structure row;
  row.kind = "minimum tree";
  row.comparators = shape_.count * (shape_.inputs - 1);
  row.comparator_bits = shape_.bits;
  row.selector_inputs = shape_.inputs;
  row.cycles_per_operation = cycles();
  double nodes_area = 0;  // of one tree; an access is a comparison, of which a node makes one
  unsigned index_width = 0;
  for (unsigned left = shape_.inputs; left > 1; left = (left + 1) / 2, ++index_width) {
    const unsigned nodes = left / 2;  // an odd one passes
    nodes_area += nodes * (gates::comparator(shape_.bits) + gates::mux(2, shape_.bits + index_width) +
                           gates::gate_row(kValidGates));
    row.path.through("comparator", gates::comparator_fo4(shape_.bits))
        .through("key multiplexer", taken + gates::mux_fo4(2, shape_.bits));
  }
  row.area.comparators = shape_.count * nodes_area;
  return row;
}

}  // namespace heddle::hw
