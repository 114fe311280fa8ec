#pragma once

#include <cstdint>
#include <string>

namespace heddle {

/// lockstep.json of the twins of what gives thread blocks to SMs.
struct DispatchJson {
  std::string twin;
  bool decides = false;
  bool mismatched = false;
  unsigned sms = 0;
  std::uint64_t edges = 0;
  std::uint64_t choices = 0;

  void add(std::uint64_t more_edges, std::uint64_t more_choices) {
    edges += more_edges;
    choices += more_choices;
  }
  std::string text() const;
};

}  // namespace heddle
