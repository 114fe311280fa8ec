#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/ptx/isa/operation.h"

namespace heddle::ptx {

/// A decoded mnemonic such as `ld.global.v2.f32`: the operation with everything set but its operands.
struct Mnemonic {
  enum class Kind : std::uint8_t {
    kPlain,  ///< operands follow `signature`
    kMov,
    kCall,
    kReturn,  ///< ret: kExit in a kernel, a branch in a device function
  };
  Kind kind = Kind::kPlain;
  Operation operation;
  /// One letter an operand, see operand_binder.h.
  std::string_view signature;
  CacheOp cache = CacheOp::kAll;
};

/// Decodes the parts of a mnemonic: {"ld", "global", "v2", "f32"}. On failure throws MnemonicError.
Mnemonic decode_mnemonic(const std::vector<std::string_view>& parts);

/// What is wrong with a mnemonic; the parser adds file, place and instruction.
class MnemonicError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace heddle::ptx
