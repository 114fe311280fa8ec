#include "workloads/ptx/execution/execute_atomics.h"

#include <cstring>
#include <type_traits>

namespace heddle::ptx {
namespace {

struct Sum {
  template <class V>
  V operator()(V old, V value) const {
    using U = std::make_unsigned_t<V>;
    return static_cast<V>(static_cast<U>(old) + static_cast<U>(value));
  }
};
struct Least {
  template <class V>
  V operator()(V old, V value) const {
    return value < old ? value : old;
  }
};
struct Greatest {
  template <class V>
  V operator()(V old, V value) const {
    return value > old ? value : old;
  }
};
struct Increment {  // wraps to 0 at value
  std::uint32_t operator()(std::uint32_t old, std::uint32_t value) const {
    return old >= value ? 0 : old + 1;
  }
};
struct Decrement {  // wraps to value at 0
  std::uint32_t operator()(std::uint32_t old, std::uint32_t value) const {
    return old == 0 || old > value ? value : old - 1;
  }
};
struct Exchange {
  template <class V>
  V operator()(V /*old*/, V value) const {
    return value;
  }
};
struct BitAnd {
  template <class V>
  V operator()(V old, V value) const {
    return old & value;
  }
};
struct BitOr {
  template <class V>
  V operator()(V old, V value) const {
    return old | value;
  }
};
struct BitXor {
  template <class V>
  V operator()(V old, V value) const {
    return old ^ value;
  }
};

/// f32 sums in global memory flush subnormal numbers, those in shared memory do not (PTX ISA, "atom").
template <bool kFlush>
struct FloatSum {
  static float flushed(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    if (kFlush && (bits & 0x7F800000U) == 0) bits &= 0x80000000U;
    if (value != value) bits = 0x7FFFFFFFU;
    std::memcpy(&value, &bits, sizeof(bits));
    return value;
  }
  float operator()(float old, float value) const { return flushed(flushed(old) + flushed(value)); }
};
struct DoubleSum {
  double operator()(double old, double value) const {
    const double sum = old + value;
    return sum == sum ? sum : -__builtin_nan("");
  }
};

/// Registers of 16 bits have lanes of 32.
template <class V>
using LaneOf = std::conditional_t<sizeof(V) == 2, std::uint32_t, V>;

/// Lane `lane` of a row whose lanes hold values of type V.
template <class V>
LaneOf<V>* lane_of(LaneContext& context, RowRef ref, unsigned lane) {
  return reinterpret_cast<LaneOf<V>*>(context.bases[ref.base] + ref.offset + lane * sizeof(LaneOf<V>));
}

/// update(lane, old value) is the new value of the lane's memory.
template <class V, class F>
void update_memory(LaneContext& context, const BoundOperation& bound, F update) {
  const bool returns =
      bound.operation->num_dst > 0 && bound.operation->dst[0].kind == Operand::Kind::kRegister;
  alignas(64) V old[kWarpSize] = {};
  for (LaneMask left = context.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    const MemoryWindow& window = context.memory;
    auto* const place =
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the sum is an address of the host, its parts are not
        reinterpret_cast<std::uint8_t*>(window.host + window.address[lane] + lane * window.lane_stride);
    std::memcpy(&old[lane], place, sizeof(V));
    const V value = update(lane, old[lane]);
    std::memcpy(place, &value, sizeof(V));
  }
  if (!returns) return;
  for (LaneMask left = context.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    const LaneOf<V> result = old[lane];
    std::memcpy(lane_of<V>(context, bound.dst[0], lane), &result, sizeof(result));
  }
}

template <class V>
V source(LaneContext& context, const BoundOperation& bound, unsigned index, unsigned lane) {
  V value;
  std::memcpy(&value, lane_of<V>(context, bound.src[index], lane), sizeof(V));
  return value;
}

template <class F, class V>
void combine(LaneContext& context, const BoundOperation& bound) {
  update_memory<V>(context, bound,
                   [&](unsigned lane, V old) { return F{}(old, source<V>(context, bound, 0, lane)); });
}

template <class V>
void compare_and_swap(LaneContext& context, const BoundOperation& bound) {
  update_memory<V>(context, bound, [&](unsigned lane, V old) {
    return old == source<V>(context, bound, 0, lane) ? source<V>(context, bound, 1, lane) : old;
  });
}

template <class F>
Handler ordered(Type type) {
  switch (type) {
    case Type::kU32:
      return &combine<F, std::uint32_t>;
    case Type::kS32:
      return &combine<F, std::int32_t>;
    case Type::kU64:
      return &combine<F, std::uint64_t>;
    case Type::kS64:
      return &combine<F, std::int64_t>;
    default:
      return nullptr;
  }
}

/// For operations that see bits only.
template <class F>
Handler bitwise(Type type) {
  switch (type) {
    case Type::kU32:
    case Type::kS32:
    case Type::kB32:
    case Type::kF32:
      return &combine<F, std::uint32_t>;
    case Type::kU64:
    case Type::kS64:
    case Type::kB64:
    case Type::kF64:
      return &combine<F, std::uint64_t>;
    default:
      return nullptr;
  }
}

Handler select_sum(const Operation& operation) {
  if (operation.type == Type::kF64) return &combine<DoubleSum, double>;
  if (operation.type != Type::kF32) return ordered<Sum>(operation.type);
  return operation.space == Space::kShared ? &combine<FloatSum<false>, float>
                                           : &combine<FloatSum<true>, float>;
}

bool is_word(Type type) { return type == Type::kB32 || type == Type::kU32 || type == Type::kS32; }

Handler select_swap(Type type) {
  if (type == Type::kB16) return &compare_and_swap<std::uint16_t>;
  if (is_word(type)) return &compare_and_swap<std::uint32_t>;
  const bool wide = type == Type::kB64 || type == Type::kU64 || type == Type::kS64;
  if (wide) return &compare_and_swap<std::uint64_t>;
  return nullptr;
}

}  // namespace

Handler select_atomic(const Operation& operation) {
  const Type type = operation.type;
  switch (operation.atomic) {
    case AtomicOp::kAdd:
      return select_sum(operation);
    case AtomicOp::kMin:
      return ordered<Least>(type);
    case AtomicOp::kMax:
      return ordered<Greatest>(type);
    case AtomicOp::kInc:
      return type == Type::kU32 ? &combine<Increment, std::uint32_t> : nullptr;
    case AtomicOp::kDec:
      return type == Type::kU32 ? &combine<Decrement, std::uint32_t> : nullptr;
    case AtomicOp::kExch:
      return bitwise<Exchange>(type);
    case AtomicOp::kCas:
      return select_swap(type);
    case AtomicOp::kAnd:
      return bitwise<BitAnd>(type);
    case AtomicOp::kOr:
      return bitwise<BitOr>(type);
    case AtomicOp::kXor:
      return bitwise<BitXor>(type);
    case AtomicOp::kNone:
      break;
  }
  return nullptr;
}

}  // namespace heddle::ptx
