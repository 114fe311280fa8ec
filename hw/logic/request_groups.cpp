#include "hw/logic/request_groups.h"

#include "hw/pricing/gates.h"

namespace heddle::hw {

RequestGroups::RequestGroups(const Owner& owner, std::string_view name, const RequestGroupsShape& shape)
    : Part(owner, name, PaperCount::kNot), shape_(shape) {
  expect_range("groups", shape.groups, 1, 64);
  expect_range("inputs", shape.inputs, 1, 64);
  set_cycles(operation_cycles(0, structure().path));
}

Structure RequestGroups::structure() const {
  Structure row;
  row.kind = "request groups";
  row.selector_inputs = shape_.inputs;
  row.cycles_per_operation = cycles();
  row.area.selection = shape_.wired ? shape_.groups * gates::gate_row(shape_.inputs - 1.0)
                                    : shape_.groups * gates::one_hot_mux(shape_.inputs, 1);
  row.path.through("groups with a request", gates::any_masked_fo4(shape_.inputs));
  return row;
}

}  // namespace heddle::hw
