// Comparisons: setp, set, selp, slct, testp.

#include "workloads/ptx/lanes/select.h"

namespace heddle::ptx::HEDDLE_LANES {
namespace {

struct Equal {
  template <class V>
  bool operator()(V a, V b) const {
    return a == b;
  }
};
struct Less {
  template <class V>
  bool operator()(V a, V b) const {
    return a < b;
  }
};
struct LessOrEqual {
  template <class V>
  bool operator()(V a, V b) const {
    return a <= b;
  }
};
// The float comparisons that are not the opposite of another one: each is false when an operand is NaN.
struct OrderedNotEqual {
  template <class V>
  bool operator()(V a, V b) const {
    return a < b || a > b;
  }
};
struct Greater {
  template <class V>
  bool operator()(V a, V b) const {
    return a > b;
  }
};
struct GreaterOrEqual {
  template <class V>
  bool operator()(V a, V b) const {
    return a >= b;
  }
};
struct Ordered {
  template <class V>
  bool operator()(V a, V b) const {
    return a == a && b == b;
  }
};

/// One bit per lane: F of the lane's sources.
template <class S, class F, class... R>
inline LaneMask lanes_where(F f, const R*... source) {
  using Bits = std::conditional_t<sizeof(typename S::Row) == 4, std::uint32_t, std::uint64_t>;
  Bits mask = 0;
  for (unsigned i = 0; i < kWarpSize; ++i) {
    mask |= f(S::get(source[i])...) ? LaneBits<typename S::Row>::kBit[i] : Bits{0};
  }
  return static_cast<LaneMask>(mask);
}

template <class F, class S>
inline LaneMask compare(LaneContext& context, const BoundOperation& bound) {
  using Row = typename S::Row;
  const LaneMask mask = lanes_where<S>(F{}, static_cast<const Row*>(row<Row>(context, bound.src[0])),
                                       static_cast<const Row*>(row<Row>(context, bound.src[1])));
  return bound.invert_compare ? ~mask : mask;
}

inline LaneMask combine(const LaneContext& context, const Operation& operation, LaneMask mask) {
  switch (operation.bool_op) {
    case Bool::kAnd:
      return mask & predicate_of(context, operation.src[2]);
    case Bool::kOr:
      return mask | predicate_of(context, operation.src[2]);
    case Bool::kXor:
      return mask ^ predicate_of(context, operation.src[2]);
    case Bool::kNone:
      break;
  }
  return mask;
}

template <class F, class S>
void set_predicate(LaneContext& context, const BoundOperation& bound) {
  const Operation& operation = *bound.operation;
  const LaneMask mask = compare<F, S>(context, bound);
  const LaneMask first = combine(context, operation, mask);
  if (operation.num_dst > 1 && operation.dst[1].kind == Operand::Kind::kPredicate) {
    write_predicate(context, operation.dst[1], combine(context, operation, ~mask));
  }
  if (operation.dst[0].kind == Operand::Kind::kPredicate) write_predicate(context, operation.dst[0], first);
}

/// d[i] = mask has lane i ? a[i] : b[i].
template <class R>
inline void choose(LaneContext& context, const BoundOperation& bound, LaneMask mask, const R* a, const R* b) {
  R* destination = row<R>(context, bound.dst[0]);
  alignas(64) R value[kWarpSize];
  HEDDLE_INDEPENDENT_LANES
  for (unsigned i = 0; i < kWarpSize; ++i) value[i] = (mask & LaneBits<R>::kBit[i]) != 0 ? a[i] : b[i];
  blend(context.active, destination, static_cast<const R*>(value));
}

template <class F, class S>
void set_value(LaneContext& context, const BoundOperation& bound) {
  const Operation& operation = *bound.operation;
  const LaneMask mask = combine(context, operation, compare<F, S>(context, bound));
  const std::uint32_t yes = operation.type == Type::kF32 ? 0x3F800000U : 0xFFFFFFFFU;
  alignas(64) Row32 value[kWarpSize];
  for (unsigned i = 0; i < kWarpSize; ++i) value[i] = (mask & LaneBits<Row32>::kBit[i]) != 0 ? yes : 0U;
  blend(context.active, row<Row32>(context, bound.dst[0]), static_cast<const Row32*>(value));
}

template <class R>
void select_by_predicate(LaneContext& context, const BoundOperation& bound) {
  const LaneMask mask = predicate_of(context, bound.operation->src[2]);
  choose<R>(context, bound, mask, row<R>(context, bound.src[0]), row<R>(context, bound.src[1]));
}

struct NotNegative {
  template <class V>
  bool operator()(V a) const {
    return a >= V{0};
  }
};
/// slct: a where c >= 0, else b; a NaN chooses b.
template <class R, class C>
void select_by_sign(LaneContext& context, const BoundOperation& bound) {
  const LaneMask mask =
      lanes_where<C>(NotNegative{}, static_cast<const Row32*>(row<Row32>(context, bound.src[2])));
  choose<R>(context, bound, mask, row<R>(context, bound.src[0]), row<R>(context, bound.src[1]));
}

template <FloatClass kClass>
struct IsClass {
  template <class V>
  bool operator()(V a) const {
    const V magnitude = a < 0 ? -a : a;
    const V smallest = sizeof(V) == 4 ? V{1.17549435e-38F} : static_cast<V>(2.2250738585072014e-308);
    const bool finite = a - a == V{0};
    switch (kClass) {
      case FloatClass::kFinite:
        return finite;
      case FloatClass::kInfinite:
        return a == a && !finite;
      case FloatClass::kNumber:
        return a == a;
      case FloatClass::kNotANumber:
        return a != a;
      case FloatClass::kNormal:
        return finite && magnitude >= smallest;
      default:
        return a != V{0} && magnitude < smallest;
    }
  }
};
template <class S, FloatClass kClass>
void test_class(LaneContext& context, const BoundOperation& bound) {
  using Row = typename S::Row;
  write_predicate(
      context, bound.operation->dst[0],
      lanes_where<S>(IsClass<kClass>{}, static_cast<const Row*>(row<Row>(context, bound.src[0]))));
}
template <class S>
Handler select_class(FloatClass float_class) {
  switch (float_class) {
    case FloatClass::kFinite:
      return &test_class<S, FloatClass::kFinite>;
    case FloatClass::kInfinite:
      return &test_class<S, FloatClass::kInfinite>;
    case FloatClass::kNumber:
      return &test_class<S, FloatClass::kNumber>;
    case FloatClass::kNotANumber:
      return &test_class<S, FloatClass::kNotANumber>;
    case FloatClass::kNormal:
      return &test_class<S, FloatClass::kNormal>;
    case FloatClass::kSubnormal:
      return &test_class<S, FloatClass::kSubnormal>;
    case FloatClass::kNone:
      break;
  }
  return nullptr;
}

/// setp's or set's handler.
template <class F, class S>
Handler result(bool value) {
  return value ? &set_value<F, S> : &set_predicate<F, S>;
}

template <class F, class... T>
Handler of_type(Type type, bool value) {
  Handler found = nullptr;
  ((type == T::kType ? static_cast<void>(found = result<F, T>(value)) : static_cast<void>(0)), ...);
  return found;
}

template <class F>
Handler float_compare(const Operation& operation, Type type, bool value) {
  if (type == Type::kF64) return result<F, F64>(value);
  return operation.ftz ? result<F, F32Ftz>(value) : result<F, F32>(value);
}

Handler select_float_compare(const Operation& operation, Type type, bool value) {
  switch (operation.compare) {
    case Compare::kEq:
    case Compare::kNeu:
      return float_compare<Equal>(operation, type, value);
    case Compare::kNe:
    case Compare::kEqu:
      return float_compare<OrderedNotEqual>(operation, type, value);
    case Compare::kLt:
    case Compare::kGeu:
      return float_compare<Less>(operation, type, value);
    case Compare::kLe:
    case Compare::kGtu:
      return float_compare<LessOrEqual>(operation, type, value);
    case Compare::kGt:
    case Compare::kLeu:
      return float_compare<Greater>(operation, type, value);
    case Compare::kGe:
    case Compare::kLtu:
      return float_compare<GreaterOrEqual>(operation, type, value);
    case Compare::kNum:
    case Compare::kNan:
      return float_compare<Ordered>(operation, type, value);
    default:
      return nullptr;
  }
}

Handler select_integer_compare(const Operation& operation, Type type, bool value) {
  switch (operation.compare) {
    case Compare::kEq:
    case Compare::kNe:
      return of_type<Equal, U16, U32, U64, S16, S32, S64>(type, value);
    case Compare::kLt:
    case Compare::kGe:
      return of_type<Less, U16, U32, U64, S16, S32, S64>(type, value);
    case Compare::kLe:
    case Compare::kGt:
      return of_type<LessOrEqual, U16, U32, U64, S16, S32, S64>(type, value);
    case Compare::kLo:
    case Compare::kHs:
      return of_type<Less, U16, U32, U64>(type, value);
    case Compare::kLs:
    case Compare::kHi:
      return of_type<LessOrEqual, U16, U32, U64>(type, value);
    default:
      return nullptr;
  }
}

Handler select_comparison(const Operation& operation, bool value) {
  const Type type = plain(operation.source_type != Type::kNone ? operation.source_type : operation.type);
  const bool has_result = operation.type == Type::kF32 || operation.type == Type::kU32 ||
                          operation.type == Type::kS32 || operation.type == Type::kB32;
  if (value && !has_result) return nullptr;
  if (type == Type::kF32 || type == Type::kF64) return select_float_compare(operation, type, value);
  return select_integer_compare(operation, type, value);
}

bool is_wide(Type type) {
  return type == Type::kU64 || type == Type::kS64 || type == Type::kB64 || type == Type::kF64;
}

Handler select_slct(const Operation& operation) {
  const bool wide = is_wide(operation.type);
  if (operation.source_type == Type::kS32)
    return wide ? &select_by_sign<Row64, S32> : &select_by_sign<Row32, S32>;
  if (operation.source_type != Type::kF32) return nullptr;
  if (operation.ftz) return wide ? &select_by_sign<Row64, F32Ftz> : &select_by_sign<Row32, F32Ftz>;
  return wide ? &select_by_sign<Row64, F32> : &select_by_sign<Row32, F32>;
}

}  // namespace

Handler select_compare(const Operation& operation) {
  switch (operation.opcode) {
    case Opcode::kSetp:
      return select_comparison(operation, false);
    case Opcode::kSet:
      return select_comparison(operation, true);
    case Opcode::kSelp:
      return is_wide(operation.type) ? &select_by_predicate<Row64> : &select_by_predicate<Row32>;
    case Opcode::kSlct:
      return select_slct(operation);
    case Opcode::kTestp:
      return operation.type == Type::kF64 ? select_class<F64>(operation.float_class)
                                          : select_class<F32>(operation.float_class);
    default:
      return nullptr;
  }
}

}  // namespace heddle::ptx::HEDDLE_LANES
