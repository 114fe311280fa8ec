#pragma once

#include <stdexcept>

namespace heddle {

/// A scheduler without a twin, a tool that is missing or fails, or a twin that can't be built or loaded.
/// what() is one message that says what to do.
class RtlError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A twin and the model have chosen differently, or an assertion of the twin's does not hold. what() says
/// where, and names the file of waves.
class TwinMismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace heddle
