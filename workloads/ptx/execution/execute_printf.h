#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>

namespace heddle::ptx {

/// A format that asks for more than limits.h allows.
class MessageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Formats as vprintf does on a device: `argument(bytes)` is the next argument of 4 or 8 bytes,
/// zero-extended; `text(address)` the string that a %s names. Length modifiers decide the size of an integer;
/// a conversion that C does not have is copied. Throws MessageError.
std::string format_message(const std::string& format, const std::function<std::uint64_t(unsigned)>& argument,
                           const std::function<std::string(std::uint64_t)>& text);

/// Where kernels print to from now on; stdout when never told.
void print_to(std::FILE* stream);

}  // namespace heddle::ptx
