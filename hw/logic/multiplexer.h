#pragma once

#include "hw/pricing/part.h"

namespace heddle::hw {

struct MultiplexerShape {
  unsigned inputs = 48;  ///< 1 to 1024
  unsigned bits = 32;    ///< of an input, 1 to 1024
  unsigned count = 1;    ///< multiplexers: inputs that are read per cycle
  bool one_hot = false;  ///< behind a line per input, instead of its number
};

/// Reads by address what another block keeps: its registers are priced there, the way out of them here.
class Multiplexer final : public Part {
 public:
  /// Throws std::invalid_argument for sizes outside the ranges of the shape.
  Multiplexer(const Owner& owner, std::string_view name, const MultiplexerShape& shape);

  /// An input is read in `cycle`; what it holds is the owner's matter.
  void read(Cycle cycle) {
    use(ports_, cycle, "multiplexers");
    ++activity_.reads;
  }
  /// So many are, in ideal timing.
  void read(Cycle cycle, std::uint64_t times) {
    activity_.reads += times - 1;
    read(cycle);
  }

  Structure structure() const override;

 private:
  MultiplexerShape shape_;
  Ports ports_;
};

}  // namespace heddle::hw
