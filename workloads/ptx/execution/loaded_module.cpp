#include <fmt/format.h>

#include <cstring>
#include <stdexcept>
#include <unordered_map>

#include "workloads/ptx/execution/execute.h"
#include "workloads/ptx/execution/execute_launch.h"
#include "workloads/ptx/isa/limits.h"
#include "workloads/ptx/lanes/address_windows.h"
#include "workloads/ptx/lanes/lane_build.h"

namespace heddle::ptx {
namespace {

constexpr std::uint64_t kCodeAlignment = 256;

/// Two modules in one memory may have variables of the same name, and so may two functions.
class FreeNames {
 public:
  explicit FreeNames(const DeviceMemory& memory) : memory_(memory) {}

  std::string of(const std::string& name) {
    std::string candidate = name;
    unsigned& copies = copies_[name];
    while (memory_.find(candidate) != nullptr) candidate = fmt::format("{}#{}", name, ++copies + 1);
    return candidate;
  }

 private:
  const DeviceMemory& memory_;
  std::unordered_map<std::string, unsigned> copies_;  ///< taken already
};

void check(const Code& code, const LoadedModule::LaunchSpec& spec) {
  const auto refuse = [&spec](const std::string& what) {
    throw std::invalid_argument(fmt::format("launch of '{}': {}", spec.entry, what));
  };
  const std::uint64_t threads = spec.block.count();
  if (spec.grid.count() == 0) {
    refuse(fmt::format("grid {} x {} x {} has no blocks", spec.grid.x, spec.grid.y, spec.grid.z));
  }
  if (threads == 0 || threads > limits::kTbThreads) {
    refuse(fmt::format("block {} x {} x {} has {} threads, expected 1 to {}", spec.block.x, spec.block.y,
                       spec.block.z, threads, limits::kTbThreads));
  }
  if (code.max_threads != 0 && threads > code.max_threads) {
    refuse(fmt::format("block has {} threads, the kernel allows {} (.maxntid or .reqntid)", threads,
                       code.max_threads));
  }
  if (spec.params.size() != code.program.param_bytes) {
    refuse(fmt::format("parameter block has {} bytes, the kernel's {} parameters take {}", spec.params.size(),
                       code.params.size(), code.program.param_bytes));
  }
}

}  // namespace

class LoadedModule::Impl {
 public:
  Impl(Module module, DeviceMemory& memory, std::uint64_t code_base)
      : module_(std::move(module)), memory_(memory), code_end_(code_base != 0 ? code_base : kCodeBase) {
    place_variables();
    initialise_pointers();
    for (Code& code : module_.kernels) relocate(code);
    for (Code& code : module_.spilled) relocate(code);
    place_code(module_.kernels, code_bases_);
    place_code(module_.spilled, spilled_bases_);
  }

  const Module& module() const { return module_; }
  std::uint64_t code_end() const { return code_end_; }
  std::uint64_t address_of(const Variable& variable) const {
    return addresses_.at(static_cast<std::size_t>(&variable - module_.variables.data()));
  }

  std::unique_ptr<KernelLaunch> launch(const LaunchSpec& spec) const {
    const Code* code = module_.find(spec.entry);
    if (const RefusedKernel* const refused = module_.find_refused(spec.entry)) {
      throw std::invalid_argument(fmt::format("launch of '{}': {}", spec.entry, refused->error));
    }
    if (code == nullptr) {
      std::string entries;
      for (const Code& kernel : module_.kernels) {
        entries += fmt::format("{}'{}'", entries.empty() ? "" : ", ", kernel.program.name);
      }
      throw std::invalid_argument(fmt::format("launch of '{}': {} has no such entry, expected one of: {}",
                                              spec.entry, module_.file, entries));
    }
    check(*code, spec);
    std::uint64_t base = code_bases_[static_cast<std::size_t>(code - module_.kernels.data())];
    // What a launch says of registers is what a compiler has made of the kernel: it spills nothing.
    const Code* const spilled = module_.find_spilled(spec.entry);
    if (spilled != nullptr && spec.registers_per_thread == 0) {
      code = spilled;
      base = spilled_bases_[static_cast<std::size_t>(spilled - module_.spilled.data())];
    }
    return std::make_unique<PtxLaunch>(*code, spec, memory_, lane_build(), base);
  }

 private:
  /// Kernels lie one after the other, each on a line of its own, so that they do not share I-cache lines.
  void place_code(const std::vector<Code>& codes, std::vector<std::uint64_t>& bases) {
    for (const Code& code : codes) {
      bases.push_back(code_end_);
      const std::uint64_t bytes = code.program.code.size() * Instruction::kBytes;
      code_end_ += (bytes + kCodeAlignment - 1) / kCodeAlignment * kCodeAlignment;
    }
  }

  void place_variables() {
    addresses_.reserve(module_.variables.size());
    FreeNames names(memory_);
    for (const Variable& variable : module_.variables) {
      if (variable.alignment > DeviceMemory::kAlignment) {
        throw std::invalid_argument(
            fmt::format("{}: variable '{}' wants an alignment of {}, at most {} is supported", module_.file,
                        variable.name, variable.alignment, DeviceMemory::kAlignment));
      }
      // An array without elements has an address all the same.
      const std::uint64_t bytes = variable.bytes != 0 ? variable.bytes : 1;
      const bool is_constant = variable.space == Space::kConst;
      const std::uint64_t address = memory_.allocate(names.of(variable.name), bytes, is_constant).address;
      if (!variable.initial.empty()) {
        std::memcpy(memory_.host(address), variable.initial.data(), variable.initial.size());
      }
      addresses_.push_back(address);
    }
  }

  void initialise_pointers() {
    for (std::size_t i = 0; i < module_.variables.size(); ++i) {
      for (const auto& [offset, variable] : module_.variables[i].pointers) {
        std::uint8_t* const place = memory_.host(addresses_[i] + offset);
        std::uint64_t value = 0;
        std::memcpy(&value, place, sizeof(value));
        value += addresses_.at(variable);
        std::memcpy(place, &value, sizeof(value));
      }
    }
  }

  void relocate(Code& code) const {
    for (const Relocation& relocation : code.relocations) {
      Operation& operation = code.operations.at(relocation.operation);
      const std::uint64_t address = addresses_.at(relocation.variable);
      if (relocation.source < 0) {
        const std::uint64_t offset = static_cast<std::uint64_t>(operation.address.offset) + address;
        operation.address.offset = static_cast<std::int64_t>(offset);
      } else {
        operation.src.at(static_cast<std::size_t>(relocation.source)).value += address;
      }
    }
  }

  Module module_;
  DeviceMemory& memory_;
  std::uint64_t code_end_;
  std::vector<std::uint64_t> addresses_;      ///< of the module's variables
  std::vector<std::uint64_t> code_bases_;     ///< of module_.kernels
  std::vector<std::uint64_t> spilled_bases_;  ///< of module_.spilled
};

LoadedModule::LoadedModule(Module module, DeviceMemory& memory, std::uint64_t code_base)
    : impl_(std::make_unique<Impl>(std::move(module), memory, code_base)) {}

LoadedModule::~LoadedModule() = default;

const Module& LoadedModule::module() const { return impl_->module(); }

std::uint64_t LoadedModule::address_of(const Variable& variable) const { return impl_->address_of(variable); }

std::uint64_t LoadedModule::code_end() const { return impl_->code_end(); }

std::unique_ptr<KernelLaunch> LoadedModule::launch(const LaunchSpec& spec) const {
  return impl_->launch(spec);
}

}  // namespace heddle::ptx
