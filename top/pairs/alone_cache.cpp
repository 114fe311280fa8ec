#include "top/pairs/alone_cache.h"

#include <cstdlib>
#include <filesystem>

#include "top/support/output/output_folder.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

std::string users_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache != '\0') {
    return (fs::path(cache) / "heddle" / "alone").string();
  }
  const char* const home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? "" : (fs::path(home) / ".cache" / "heddle" / "alone").string();
}

}  // namespace

AloneCache::AloneCache(const std::string& folder) : folder_(folder.empty() ? users_folder() : folder) {}

std::string AloneCache::file_of(const std::string& key) const {
  return (fs::path(folder_) / (key + ".json")).string();
}

std::optional<AloneRun> AloneCache::find(const std::string& key) const {
  return folder_.empty() ? std::nullopt : read_alone_run(file_of(key), key);
}

bool AloneCache::store(const std::string& key, const AloneRun& run) const {
  if (folder_.empty()) {
    return false;
  }
  try {
    const OutputFolder folder(folder_, OutputFolder::Wait::kShort);
    folder.write(fs::path(file_of(key)).filename(), to_json(run, key));
    return true;
  } catch (const std::exception&) {  // a cache that can't be written is none
    return false;
  }
}

}  // namespace heddle
