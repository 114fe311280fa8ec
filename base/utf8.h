#pragma once

#include <string>
#include <string_view>

namespace heddle {

/// Whether `text` is UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

/// `text` with each byte that is no part of UTF-8 as "\xHH": what JSON and terminals can take. Paths may have
/// any bytes.
std::string as_utf8(std::string_view text);

}  // namespace heddle
