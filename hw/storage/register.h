#pragma once

#include "hw/pricing/bits.h"
#include "hw/pricing/part.h"

namespace heddle::hw {

struct RegisterShape {
  unsigned bits = 32;                   ///< 1 to 64
  Overflow overflow = Overflow::kWrap;  ///< of a written value that does not fit
  std::uint64_t reset = 0;              ///< initial value
};

/// One register of flip-flops. Its outputs are wires, readable by any number; one write per cycle.
class Register final : public Part {
 public:
  /// Throws std::invalid_argument for a width outside 1 to 64 or a reset value that does not fit.
  Register(const Owner& owner, std::string_view name, const RegisterShape& shape,
           PaperCount paper = PaperCount::kNot);

  std::uint64_t value() const { return value_; }
  void write(Cycle cycle, std::uint64_t value) {
    use(write_port_, cycle, "write port");
    ++activity_.writes;
    const Sum kept = fit_bits(value, shape_.bits, shape_.overflow);
    activity_.overflows += kept.overflowed;
    value_ = kept.value;
  }

  /// The last of so many values of ideal timing, of which the others fit.
  void write(Cycle cycle, std::uint64_t value, std::uint64_t times) {
    activity_.writes += times - 1;
    write(cycle, value);
  }

  Structure structure() const override;
  void trace(WaveSink& sink) const override;

 private:
  std::uint64_t value_;
  RegisterShape shape_;
  Ports write_port_;
};

}  // namespace heddle::hw
