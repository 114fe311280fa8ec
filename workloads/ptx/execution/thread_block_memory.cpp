#include <fmt/format.h>

#include <cstring>

#include "workloads/ptx/execution/thread_block.h"
#include "workloads/ptx/lanes/address_windows.h"
#include "workloads/ptx/lanes/lane_build.h"

namespace heddle::ptx {
namespace {

std::uintptr_t number(const std::uint8_t* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

unsigned lowest(LaneMask lanes) { return static_cast<unsigned>(__builtin_ctz(lanes)); }

const char* name_of(Space space) {
  switch (space) {
    case Space::kShared:
      return "shared memory of the block";
    case Space::kLocal:
      return "local memory of the thread";
    case Space::kParam:
      return "parameters of the kernel";
    default:
      return "global memory";
  }
}

}  // namespace

void BlockState::access(Warp& warp, const BoundOperation& bound, const ExecutionSite& site, Step& out,
                        LaneAddresses& addresses) {
  const Space space = bound.operation->space;
  build_.addresses(warp.context, bound, addresses.lane.data());
  out.access = warp.context.active;
  out.space = space == Space::kGeneric ? Space::kGlobal : space;
  if (warp.context.active == 0) return;
  if (space == Space::kGeneric) {
    access_generic(warp, bound, site, out, addresses);
  } else {
    access_space(warp, bound, site, space, addresses.lane.data());
  }
}

void BlockState::access_generic(Warp& warp, const BoundOperation& bound, const ExecutionSite& site, Step& out,
                                LaneAddresses& addresses) {
  const LaneMask active = warp.context.active;
  out.space = space_of(addresses.lane[lowest(active)]);
  for (LaneMask left = active; left != 0;) {
    const Space space = space_of(addresses.lane[lowest(left)]);
    const std::uint64_t window = window_of(space);
    LaneMask group = 0;
    for (LaneMask lanes = left; lanes != 0; lanes &= lanes - 1) {
      const unsigned lane = lowest(lanes);
      if (space_of(addresses.lane[lane]) == space) group |= 1U << lane;
    }
    left &= ~group;
    for (LaneMask lanes = group; lanes != 0; lanes &= lanes - 1) addresses.lane[lowest(lanes)] -= window;
    warp.context.active = group;
    access_space(warp, bound, site, space, addresses.lane.data());
  }
  warp.context.active = active;
}

Probe BlockState::look(const BoundOperation& bound, LaneMask active, const std::uint64_t* address,
                       MemoryRange range) const {
  const std::uint64_t bytes = bound.access_bytes;
  if (bound.has_base) return build_.probe(active, address, range.begin, range.bytes, bytes);
  const bool inside = range.bytes >= bytes && address[0] - range.begin <= range.bytes - bytes;
  return {inside && (address[0] & (bytes - 1)) == 0 ? 0 : active, false};
}

void BlockState::access_space(Warp& warp, const BoundOperation& bound, const ExecutionSite& site, Space space,
                              const std::uint64_t* address) {
  MemoryWindow& window = warp.context.memory;
  std::uint64_t bytes = 0;
  window.lane_stride = 0;
  switch (space) {
    case Space::kShared:
      window.host = number(shared_.data());
      bytes = shared_.size();
      break;
    case Space::kLocal:
      window.host = number(local_.data()) + std::uint64_t{index_of(warp)} * kWarpSize * local_stride_;
      window.lane_stride = local_stride_;
      bytes = local_stride_;
      break;
    case Space::kParam:
      if (bound.changes_memory) fault_constant(warp, bound, address, "the kernel's parameters");
      window.host = number(launch_.params().data());
      bytes = launch_.params().size();
      break;
    default:
      access_global(warp, bound, site, address);
      return;
  }
  const Probe probe = look(bound, warp.context.active, address, {0, bytes});
  if (probe.outside != 0) {
    const unsigned lane = lowest(probe.outside);
    fault_access(warp, bound, lane, space, address[lane]);
  }
  window.address = address;
  window.consecutive = probe.consecutive && window.lane_stride == 0;
  window.uniform = !bound.has_base && window.lane_stride == 0;
  bound.run(warp.context, bound);
}

void BlockState::access_global(Warp& warp, const BoundOperation& bound, const ExecutionSite& site,
                               const std::uint64_t* address) {
  const auto index = static_cast<std::uint32_t>(&bound - operations_);
  const LaneMask active = warp.context.active;
  const DeviceMemory& memory = launch_.memory();
  MemoryRange& range = last_ranges_[index];
  Probe probe = look(bound, active, address, range);
  if (probe.outside != 0) {  // another buffer than last time, or several
    LaneMask left = probe.outside;
    while (left != 0) {
      const unsigned lane = lowest(left);
      const DeviceMemory::Buffer* const buffer = memory.find(address[lane]);
      if (buffer == nullptr) fault_access(warp, bound, lane, Space::kGlobal, address[lane]);
      if (bound.changes_memory && buffer->is_constant)
        fault_constant(warp, bound, address, "the .const variable '" + buffer->name + "'");
      range = {buffer->address, buffer->bytes};
      probe = look(bound, active, address, range);
      if ((probe.outside >> lane & 1U) != 0) fault_access(warp, bound, lane, Space::kGlobal, address[lane]);
      left &= probe.outside;
    }
  }
  if (bound.changes_memory && site.put_off != nullptr) {
    put_off(warp, bound, site, address, probe.consecutive);
  } else {
    move_global(warp, bound, address, probe.consecutive);
  }
}

void BlockState::move_global(Warp& warp, const BoundOperation& bound, const std::uint64_t* address,
                             bool consecutive) {
  // Buffers share one arena: addresses are turned into host pointers all alike.
  MemoryWindow& window = warp.context.memory;
  window.host = number(launch_.memory().host(DeviceMemory::kBase)) - DeviceMemory::kBase;
  window.lane_stride = 0;
  window.address = address;
  window.consecutive = consecutive;
  window.uniform = !bound.has_base;
  bound.run(warp.context, bound);
}

void BlockState::read(const Warp& warp, const BoundOperation& bound, unsigned lane, std::uint64_t address,
                      void* to, std::size_t bytes) const {
  const Space space = space_of(address);
  const std::uint64_t offset = address - window_of(space);
  const std::uint8_t* from = nullptr;
  std::uint64_t size = 0;
  switch (space) {
    case Space::kShared:
      from = shared_.data();
      size = shared_.size();
      break;
    case Space::kLocal:
      from = local_.data() + (index_of(warp) * kWarpSize + lane) * local_stride_;
      size = local_stride_;
      break;
    case Space::kParam:
      from = launch_.params().data();
      size = launch_.params().size();
      break;
    default: {
      const DeviceMemory::Buffer* const buffer = launch_.memory().find(address);
      if (buffer == nullptr || address + bytes > buffer->end()) break;
      std::memcpy(to, launch_.memory().host(address), bytes);
      return;
    }
  }
  if (from == nullptr || size < bytes || offset > size - bytes) {
    fault(warp, bound, lane,
          fmt::format("no {} bytes at the generic address {:#x} of an argument", bytes, address));
  }
  std::memcpy(to, from + offset, bytes);
}

void BlockState::fault_access(const Warp& warp, const BoundOperation& bound, unsigned lane, Space space,
                              std::uint64_t address) const {
  const std::uint64_t bytes = bound.access_bytes;
  const std::string what = fmt::format("access of {} bytes at {:#x}", bytes, address);
  if ((address & (bytes - 1)) != 0) {
    fault(warp, bound, lane, fmt::format("misaligned {}: expected a multiple of {}", what, bytes));
  }
  if (space != Space::kGlobal && space != Space::kConst) {
    const std::size_t size = space == Space::kShared  ? shared_.size()
                             : space == Space::kLocal ? static_cast<std::size_t>(local_stride_)
                                                      : launch_.params().size();
    fault(warp, bound, lane,
          fmt::format("{} is outside of the {}, which has {} bytes", what, name_of(space), size));
  }
  const DeviceMemory& memory = launch_.memory();
  const DeviceMemory::Buffer* nearest = memory.nearest_below(address);
  if (nearest == nullptr && !memory.buffers().empty()) nearest = &memory.buffers().front();
  if (nearest == nullptr) fault(warp, bound, lane, what + " is outside of all buffers: there are none");
  fault(warp, bound, lane,
        fmt::format("{} is outside of all buffers; the nearest is '{}' at [{:#x}, {:#x}) of {} bytes", what,
                    nearest->name, nearest->address, nearest->end(), nearest->bytes));
}

void BlockState::fault_constant(const Warp& warp, const BoundOperation& bound, const std::uint64_t* address,
                                const std::string& what) const {
  const unsigned lane = lowest(warp.context.active);
  fault(warp, bound, lane, fmt::format("{:#x} is in {}, which can only be read", address[lane], what));
}

void BlockState::fault(const Warp& warp, const BoundOperation& bound, unsigned lane,
                       const std::string& what) const {
  const Program& program = launch_.program();
  const auto index = static_cast<std::uint32_t>(&bound - operations_);
  const Dim3 dim = launch_.block();
  const unsigned thread = index_of(warp) * kWarpSize + lane;
  const std::uint32_t line = index < program.code.size() ? program.code[index].line : 0;
  const std::string text = index < program.text.size() ? program.text[index] : "";
  throw ExecutionFault(fmt::format("{}:{}: kernel '{}': '{}': thread ({}, {}, {}) of block ({}, {}, {}): {}",
                                   program.source_file, line, program.name, text, thread % dim.x,
                                   thread / dim.x % dim.y, thread / dim.x / dim.y, ctaid_[0], ctaid_[1],
                                   ctaid_[2], what));
}

}  // namespace heddle::ptx
