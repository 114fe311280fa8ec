#include "hw/storage/pipeline.h"

#include "hw/pricing/gates.h"

namespace heddle::hw {

Pipeline::Pipeline(const Owner& owner, std::string_view name, const PipelineShape& shape, PaperCount paper)
    : Part(owner, name, paper), shape_(shape), input_(1, 1, hardware()) {
  expect_range("bits", shape.bits, 1, 1024);
  expect_range("stages", shape.stages, 1, 1024);
  set_cycles(hardware() ? shape.stages : 0);
}

Structure Pipeline::structure() const {
  Structure row;
  row.kind = "pipeline registers";
  row.storage = StorageKind::kFlipFlops;
  row.entries = shape_.stages;
  row.bits_per_entry = shape_.bits;
  row.cycles_per_operation = cycles();
  row.area.storage = gates::flip_flops(static_cast<double>(row.declared_bits()));
  return row;
}

}  // namespace heddle::hw
