#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "workloads/checks/reference_memory.h"
#include "workloads/description/workload.h"
#include "workloads/host/bindings.h"
#include "workloads/host/host_copy.h"
#include "workloads/host/module_set.h"
#include "workloads/launch/device_memory.h"

namespace heddle {

/// A workload's buffers on the device: where they lie, what their names refer to, and what the host does to
/// them. All errors are WorkloadErrors.
class ProgramMemory final : public ElementReader {
 public:
  /// `prefix`: of the buffers' names in `memory`. Keeps references to all but that.
  ProgramMemory(const Workload& workload, const Scope& parameters, DeviceMemory& memory, std::string prefix);

  /// Of the buffers that have memory of their own, allocated or not.
  std::uint64_t own_bytes() const;
  /// These buffers. Throws MemoryError too.
  void allocate();
  /// The buffers that lie in symbols of the modules, which have been placed.
  void bind_symbols(const ModuleSet& modules);
  /// The first contents of all.
  void initialise();

  void set(const SetStatement& statement, const Scope& scope);
  /// Both give the number of elements written. What a fill's expressions read is as it was before the fill.
  std::uint64_t fill(const FillStatement& statement, const Scope& scope);
  std::uint64_t copy(const CopyStatement& statement, const Scope& scope);
  /// The two names exchange what they refer to.
  void swap(const SwapStatement& statement, const SourceMark& mark);

  Number read_element(const std::string& buffer, std::int64_t index) const override;
  /// What the names refer to.
  const Bindings& buffers() const { return buffers_; }
  const std::uint8_t* bytes(const Binding& place) const { return memory_.host(place.address); }
  /// The host has written memory beside the buffers.
  void note_copy(const HostCopy& copy) { copies_.push_back(copy); }
  /// What the host has written since the last call.
  std::vector<HostCopy> take_host_copies();

  /// What the buffers held before the first launch. Throws MemoryError too.
  ReferenceMemory first_contents() const;

 private:
  std::uint64_t count_of(const BufferSpec& spec) const;
  Binding bind_symbol(const BufferSpec& spec, const ModuleSet& modules) const;
  void keep_first_contents();
  std::uint8_t* bytes(const Binding& place) { return memory_.host(place.address); }

  const Workload& workload_;
  const Scope& parameters_;
  DeviceMemory& memory_;
  std::string prefix_;
  Bindings buffers_;
  Bindings homes_;  ///< as the names stood first
  /// First contents of the buffers in symbols, which may overlap, when a reference starts from them.
  std::map<std::string, std::vector<std::uint8_t>> first_in_symbols_;
  std::vector<HostCopy> copies_;
};

}  // namespace heddle
