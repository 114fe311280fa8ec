#include "hw/logic/population_count.h"

#include "hw/pricing/bits.h"
#include "hw/pricing/gates.h"

namespace heddle::hw {

PopulationCount::PopulationCount(const Owner& owner, std::string_view name, unsigned inputs, unsigned count)
    : Part(owner, name, PaperCount::kNot), inputs_(inputs), count_(count) {
  expect_range("inputs", inputs, 1, 64);
  expect_range("count", count, 1, 64);
  set_cycles(operation_cycles(0, structure().path));
}

Structure PopulationCount::structure() const {
  Structure row;
  row.kind = "population count";
  row.adders = count_;
  row.adder_bits = index_bits(inputs_ + 1);
  row.cycles_per_operation = cycles();
  row.area.adders = count_ * gates::popcount(inputs_);
  row.path.through("population count", gates::popcount_fo4(inputs_));
  return row;
}

}  // namespace heddle::hw
