#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "hw/pricing/owner.h"

struct VerilatedBench;
class VerilatedScope;

namespace heddle::test {

/// A port of a part's twin. Values are up to 64 bits at a place of it.
class TwinPort {
 public:
  TwinPort(void* data, unsigned bits) : data_(static_cast<std::uint8_t*>(data)), bits_(bits) {}

  unsigned bits() const { return bits_; }
  /// `width` bits from bit `low` on.
  std::uint64_t get(unsigned low, unsigned width) const;
  std::uint64_t get() const { return get(0, bits_); }
  /// What does not fit into `width` is cut off.
  void set(unsigned low, unsigned width, std::uint64_t value);
  void set(std::uint64_t value) { set(0, bits_, value); }
  void clear();

 private:
  std::uint8_t* data_;  ///< little-endian, as Verilator keeps it
  unsigned bits_;
};

/// The verilated parts at the sizes of parts_bench.sv, all on one clock, and the model's side of a test.
class TwinBench {
 public:
  TwinBench();
  ~TwinBench();
  TwinBench(const TwinBench&) = delete;
  TwinBench& operator=(const TwinBench&) = delete;

  /// Port `name` of `instance`. Fails the test, and ends it, when there is none.
  TwinPort port(const std::string& instance, const std::string& name);
  /// Lets combinational outputs follow the inputs.
  void settle();
  /// The clock edge that ends a cycle.
  void edge();

  /// In hardware timing, strict: a use of a part that its ports do not allow ends the test.
  static hw::Owner owner();

 private:
  VerilatedBench* bench_;
};

/// Stimuli: reproducible, and often at the ends of their range.
class Stimuli {
 public:
  explicit Stimuli(std::uint64_t seed) : random_(seed) {}

  /// Of `bits` bits: all zeros, all ones, one bit, few bits, or any.
  std::uint64_t value(unsigned bits);
  /// Below `count`.
  unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }
  /// Once in `times`.
  bool once_in(unsigned times) { return below(times) == 0; }

 private:
  std::mt19937_64 random_;
};

}  // namespace heddle::test
