// Chains with the carry flag: add.cc, addc, sub.cc, subc, mad.cc, madc. The flag of sub is the borrow.

#include "workloads/ptx/lanes/select.h"
#include "workloads/ptx/lanes/wide.h"

namespace heddle::ptx::HEDDLE_LANES {
namespace {

template <bool kHigh, class V>
V product(V a, V b) {
  return kHigh ? high_part(a, b) : static_cast<V>(a * b);
}

template <class T, class F>
void chain(LaneContext& context, const BoundOperation& bound, F f) {
  using Row = typename T::Row;
  using Value = typename T::Value;
  const Operation& operation = *bound.operation;
  Row* destination = row<Row>(context, bound.dst[0]);
  const Row* a = row<Row>(context, bound.src[0]);
  const Row* b = row<Row>(context, bound.src[1]);
  const Row* c = operation.num_src > 2 ? row<Row>(context, bound.src[2]) : b;
  LaneMask carry = 0;
  alignas(64) Row value[kWarpSize];
  for (unsigned i = 0; i < kWarpSize; ++i) {
    const Value in = operation.carry_in ? (context.predicates[kCarryPredicate] >> i) & 1U : 0;
    bool out = false;
    value[i] = f(Value{a[i]}, Value{b[i]}, Value{c[i]}, in, out);
    carry |= LaneMask{out} << i;
  }
  blend(context.active, destination, value);
  if (operation.carry_out) {
    LaneMask& flag = context.predicates[kCarryPredicate];
    flag = (flag & ~context.active) | (carry & context.active);
  }
}

template <class V>
V add_carry(V a, V b, V in, bool& out) {
  const V partial = static_cast<V>(a + b);
  const V sum = static_cast<V>(partial + in);
  out = partial < a || sum < partial;
  return sum;
}

template <class T>
void add_chain(LaneContext& context, const BoundOperation& bound) {
  using V = typename T::Value;
  chain<T>(context, bound, [](V a, V b, V, V in, bool& out) { return add_carry(a, b, in, out); });
}

template <class T>
void subtract_chain(LaneContext& context, const BoundOperation& bound) {
  using V = typename T::Value;
  chain<T>(context, bound, [](V a, V b, V, V in, bool& out) {
    const V partial = a - b;
    out = a < b || partial < in;
    return V{partial - in};
  });
}

template <class T, class Signed, bool kHigh>
void multiply_chain(LaneContext& context, const BoundOperation& bound) {
  using V = typename T::Value;
  chain<T>(context, bound, [](V a, V b, V c, V in, bool& out) {
    const V partial = static_cast<V>(product<kHigh>(static_cast<Signed>(a), static_cast<Signed>(b)));
    return add_carry(partial, c, in, out);
  });
}

}  // namespace

Handler select_carry(const Operation& operation) {
  const Type type = operation.type;
  const bool narrow = type == Type::kU32 || type == Type::kS32 || type == Type::kB32;
  if (!narrow && type != Type::kU64 && type != Type::kS64 && type != Type::kB64) return nullptr;
  switch (operation.opcode) {
    case Opcode::kAdd:
      return narrow ? &add_chain<U32> : &add_chain<U64>;
    case Opcode::kSub:
      return narrow ? &subtract_chain<U32> : &subtract_chain<U64>;
    case Opcode::kMad:
      if (operation.mul_part != MulPart::kHi) {
        return narrow ? &multiply_chain<U32, std::uint32_t, false>
                      : &multiply_chain<U64, std::uint64_t, false>;
      }
      if (type == Type::kS32) return &multiply_chain<U32, std::int32_t, true>;
      if (type == Type::kS64) return &multiply_chain<U64, std::int64_t, true>;
      return narrow ? &multiply_chain<U32, std::uint32_t, true> : &multiply_chain<U64, std::uint64_t, true>;
    default:
      return nullptr;
  }
}

}  // namespace heddle::ptx::HEDDLE_LANES
