#pragma once

#include "hw/pricing/part.h"

namespace heddle::hw {

struct PipelineShape {
  unsigned bits = 32;   ///< of a rank, 1 to 1024
  unsigned stages = 1;  ///< ranks of flip-flops, 1 to 1024
};

/// Ranks of flip-flops that pass on what they hold in every cycle: between the stages of logic that is too
/// deep for a cycle, or along wires that are too long for one. What comes in leaves `stages` cycles later.
/// There are no enables: nothing stops on its way.
class Pipeline final : public Part {
 public:
  /// Throws std::invalid_argument for sizes outside the ranges of the shape.
  Pipeline(const Owner& owner, std::string_view name, const PipelineShape& shape,
           PaperCount paper = PaperCount::kNot);

  /// Something comes in, one a cycle; what it is, is the owner's matter.
  void enter(Cycle cycle) {
    use(input_, cycle, "input");
    ++activity_.writes;
  }

  Structure structure() const override;

 private:
  PipelineShape shape_;
  Ports input_;
};

}  // namespace heddle::hw
