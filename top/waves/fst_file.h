#pragma once

#include <string>

namespace heddle {

/// The path of GTKWave's converter, vcd2fst; "" when it is not on the PATH.
std::string find_vcd2fst();

/// Turns the VCD file `vcd` into the FST file `fst` by `converter`, and removes `vcd`. Throws OutputError
/// when the converter fails; `vcd` is then left.
void convert_to_fst(const std::string& converter, const std::string& vcd, const std::string& fst);

}  // namespace heddle
