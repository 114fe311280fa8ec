#pragma once

#include <cstdint>
#include <vector>

namespace heddle::ptx {

/// Registers of a thread given to values that are there at the same time.
class Colouring {
 public:
  /// A value of one 32-bit register, or of two, which are an even one and the next. Values are numbered from
  /// 0 in the order in which they are added, in which they get their registers, too.
  std::uint32_t add(unsigned slots) {
    slots_.push_back(static_cast<std::uint8_t>(slots));
    neighbours_.emplace_back();
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }
  /// Two values that may not share a register.
  void connect(std::uint32_t a, std::uint32_t b) {
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
  }
  /// How many registers that takes, each value having the lowest that is free, and R1 the stack pointer.
  unsigned run() const;

 private:
  std::vector<std::uint8_t> slots_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
};

}  // namespace heddle::ptx
