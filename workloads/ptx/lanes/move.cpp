// Moves: mov of values and predicates, predicate logic, pack and unpack, cvta, isspacep.

#include "workloads/ptx/lanes/address_windows.h"
#include "workloads/ptx/lanes/select.h"

namespace heddle::ptx::HEDDLE_LANES {
namespace {

struct Copy {
  template <class V>
  V operator()(V a) const {
    return a;
  }
};

void move_predicate(LaneContext& context, const BoundOperation& bound) {
  write_predicate(context, bound.operation->dst[0], predicate_of(context, bound.operation->src[0]));
}
void not_predicate(LaneContext& context, const BoundOperation& bound) {
  write_predicate(context, bound.operation->dst[0], ~predicate_of(context, bound.operation->src[0]));
}
void select_predicate(LaneContext& context, const BoundOperation& bound) {
  const Operation& operation = *bound.operation;
  const LaneMask choice = predicate_of(context, operation.src[2]);
  write_predicate(context, operation.dst[0],
                  (predicate_of(context, operation.src[0]) & choice) |
                      (predicate_of(context, operation.src[1]) & ~choice));
}
template <class F>
void combine_predicates(LaneContext& context, const BoundOperation& bound) {
  const Operation& operation = *bound.operation;
  write_predicate(context, operation.dst[0],
                  F{}(predicate_of(context, operation.src[0]), predicate_of(context, operation.src[1])));
}
struct AndMasks {
  LaneMask operator()(LaneMask a, LaneMask b) const { return a & b; }
};
struct OrMasks {
  LaneMask operator()(LaneMask a, LaneMask b) const { return a | b; }
};
struct DifferentMasks {
  LaneMask operator()(LaneMask a, LaneMask b) const { return a ^ b; }
};

/// mov.bN d, {a, b, ...}: the first element is the lowest.
template <class R, unsigned kElementBits>
void pack(LaneContext& context, const BoundOperation& bound) {
  alignas(64) R value[kWarpSize] = {};
  for (unsigned element = 0; element < bound.operation->num_src; ++element) {
    const Row32* source = row<Row32>(context, bound.src[element]);
    for (unsigned i = 0; i < kWarpSize; ++i)
      value[i] |= static_cast<R>(R{source[i]} << (kElementBits * element));
  }
  blend(context.active, row<R>(context, bound.dst[0]), static_cast<const R*>(value));
}

template <class R, unsigned kElementBits>
void unpack(LaneContext& context, const BoundOperation& bound) {
  alignas(64) R source[kWarpSize];  // a destination may overlap the source
  __builtin_memcpy(source, row<R>(context, bound.src[0]), sizeof(source));
  const Operation& operation = *bound.operation;
  for (unsigned element = 0; element < operation.num_dst; ++element) {
    if (operation.dst[element].kind != Operand::Kind::kRegister) continue;
    alignas(64) Row32 value[kWarpSize];
    constexpr std::uint64_t kOnes = (std::uint64_t{1} << kElementBits) - 1;
    for (unsigned i = 0; i < kWarpSize; ++i) {
      value[i] = static_cast<Row32>((source[i] >> (kElementBits * element)) & kOnes);
    }
    blend(context.active, row<Row32>(context, bound.dst[element]), static_cast<const Row32*>(value));
  }
}

template <class T>
void convert_address(LaneContext& context, const BoundOperation& bound) {
  using V = typename T::Value;
  const auto window = static_cast<V>(window_of(bound.operation->space));
  const V shift = bound.operation->to_space ? static_cast<V>(V{0} - window) : window;
  map_lanes<T, T>(
      context.active, row<typename T::Row>(context, bound.dst[0]),
      [shift](V a) { return static_cast<V>(a + shift); }, row<typename T::Row>(context, bound.src[0]));
}

void is_space(LaneContext& context, const BoundOperation& bound) {
  const Row64* address = row<Row64>(context, bound.src[0]);
  LaneMask mask = 0;
  for (unsigned i = 0; i < kWarpSize; ++i) {
    mask |= LaneMask{space_of(address[i]) == bound.operation->space} << i;
  }
  write_predicate(context, bound.operation->dst[0], mask);
}

Handler select_pack(const Operation& operation) {
  const bool wide = plain(operation.type) == Type::kU64;
  if (!wide && plain(operation.type) != Type::kU32) {
    return plain(operation.type) == Type::kU16 && operation.num_src == 2 ? &pack<Row32, 8> : nullptr;
  }
  switch (operation.num_src) {
    case 2:
      return wide ? &pack<Row64, 32> : &pack<Row32, 16>;
    case 4:
      return wide ? &pack<Row64, 16> : &pack<Row32, 8>;
    default:
      return nullptr;
  }
}
Handler select_unpack(const Operation& operation) {
  const bool wide = plain(operation.type) == Type::kU64;
  if (!wide && plain(operation.type) != Type::kU32) {
    return plain(operation.type) == Type::kU16 && operation.num_dst == 2 ? &unpack<Row32, 8> : nullptr;
  }
  switch (operation.num_dst) {
    case 2:
      return wide ? &unpack<Row64, 32> : &unpack<Row32, 16>;
    case 4:
      return wide ? &unpack<Row64, 16> : &unpack<Row32, 8>;
    default:
      return nullptr;
  }
}

Handler select_copy(Type type) {
  switch (plain(type)) {
    case Type::kPred:
      return &move_predicate;
    case Type::kU64:
    case Type::kS64:
    case Type::kF64:
      return &handle<Copy, U64, U64>;
    case Type::kNone:
      return nullptr;
    default:
      return &handle<Copy, U32, U32>;
  }
}

}  // namespace

Handler select_move(const Operation& operation) {
  const bool predicates = operation.type == Type::kPred;
  switch (operation.opcode) {
    case Opcode::kMov:
      return select_copy(operation.type);
    case Opcode::kAnd:
      return predicates ? &combine_predicates<AndMasks> : nullptr;
    case Opcode::kOr:
      return predicates ? &combine_predicates<OrMasks> : nullptr;
    case Opcode::kXor:
      return predicates ? &combine_predicates<DifferentMasks> : nullptr;
    case Opcode::kNot:
      return predicates ? &not_predicate : nullptr;
    case Opcode::kSelp:
      return predicates ? &select_predicate : nullptr;
    case Opcode::kPack:
      return select_pack(operation);
    case Opcode::kUnpack:
      return select_unpack(operation);
    case Opcode::kCvta:
      return plain(operation.type) == Type::kU32 ? &convert_address<U32> : &convert_address<U64>;
    case Opcode::kIsspacep:
      return operation.space == Space::kConst ? nullptr : &is_space;
    default:
      return nullptr;
  }
}

}  // namespace heddle::ptx::HEDDLE_LANES
