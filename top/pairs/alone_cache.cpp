#include "top/pairs/alone_cache.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "top/config/config_print.h"
#include "top/pairs/program_set.h"
#include "top/support/atomic_file.h"
#include "top/support/project_files.h"
#include "top/support/sized_workload.h"
#include "workloads/description/workload_loader.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

/// FNV-1a, twice with different beginnings: 128 bits keep keys of different runs apart.
class Digest {
 public:
  void add(const std::string& text) {
    add_bytes(std::to_string(text.size()) + ":");  // so that the parts' borders count
    add_bytes(text);
  }
  std::string text() const { return fmt::format("{:016x}{:016x}", first_, second_); }

 private:
  static constexpr std::uint64_t kPrime = 0x100000001b3;

  void add_bytes(const std::string& text) {
    for (const char c : text) {
      first_ = (first_ ^ static_cast<unsigned char>(c)) * kPrime;
      second_ = (second_ ^ (static_cast<unsigned char>(c) + 0x5aU)) * kPrime;
    }
  }

  std::uint64_t first_ = 0xcbf29ce484222325;
  std::uint64_t second_ = 0x84222325cbf29ce4;
};

std::string contents(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

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
    fs::create_directories(folder_);
    write_file_atomically(file_of(key), to_json(run, key));
    return true;
  } catch (const std::exception&) {  // a cache that can't be written is none
    return false;
  }
}

std::string alone_key(const LoadedConfig& config, const RunOptions& run) {
  Digest digest;
  digest.add(contents("/proc/self/exe"));
  digest.add(print_config(config));
  const SizedWorkload sized = SizedWorkload::of(run.workload);
  const std::string file = ProjectFiles().workload(sized.workload);
  const Workload workload = load_workload(file);
  digest.add(contents(file));
  digest.add(contents(workload.ptx_path));
  for (const BufferSpec& buffer : workload.buffers) {
    if (buffer.init.kind == BufferInit::Kind::kFile) digest.add(contents(buffer.init.path));
  }
  const ProgramSet programs(run, config.config);
  for (const auto& [name, value] : programs.parameters()) {
    digest.add(fmt::format("{}={}", name, value));
  }
  return digest.text();
}

}  // namespace heddle
