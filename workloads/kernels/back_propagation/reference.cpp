#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void back_propagation(ReferenceMemory& memory);

void back_propagation(ReferenceMemory& memory) {
  constexpr std::size_t kHidden = 16;
  constexpr double kRate = double{0.3F};
  constexpr double kMomentum = double{0.3F};
  const auto inputs = memory.view<float>("inputs");
  const auto weights = memory.view<float>("weights");
  const auto last_changes = memory.view<float>("last_changes");
  const auto deltas = memory.view<float>("deltas");
  const auto tree = memory.view<float>("tree");
  const auto partial_sums = memory.view<float>("partial_sums");
  const std::size_t tbs = partial_sums.size / kHidden;
  const auto at = [](std::size_t row, std::size_t column) { return row * (kHidden + 1) + column; };

  for (std::size_t tb = 0; tb < tbs; ++tb) {
    for (std::size_t hidden = 1; hidden <= kHidden; ++hidden) {
      for (std::size_t first = 0; first < kHidden; ++first) {
        // Row `first` of the tree holds the sum of as many rows as the largest power of two that divides it,
        // of 16 at most.
        std::size_t rows = 1;
        while (rows < kHidden && first % (2 * rows) == 0) rows *= 2;
        double sum = 0;
        for (std::size_t i = 0; i < rows; ++i) {
          const std::size_t row = tb * kHidden + first + i + 1;
          sum += double{inputs[row]} * weights[at(row, hidden)];
        }
        tree[at(tb * kHidden + first + 1, hidden)] = static_cast<float>(sum);
        if (first == 0) partial_sums[tb * kHidden + hidden - 1] = static_cast<float>(sum);
      }
    }
  }
  for (std::size_t row = 0; row <= tbs * kHidden; ++row) {
    for (std::size_t hidden = 1; hidden <= kHidden; ++hidden) {
      const double input = row == 0 ? 1.0 : double{inputs[row]};
      const double change = kRate * deltas[hidden] * input + kMomentum * last_changes[at(row, hidden)];
      weights[at(row, hidden)] = static_cast<float>(weights[at(row, hidden)] + change);
      last_changes[at(row, hidden)] = static_cast<float>(change);
    }
  }
}

}  // namespace heddle::references
