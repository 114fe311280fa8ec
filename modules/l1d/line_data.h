#pragma once

#include <cstdint>
#include <vector>

namespace heddle {

/// The bytes of those lines of an L1D that standard initiators brought in. Lines that the GPU's own requests
/// fill have none: their values live elsewhere.
class LineData {
 public:
  LineData(unsigned lines, unsigned line_bytes);

  bool holds(unsigned line) const { return held_[line]; }
  /// Requires holds(line).
  const unsigned char* of(unsigned line) const { return &bytes_[std::size_t{line} * line_bytes_]; }
  void keep(unsigned line, const unsigned char* bytes);
  void forget(unsigned line) { held_[line] = false; }

 private:
  unsigned line_bytes_;
  std::vector<bool> held_;
  std::vector<unsigned char> bytes_;
};

}  // namespace heddle
