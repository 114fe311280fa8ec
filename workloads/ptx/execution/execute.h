#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workloads/launch/device_memory.h"
#include "workloads/launch/kernel_launch.h"
#include "workloads/launch/texture.h"
#include "workloads/ptx/isa/operation.h"

namespace heddle::ptx {

/// True when `operation` can be executed. load_text() asks this for every instruction it lowers, so that an
/// unsupported one is an error at load time.
bool is_executable(const Operation& operation);

/// A module whose variables have addresses: .global and .const variables are allocated in `memory` and
/// initialised, relocations are applied. Keeps a reference to `memory`.
class LoadedModule {
 public:
  /// `code_base`: where timing sees the first kernel's code, 0 for kCodeBase; a multiple of 256.
  LoadedModule(Module module, DeviceMemory& memory, std::uint64_t code_base = 0);
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  const Module& module() const;
  /// Of one of module().variables.
  std::uint64_t address_of(const Variable& variable) const;
  /// Where the code of another module may begin.
  std::uint64_t code_end() const;

  struct LaunchSpec {
    std::string entry;
    Dim3 grid;
    Dim3 block;
    unsigned dynamic_shared_bytes = 0;
    unsigned registers_per_thread = 0;  ///< 0: what the program says, spilled where a thread has too few
    unsigned stream = 0;  ///< of launches that run beside each other; each has a parameter block of its own
    /// The parameter block, laid out by Code::Param offsets.
    std::vector<std::uint8_t> params;
    /// By handle (kTextureHandles): what the module's texture references are bound to, in their order, then
    /// texture objects. Those that are not there are unbound.
    std::vector<Texture> textures;
  };

  /// Throws std::invalid_argument naming what does not fit (unknown entry, parameter block of the wrong
  /// size, block larger than .maxntid or 1024 threads).
  std::unique_ptr<KernelLaunch> launch(const LaunchSpec& spec) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::ptx
