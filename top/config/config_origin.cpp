#include "top/config/config_origin.h"

namespace heddle {

std::string origin_in(const LoadedConfig& loaded, const std::string& message) {
  for (const auto& [path, origin] : loaded.origins) {
    if (message.find(path) != std::string::npos) {
      return origin + ": ";
    }
  }
  return "";
}

}  // namespace heddle
