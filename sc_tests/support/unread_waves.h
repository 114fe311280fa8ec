#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/observe.h"

namespace heddle::testing {

/// Listens to waves and looks at none.
class UnreadWaves : public WaveSink {
 public:
  void enter(std::string_view /*scope*/) override {}
  void leave() override {}
  bool wanted() const override { return true; }
  void signal(const std::uint64_t& /*variable*/, unsigned /*bits*/, std::string_view /*name*/) override {}
  void enumeration(const std::uint64_t& /*variable*/, std::string_view /*name*/,
                   const std::vector<std::string>& /*names*/) override {}
};

}  // namespace heddle::testing
