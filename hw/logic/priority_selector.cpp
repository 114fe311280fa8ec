#include "hw/logic/priority_selector.h"

#include "hw/pricing/bits.h"
#include "hw/pricing/gates.h"

namespace heddle::hw {

PrioritySelector::PrioritySelector(const Owner& owner, std::string_view name, unsigned inputs,
                                   SelectorForm form)
    : Part(owner, name, PaperCount::kNot), inputs_(inputs), form_(form) {
  expect_range("inputs", inputs, 1, 64);
  set_cycles(operation_cycles(0, structure().path));
}

Structure PrioritySelector::structure() const {
  Structure row;
  row.selector_inputs = inputs_;
  row.cycles_per_operation = cycles();
  switch (form_) {
    case SelectorForm::kFixed:
      row.kind = "fixed priority selector";
      row.area.selection = gates::find_first(inputs_);
      break;
    case SelectorForm::kRotating:
      // Two fixed selectors, one behind a mask of the inputs at and above the start.
      row.kind = "rotating selector";
      row.area.selection = 2 * gates::find_first(inputs_) + gates::gate_row(2.0 * inputs_);
      row.path.through("start mask", gates::one_hot_mux_fo4(inputs_) / 2);
      break;
    case SelectorForm::kOrdered:
      // For each position of the order the request of its entry; the first position; the entry at that
      // position.
      row.kind = "ordered selector";
      row.area.selection = inputs_ * gates::mux(inputs_, 1) + gates::find_first(inputs_) +
                           gates::mux(inputs_, index_bits(inputs_));
      row.path.through("request multiplexers", gates::mux_fo4(inputs_, 1));
      break;
  }
  row.path.through("first request, encoded", gates::find_first_fo4(inputs_));
  return row;
}

}  // namespace heddle::hw
