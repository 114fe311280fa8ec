#include "hw/logic/priority_selector.h"

#include "hw/pricing/bits.h"
#include "hw/pricing/gates.h"

namespace heddle::hw {

PrioritySelector::PrioritySelector(const Owner& owner, std::string_view name, unsigned inputs,
                                   SelectorForm form, unsigned passed_over)
    : Part(owner, name, PaperCount::kNot), inputs_(inputs), form_(form), passed_over_(passed_over) {
  expect_range("inputs", inputs, 1, 64);
  expect_range("passed_over", passed_over, 0, inputs);
  set_cycles(operation_cycles(0, structure().path));
}

/// Who comes before the first request: find-first knows it by place, so that a gate masks each one. One that
/// rotates has two of them, of which one counts: a 2-to-1 multiplexer and a mask before and behind it, but
/// for the first input. In an order the places are to be led back to the entries, by a decoder per place and
/// an AND-OR per entry.
double PrioritySelector::passing_over() const {
  switch (form_) {
    case SelectorForm::kFixed:
      return gates::gate_row(passed_over_);
    case SelectorForm::kRotating:
      return gates::one_hot_mux(2, passed_over_ - 1) + gates::gate_row(passed_over_ - 1);
    case SelectorForm::kOrdered:
      return inputs_ * gates::decoder(passed_over_) + passed_over_ * gates::one_hot_mux(inputs_, 1);
  }
  return 0;
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
      row.area.selection = 2 * gates::find_first(inputs_) + gates::gate_row(2.0 * (inputs_ - 1));
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
  if (passed_over_ != 0) row.area.selection += passing_over();
  // The order's multiplexer is behind the encoded place.
  const Depth entry = form_ == SelectorForm::kOrdered ? sized_only(gates::one_hot_mux_fo4(inputs_)) : Depth();
  row.path.through("first request, encoded", gates::find_first_fo4(inputs_) + entry);
  // Two finds are brought together before the last mask.
  if (passed_over_ != 0 && form_ == SelectorForm::kRotating)
    row.path.through("who was passed over", gates::kGateFo4);
  return row;
}

}  // namespace heddle::hw
