// cvt to a float with a directed rounding.

#include "workloads/ptx/lanes/convert_functions.h"
#include "workloads/ptx/lanes/rounding_mode.h"
#include "workloads/ptx/lanes/select.h"

namespace heddle::ptx::HEDDLE_LANES {
namespace {

template <class S>
Handler half_from(Rounding rounding) {
  switch (rounding) {
    case Rounding::kRz:
      return &handle<ToHalf<Rounding::kRz>, U16, S>;
    case Rounding::kRm:
      return &handle<ToHalf<Rounding::kRm>, U16, S>;
    default:
      return &handle<ToHalf<Rounding::kRp>, U16, S>;
  }
}

template <class S>
Handler rounded_from(const Operation& operation) {
  switch (operation.type) {
    case Type::kF16:
      return operation.sat ? nullptr : half_from<S>(operation.rounding);
    case Type::kF32:
      if (operation.sat) return &handle_rounded<CastTo<float>, Float32Lane<false, true>, S>;
      return operation.ftz ? &handle_rounded<CastTo<float>, F32Ftz, S>
                           : &handle_rounded<CastTo<float>, F32, S>;
    case Type::kF64:
      return operation.sat ? nullptr : &handle_rounded<CastTo<double>, F64, S>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler select_convert_rounded(const Operation& operation) {
  switch (plain(operation.source_type)) {
    case Type::kU8:
      return rounded_from<U8>(operation);
    case Type::kU16:
      return rounded_from<U16>(operation);
    case Type::kU32:
      return rounded_from<U32>(operation);
    case Type::kU64:
      return rounded_from<U64>(operation);
    case Type::kS8:
      return rounded_from<S8>(operation);
    case Type::kS16:
      return rounded_from<S16>(operation);
    case Type::kS32:
      return rounded_from<S32>(operation);
    case Type::kS64:
      return rounded_from<S64>(operation);
    case Type::kF32:
      if (operation.type != Type::kF16 || operation.sat) return nullptr;
      return operation.ftz ? half_from<F32Ftz>(operation.rounding) : half_from<F32>(operation.rounding);
    case Type::kF64:
      return rounded_from<F64>(operation);
    default:
      return nullptr;
  }
}

}  // namespace heddle::ptx::HEDDLE_LANES
