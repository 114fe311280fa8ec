#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heddle {

/// The shared library of a verilated twin (rtl/cosim/twin_interface.h).
class TwinLibrary {
 public:
  /// Throws RtlError, with what to do, for a file that is not what was built for so many ports.
  TwinLibrary(const std::string& path, unsigned inputs, unsigned outputs);

  struct Calls {
    unsigned (*version)() = nullptr;
    unsigned (*inputs)() = nullptr;
    unsigned (*outputs)() = nullptr;
    void* (*create)() = nullptr;
    void (*destroy)(void*) = nullptr;
    void (*look)(void*, const std::uint64_t*, std::uint64_t*) = nullptr;
    void (*edge)(void*) = nullptr;
    const char* (*failure)(void*) = nullptr;
    std::size_t (*save)(void*, std::uint8_t*, std::size_t) = nullptr;
    void (*restore)(void*, const std::uint8_t*, std::size_t) = nullptr;
    int (*waves_begin)(void*, const char*) = nullptr;
    void (*waves_cycle)(void*, std::uint64_t) = nullptr;
    void (*waves_end)(void*) = nullptr;
  };
  const Calls& calls() const { return calls_; }

 private:
  struct Close {
    void operator()(void* handle) const;
  };
  std::unique_ptr<void, Close> handle_;
  Calls calls_;
};

/// One twin: the schedulers of an SM. Of the library, which outlives it.
class TwinInstance {
 public:
  /// Reset. Throws std::bad_alloc.
  explicit TwinInstance(const TwinLibrary& library);
  ~TwinInstance() { calls_.destroy(twin_); }
  TwinInstance(const TwinInstance&) = delete;
  TwinInstance& operator=(const TwinInstance&) = delete;

  /// The outputs of a cycle with these inputs; no clock edge.
  void look(const std::uint64_t* in, std::uint64_t* out) { calls_.look(twin_, in, out); }
  /// The clock edge that ends the cycle, with the inputs of the last look.
  void edge() { calls_.edge(twin_); }
  /// What an assertion has said since the last call, or nullptr.
  const char* failure() { return calls_.failure(twin_); }

  void save(std::vector<std::uint8_t>& state);
  void restore(const std::vector<std::uint8_t>& state) { calls_.restore(twin_, state.data(), state.size()); }

  /// Waves of every cycle that is told, until the end. False: the file can't be written.
  bool begin_waves(const std::string& path) { return calls_.waves_begin(twin_, path.c_str()) != 0; }
  /// After the look of `cycle`.
  void show_cycle(std::uint64_t cycle) { calls_.waves_cycle(twin_, cycle); }
  void end_waves() { calls_.waves_end(twin_); }

 private:
  const TwinLibrary::Calls& calls_;
  void* twin_;
};

}  // namespace heddle
