#include "top/config/config_origin.h"

namespace heddle {

std::string origin_of(const LoadedConfig& loaded, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    const auto found = loaded.origins.find(key);
    if (found != loaded.origins.end()) {
      return found->second + ": ";
    }
  }
  return "";
}

}  // namespace heddle
