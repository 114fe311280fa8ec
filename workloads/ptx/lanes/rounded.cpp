// Floating-point arithmetic with a directed rounding: .rz, .rm, .rp.

#include "workloads/ptx/lanes/float_functions.h"
#include "workloads/ptx/lanes/rounding_mode.h"
#include "workloads/ptx/lanes/select.h"

namespace heddle::ptx::HEDDLE_LANES {
namespace {

template <class F, class In, class Out>
Handler handler_of() {
  if constexpr (std::is_invocable_v<F, typename In::Value>) {
    return &handle_rounded<F, Out, In>;
  } else if constexpr (std::is_invocable_v<F, typename In::Value, typename In::Value>) {
    return &handle_rounded<F, Out, In, In>;
  } else {
    return &handle_rounded<F, Out, In, In, In>;
  }
}

template <class F>
Handler arithmetic(const Operation& operation) {
  if (operation.type == Type::kF32) {
    if (operation.sat) {
      return operation.ftz ? handler_of<F, F32Ftz, Float32Lane<true, true>>()
                           : handler_of<F, F32, Float32Lane<false, true>>();
    }
    return operation.ftz ? handler_of<F, F32Ftz, F32Ftz>() : handler_of<F, F32, F32>();
  }
  return operation.type == Type::kF64 && !operation.sat ? handler_of<F, F64, F64>() : nullptr;
}

}  // namespace

Handler select_rounded(const Operation& operation) {
  switch (operation.opcode) {
    case Opcode::kAdd:
      return arithmetic<FloatAdd>(operation);
    case Opcode::kSub:
      return arithmetic<FloatSubtract>(operation);
    case Opcode::kMul:
      return arithmetic<FloatMultiply>(operation);
    case Opcode::kMad:
    case Opcode::kFma:
      return arithmetic<Fused>(operation);
    case Opcode::kDiv:
      return arithmetic<FloatDivide>(operation);
    case Opcode::kRcp:
      return arithmetic<Reciprocal>(operation);
    case Opcode::kSqrt:
      return arithmetic<SquareRoot>(operation);
    default:
      return nullptr;
  }
}

}  // namespace heddle::ptx::HEDDLE_LANES
