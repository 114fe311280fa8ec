#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/description/workload.h"
#include "workloads/host/bindings.h"
#include "workloads/host/host_copy.h"
#include "workloads/host/module_set.h"
#include "workloads/launch/device_memory.h"
#include "workloads/launch/texture.h"
#include "workloads/ptx/isa/operation.h"

namespace heddle {

/// The textures of a workload, bound to the modules' texture references by name and to handles of objects.
class TextureBindings {
 public:
  /// Evaluates the sizes and checks that the buffers hold the textures. Throws WorkloadError, also for a
  /// texture that is neither a reference of a module nor an argument.
  TextureBindings(const Workload& workload, const Scope& parameters, const ModuleSet& modules,
                  const Bindings& buffers);
  /// Allocates in `memory`, under the texture's name with `prefix` before it, what the texture cache sees of
  /// arrays. To be called once; what follows needs it.
  void allocate(const std::string& prefix, DeviceMemory& memory);

  /// What kernels of a module see in the next launch: LaunchSpec::textures.
  std::vector<Texture> bound(const ptx::Module& module, const Bindings& buffers) const;
  /// The copies of buffers to arrays.
  std::vector<HostCopy> arrays() const;
  /// The handle that the module's kernels have for the texture object `name`, one of the workload's.
  std::uint64_t handle(const ptx::Module& module, const std::string& name) const;
  /// Throws WorkloadError at `mark` when the module's kernel names a texture reference that it can't read.
  void check(const ptx::Module& module, const ptx::Code& kernel, const SourceMark& mark) const;

 private:
  struct Entry {
    std::string name;
    std::string buffer;
    Texture texture;
  };
  const Entry* find(const std::string& name) const;

  std::vector<Entry> entries_;
};

}  // namespace heddle
