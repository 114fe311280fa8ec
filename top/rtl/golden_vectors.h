#pragma once

#include <cstdint>
#include <string>

#include "top/rtl/twin_design.h"

namespace heddle {

/// What an SM's schedulers were told and chose in a run, cycle by cycle: a text that
/// rtl/handover/heddle_vectors_tb.sv plays to the twin. docs/rtl-handover.md has the format.
class GoldenVectors {
 public:
  /// Of SM `sm`, the first `limit` clock cycles of the twin.
  GoldenVectors(const TwinDesign& design, unsigned sm, std::uint64_t limit);

  unsigned sm() const { return sm_; }
  /// A clock cycle of the twin, core cycle `cycle`: the values of its inputs and outputs, in the design's
  /// order.
  void add(std::uint64_t cycle, const std::uint64_t* in, const std::uint64_t* out) {
    if (lines_ < limit_) append(cycle, in, out);
  }

  std::uint64_t lines() const { return lines_; }
  /// All lines, behind those that say what they are: `command` is the run's.
  std::string text(const std::string& command) const;

 private:
  void append(std::uint64_t cycle, const std::uint64_t* in, const std::uint64_t* out);

  const std::string scheduler_;
  const unsigned sm_;
  const std::uint64_t limit_;
  const unsigned inputs_;
  const unsigned outputs_;
  const unsigned digits_;  ///< hexadecimal, of a port
  std::string columns_;
  std::string body_;
  std::uint64_t lines_ = 0;
};

constexpr const char* kVectorsFile = "vectors.txt";

}  // namespace heddle
