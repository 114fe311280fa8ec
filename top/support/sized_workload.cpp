#include "top/support/sized_workload.h"

#include <filesystem>

#include "base/utf8.h"

namespace heddle {

SizedWorkload SizedWorkload::of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || std::filesystem::exists(text)) {
    return {text, ""};
  }
  return {text.substr(0, colon), text.substr(colon + 1)};
}

std::string SizedWorkload::name() const {
  const std::string stem = as_utf8(std::filesystem::path(workload).stem().string());
  return size.empty() ? stem : stem + ":" + size;
}

}  // namespace heddle
