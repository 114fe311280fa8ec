#pragma once

#include <stdexcept>

namespace heddle {

/// A configuration that can't be used. what() begins with where the offending value stands:
/// "FILE:LINE:COLUMN: " or "--set KEY=VALUE: ".
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace heddle
