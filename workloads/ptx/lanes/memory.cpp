// Addresses, their check, and the bytes of ld and st.

#include "workloads/ptx/lanes/memory.h"

#include <type_traits>

#include "workloads/ptx/lanes/select.h"

namespace heddle::ptx::HEDDLE_LANES {
namespace {

inline std::uint8_t* pointer(std::uintptr_t host_address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the sum is an address of the host, its parts are not
  return reinterpret_cast<std::uint8_t*>(host_address);
}

inline std::uint8_t* place(const MemoryWindow& window, unsigned lane) {
  return pointer(window.host + window.address[lane] + lane * window.lane_stride);
}

/// Calls f(lane, host pointer) for the active lanes, lowest first.
template <class F>
inline void each_location(const LaneContext& context, F f) {
  const MemoryWindow& window = context.memory;
  if (context.active == kAllLanes && window.lane_stride == 0) {
    const std::uintptr_t host = window.host;
    const std::uint64_t* const address = window.address;
    for (unsigned i = 0; i < kWarpSize; ++i) f(i, pointer(host + address[i]));
    return;
  }
  for (LaneMask left = context.active; left != 0; left &= left - 1) {
    const auto i = static_cast<unsigned>(__builtin_ctz(left));
    f(i, place(window, i));
  }
}

/// Element E of memory, extended by its sign to a register of type V, kept in a row.
template <class E, class V>
struct Element {
  using Row = std::conditional_t<sizeof(V) == 8, Row64, Row32>;
  static Row load(const std::uint8_t* from) {
    E element;
    __builtin_memcpy(&element, from, sizeof(element));
    return static_cast<Row>(static_cast<V>(element));
  }
};

template <class E, class V>
void load(LaneContext& context, const BoundOperation& bound) {
  using Row = typename Element<E, V>::Row;
  const unsigned elements = bound.operation->vector;
  const MemoryWindow& window = context.memory;
  for (unsigned k = 0; k < elements; ++k) {
    if (bound.operation->dst[k].kind != Operand::Kind::kRegister) continue;
    Row* destination = row<Row>(context, bound.dst[k]);
    const std::size_t skip = k * sizeof(E);
    if (window.consecutive) {
      const std::uint8_t* from = place(window, 0) + skip;
      if (sizeof(E) == sizeof(Row) && elements == 1) {
        __builtin_memcpy(destination, from, sizeof(Row) * kWarpSize);
      } else {
        const std::size_t stride = elements * sizeof(E);
        for (unsigned i = 0; i < kWarpSize; ++i) destination[i] = Element<E, V>::load(from + i * stride);
      }
    } else if (window.uniform) {
      const Row value = Element<E, V>::load(place(window, 0) + skip);
      alignas(64) Row values[kWarpSize];
      for (Row& lane : values) lane = value;
      blend(context.active, destination, static_cast<const Row*>(values));
    } else {
      each_location(context, [destination, skip](unsigned i, const std::uint8_t* from) {
        destination[i] = Element<E, V>::load(from + skip);
      });
    }
  }
}

template <class E, class R>
void store(LaneContext& context, const BoundOperation& bound) {
  const unsigned elements = bound.operation->vector;
  const MemoryWindow& window = context.memory;
  if (window.consecutive && elements == 1 && sizeof(E) == sizeof(R)) {
    __builtin_memcpy(place(window, 0), row<R>(context, bound.src[0]), sizeof(R) * kWarpSize);
    return;
  }
  const R* source[4] = {};
  for (unsigned k = 0; k < elements; ++k) source[k] = row<R>(context, bound.src[k]);
  each_location(context, [&](unsigned i, std::uint8_t* to) {
    for (unsigned k = 0; k < elements; ++k) {
      const E element = static_cast<E>(source[k][i]);
      __builtin_memcpy(to + k * sizeof(E), &element, sizeof(element));
    }
  });
}

/// The load of memory type E into a register of `bits`.
template <class E>
Handler load_into(unsigned bits) {
  using Unsigned = std::make_unsigned_t<E>;
  if (bits == 64) return &load<E, std::uint64_t>;
  if constexpr (sizeof(E) < 8) {
    if (bits == 32) return &load<E, std::uint32_t>;
    if (bits >= 8 * sizeof(E))
      return sizeof(E) == 1 && bits == 8 ? &load<E, Unsigned> : &load<E, std::uint16_t>;
  }
  return nullptr;
}

Handler select_load(const Operation& operation) {
  unsigned bits = 0;
  for (unsigned k = 0; k < operation.num_dst; ++k) {
    if (operation.dst[k].kind == Operand::Kind::kRegister) bits = operation.dst[k].bits;
  }
  switch (operation.type) {
    case Type::kU8:
    case Type::kB8:
      return load_into<std::uint8_t>(bits);
    case Type::kS8:
      return load_into<std::int8_t>(bits);
    case Type::kU16:
    case Type::kB16:
    case Type::kF16:
      return load_into<std::uint16_t>(bits);
    case Type::kS16:
      return load_into<std::int16_t>(bits);
    case Type::kU32:
    case Type::kB32:
    case Type::kF32:
      return load_into<std::uint32_t>(bits);
    case Type::kS32:
      return load_into<std::int32_t>(bits);
    case Type::kU64:
    case Type::kS64:
    case Type::kB64:
    case Type::kF64:
      return load_into<std::uint64_t>(bits);
    default:
      return nullptr;
  }
}

Handler select_store(Type type) {
  switch (type) {
    case Type::kU8:
    case Type::kS8:
    case Type::kB8:
      return &store<std::uint8_t, Row32>;
    case Type::kU16:
    case Type::kS16:
    case Type::kB16:
    case Type::kF16:
      return &store<std::uint16_t, Row32>;
    case Type::kU32:
    case Type::kS32:
    case Type::kB32:
    case Type::kF32:
      return &store<std::uint32_t, Row32>;
    case Type::kU64:
    case Type::kS64:
    case Type::kB64:
    case Type::kF64:
      return &store<std::uint64_t, Row64>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler select_memory(const Operation& operation) {
  if (operation.vector != 1 && operation.vector != 2 && operation.vector != 4) return nullptr;
  return operation.opcode == Opcode::kLd ? select_load(operation) : select_store(operation.type);
}

void lane_addresses(const LaneContext& context, const BoundOperation& bound, std::uint64_t* address) {
  const auto offset = static_cast<std::uint64_t>(bound.operation->address.offset);
  const std::uint8_t* base = context.bases[bound.address.base] + bound.address.offset;
  if (!bound.has_base) {
    for (unsigned i = 0; i < kWarpSize; ++i) address[i] = offset;
  } else if (bound.base_is_wide) {
    const auto* wide = reinterpret_cast<const Row64*>(base);
    for (unsigned i = 0; i < kWarpSize; ++i) address[i] = wide[i] + offset;
  } else {
    const auto* narrow = reinterpret_cast<const Row32*>(base);
    const auto offset32 = static_cast<std::uint32_t>(offset);
    for (unsigned i = 0; i < kWarpSize; ++i) address[i] = std::uint32_t{narrow[i] + offset32};
  }
}

namespace {

bool is_consecutive(const std::uint64_t* address, std::uint64_t access_bytes) {
  if (address[kWarpSize - 1] - address[0] != (kWarpSize - 1) * access_bytes) return false;
  std::uint64_t different = 0;
  for (unsigned i = 1; i < kWarpSize; ++i) different |= (address[i] - address[i - 1]) ^ access_bytes;
  return different == 0;
}

/// All lanes access [begin, begin + last + access_bytes), at multiples of `misalignment` + 1.
bool all_inside(const std::uint64_t* address, std::uint64_t begin, std::uint64_t last,
                std::uint64_t misalignment) {
  // Of an offset up to `last`, which is less than 2^63, neither that nor what is left to it has the sign's
  // bit.
  std::uint64_t signs = last;
  std::uint64_t low = 0;
  for (unsigned i = 0; i < kWarpSize; ++i) {
    const std::uint64_t offset = address[i] - begin;
    signs |= offset | (last - offset);
    low |= address[i];
  }
  return (signs >> 63U) == 0 && (low & misalignment) == 0;
}

}  // namespace

Probe probe_addresses(LaneMask active, const std::uint64_t* address, std::uint64_t begin, std::uint64_t bytes,
                      std::uint64_t access_bytes) {
  if (bytes < access_bytes) return {active, false};
  const std::uint64_t last = bytes - access_bytes;
  const std::uint64_t misalignment = access_bytes - 1;
  const bool consecutive = active == kAllLanes && is_consecutive(address, access_bytes);
  if (consecutive && (address[0] & misalignment) == 0 && address[0] - begin <= last &&
      address[kWarpSize - 1] - begin <= last) {
    return {0, true};
  }
  if (all_inside(address, begin, last, misalignment)) return {0, consecutive};
  std::uint64_t outside = 0;
  for (unsigned i = 0; i < kWarpSize; ++i) {
    const bool bad = (address[i] - begin > last) | ((address[i] & misalignment) != 0);
    outside |= bad ? LaneBits<Row64>::kBit[i] : std::uint64_t{0};
  }
  return {static_cast<LaneMask>(outside) & active, consecutive};
}

}  // namespace heddle::ptx::HEDDLE_LANES
