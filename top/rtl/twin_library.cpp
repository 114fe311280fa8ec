#include "top/rtl/twin_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <new>

#include "top/rtl/rtl_error.h"

namespace heddle {

namespace {

constexpr unsigned kVersion = 1;  // HEDDLE_TWIN_VERSION

[[noreturn]] void fail(const std::string& path, const std::string& problem) {
  throw RtlError(
      fmt::format("{}: {}: the cache of twins is stale; remove the folder of this file, and the twin is "
                  "built again",
                  path, problem));
}

template <class Call>
void find(void* handle, const std::string& path, const char* name, Call& call) {
  void* const symbol = dlsym(handle, name);
  if (symbol == nullptr) fail(path, fmt::format("has no '{}'", name));
  call = reinterpret_cast<Call>(symbol);
}

}  // namespace

void TwinLibrary::Close::operator()(void* handle) const { dlclose(handle); }

TwinLibrary::TwinLibrary(const std::string& path, unsigned inputs, unsigned outputs)
    : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  void* const handle = handle_.get();
  if (handle == nullptr) {
    const char* const reason = dlerror();
    fail(path, fmt::format("can't be loaded ({})", reason == nullptr ? "no reason given" : reason));
  }
  find(handle, path, "heddle_twin_version", calls_.version);
  if (calls_.version() != kVersion)
    fail(path, fmt::format("is of version {}, expected {}", calls_.version(), kVersion));
  find(handle, path, "heddle_twin_inputs", calls_.inputs);
  find(handle, path, "heddle_twin_outputs", calls_.outputs);
  if (calls_.inputs() != inputs || calls_.outputs() != outputs) {
    fail(path, fmt::format("has {} inputs and {} outputs, expected {} and {}", calls_.inputs(),
                           calls_.outputs(), inputs, outputs));
  }
  find(handle, path, "heddle_twin_create", calls_.create);
  find(handle, path, "heddle_twin_destroy", calls_.destroy);
  find(handle, path, "heddle_twin_look", calls_.look);
  find(handle, path, "heddle_twin_edge", calls_.edge);
  find(handle, path, "heddle_twin_failure", calls_.failure);
  find(handle, path, "heddle_twin_save", calls_.save);
  find(handle, path, "heddle_twin_restore", calls_.restore);
  find(handle, path, "heddle_twin_waves_begin", calls_.waves_begin);
  find(handle, path, "heddle_twin_waves_cycle", calls_.waves_cycle);
  find(handle, path, "heddle_twin_waves_end", calls_.waves_end);
}

TwinInstance::TwinInstance(const TwinLibrary& library)
    : calls_(library.calls()), twin_(library.calls().create()) {
  if (twin_ == nullptr) throw std::bad_alloc();
}

void TwinInstance::save(std::vector<std::uint8_t>& state) {
  const std::size_t bytes = calls_.save(twin_, state.data(), state.size());
  const bool fits = bytes <= state.size();
  state.resize(bytes);
  if (!fits) calls_.save(twin_, state.data(), state.size());
}

}  // namespace heddle
