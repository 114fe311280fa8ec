#pragma once

#include <cstdint>

#include "workloads/ptx/isa/operation.h"

namespace heddle::ptx {

/// A kernel's parameters in the generic address space; see kSharedWindow for the other windows.
constexpr std::uint64_t kParamWindow = std::uint64_t{1} << 59U;

/// Where timing sees code, parameters and local memory; see KernelLaunch.
constexpr std::uint64_t kCodeBase = 0x10000000;
constexpr std::uint64_t kParamBase = 0x20000000;
constexpr std::uint64_t kLocalBase = 0x40000000;

/// Generic address of a space's offset 0; 0 for global and const, whose addresses are generic ones.
constexpr std::uint64_t window_of(Space space) {
  switch (space) {
    case Space::kShared:
      return kSharedWindow;
    case Space::kLocal:
      return kLocalWindow;
    case Space::kParam:
      return kParamWindow;
    default:
      return 0;
  }
}

/// The space of a generic address: of the window that holds it, otherwise global.
constexpr Space space_of(std::uint64_t address) {
  if ((address & kLocalWindow) != 0) return Space::kLocal;
  if ((address & kSharedWindow) != 0) return Space::kShared;
  return (address & kParamWindow) != 0 ? Space::kParam : Space::kGlobal;
}

}  // namespace heddle::ptx
