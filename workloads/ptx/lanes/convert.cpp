// cvt with the default rounding: between integers, to nearest float, float to integer.

#include "workloads/ptx/lanes/convert_functions.h"
#include "workloads/ptx/lanes/select.h"

namespace heddle::ptx::HEDDLE_LANES {
namespace {

bool is_float(Type type) { return type == Type::kF16 || type == Type::kF32 || type == Type::kF64; }

// Without saturation only the width of the destination matters.
template <class S>
Handler truncate_from(Type to) {
  switch (to) {
    case Type::kU8:
    case Type::kS8:
      return &handle<CastTo<std::uint8_t>, U8, S>;
    case Type::kU16:
    case Type::kS16:
      return &handle<CastTo<std::uint16_t>, U16, S>;
    case Type::kU32:
    case Type::kS32:
      return &handle<CastTo<std::uint32_t>, U32, S>;
    case Type::kU64:
    case Type::kS64:
      return &handle<CastTo<std::uint64_t>, U64, S>;
    default:
      return nullptr;
  }
}

template <class S, class... D>
Handler saturate_from(Type to) {
  Handler found = nullptr;
  ((to == D::kType ? static_cast<void>(found = &handle<SaturateTo<typename D::Value>, D, S>)
                   : static_cast<void>(0)),
   ...);
  return found;
}

template <class S>
Handler to_float(const Operation& operation) {
  switch (operation.type) {
    case Type::kF16:
      return operation.sat ? nullptr : &handle<ToHalf<Rounding::kRn>, U16, S>;
    case Type::kF32:
      return operation.sat ? &handle<CastTo<float>, Float32Lane<false, true>, S>
                           : &handle<CastTo<float>, F32, S>;
    case Type::kF64:
      return operation.sat ? nullptr : &handle<CastTo<double>, F64, S>;
    default:
      return nullptr;
  }
}

template <class S>
Handler from_integer(const Operation& operation) {
  if (is_float(operation.type)) return to_float<S>(operation);
  if (operation.sat) return saturate_from<S, U8, U16, U32, U64, S8, S16, S32, S64>(operation.type);
  return truncate_from<S>(operation.type);
}

template <Rounding kRounding, class S, class... D>
Handler integers_from(Type to) {
  Handler found = nullptr;
  ((to == D::kType ? static_cast<void>(found = &handle<ToInteger<kRounding, typename D::Value>, D, S>)
                   : static_cast<void>(0)),
   ...);
  return found;
}

template <class S>
Handler to_integer(const Operation& operation) {
  const Type to = operation.type;
  switch (operation.rounding) {
    case Rounding::kRni:
      return integers_from<Rounding::kRni, S, U8, U16, U32, U64, S8, S16, S32, S64>(to);
    case Rounding::kRmi:
      return integers_from<Rounding::kRmi, S, U8, U16, U32, U64, S8, S16, S32, S64>(to);
    case Rounding::kRpi:
      return integers_from<Rounding::kRpi, S, U8, U16, U32, U64, S8, S16, S32, S64>(to);
    case Rounding::kNone:
    case Rounding::kRzi:
      return integers_from<Rounding::kRzi, S, U8, U16, U32, U64, S8, S16, S32, S64>(to);
    default:
      return nullptr;
  }
}

/// Between float types S -> D; .rni and the like keep the type and round to an integer.
template <class S, class D>
Handler float_to(Rounding rounding) {
  if (rounding == Rounding::kNone || rounding == Rounding::kRn)
    return &handle<CastTo<typename D::Value>, D, S>;
  if constexpr (std::is_same_v<typename S::Value, typename D::Value>) {
    switch (rounding) {
      case Rounding::kRni:
        return &handle<Integral<Rounding::kRni>, D, S>;
      case Rounding::kRzi:
        return &handle<Integral<Rounding::kRzi>, D, S>;
      case Rounding::kRmi:
        return &handle<Integral<Rounding::kRmi>, D, S>;
      case Rounding::kRpi:
        return &handle<Integral<Rounding::kRpi>, D, S>;
      default:
        break;
    }
  }
  return nullptr;
}

template <class S>
Handler from_float(const Operation& operation) {
  const Rounding rounding = operation.rounding;
  switch (operation.type) {
    case Type::kF16:
      if (operation.sat) return nullptr;
      if constexpr (S::kType == Type::kF64) {
        return rounding == Rounding::kRn ? &handle<ToHalf<Rounding::kRn>, U16, S> : nullptr;
      } else {
        return float_to<S, F16>(rounding);
      }
    case Type::kF32:
      if (operation.sat) {
        return operation.ftz ? float_to<S, Float32Lane<true, true>>(rounding)
                             : float_to<S, Float32Lane<false, true>>(rounding);
      }
      return operation.ftz ? float_to<S, F32Ftz>(rounding) : float_to<S, F32>(rounding);
    case Type::kF64:
      return operation.sat ? float_to<S, Float64Lane<true>>(rounding) : float_to<S, F64>(rounding);
    default:
      return to_integer<S>(operation);
  }
}

}  // namespace

Handler select_convert(const Operation& operation) {
  const Rounding rounding = operation.rounding;
  if (rounding == Rounding::kRz || rounding == Rounding::kRm || rounding == Rounding::kRp) {
    return select_convert_rounded(operation);
  }
  Operation plain_types = operation;
  plain_types.type = plain(operation.type);
  switch (plain(operation.source_type)) {
    case Type::kU8:
      return from_integer<U8>(plain_types);
    case Type::kU16:
      return from_integer<U16>(plain_types);
    case Type::kU32:
      return from_integer<U32>(plain_types);
    case Type::kU64:
      return from_integer<U64>(plain_types);
    case Type::kS8:
      return from_integer<S8>(plain_types);
    case Type::kS16:
      return from_integer<S16>(plain_types);
    case Type::kS32:
      return from_integer<S32>(plain_types);
    case Type::kS64:
      return from_integer<S64>(plain_types);
    case Type::kF16:
      return from_float<F16>(plain_types);
    case Type::kF32:
      return operation.ftz ? from_float<F32Ftz>(plain_types) : from_float<F32>(plain_types);
    case Type::kF64:
      return from_float<F64>(plain_types);
    default:
      return nullptr;
  }
}

}  // namespace heddle::ptx::HEDDLE_LANES
