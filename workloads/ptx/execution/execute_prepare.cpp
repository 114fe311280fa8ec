// Operands that are not rows of the width that a handler reads: special registers that change with time or
// place, registers wider or narrower than the type.

#include <cstring>

#include "workloads/ptx/execution/execute_operands.h"
#include "workloads/ptx/execution/thread_block.h"
#include "workloads/ptx/isa/type_info.h"

namespace heddle::ptx {
namespace {

std::uint64_t special_value(Special special, const ExecutionSite& site) {
  switch (special) {
    case Special::kSmid:
      return site.sm;
    case Special::kNsmid:
      return site.num_sms;
    case Special::kClockHi:
      return site.cycle >> 32U;
    default:
      return site.cycle;  // the clocks; %globaltimer counts core cycles too
  }
}

bool is_dynamic(const Operand& operand) {
  if (operand.kind != Operand::Kind::kSpecial) return false;
  switch (operand.special) {
    case Special::kSmid:
    case Special::kNsmid:
    case Special::kClock:
    case Special::kClockHi:
    case Special::kClock64:
    case Special::kGlobaltimer:
      return true;
    default:
      return false;
  }
}

/// Lane `lane` of a row of 64- or 32-bit lanes, zero-extended.
std::uint64_t lane_value(const std::uint8_t* row, bool wide, unsigned lane) {
  std::uint64_t value = 0;
  const std::size_t bytes = wide ? 8 : 4;
  std::memcpy(&value, row + lane * bytes, bytes);
  return value;
}

void set_lane(std::uint8_t* row, bool wide, unsigned lane, std::uint64_t value) {
  const std::size_t bytes = wide ? 8 : 4;
  std::memcpy(row + lane * bytes, &value, bytes);
}

}  // namespace

std::uint64_t BlockState::source_value(const LaneContext& context, const BoundOperation& bound,
                                       unsigned index, unsigned lane) {
  const RowRef ref = bound.src[index];
  return lane_value(context.bases[ref.base] + ref.offset, source_bits(*bound.operation, index) == 64, lane);
}

void BlockState::prepare_sources(LaneContext& context, const BoundOperation& bound,
                                 const ExecutionSite& site) {
  for (unsigned i = 0; i < bound.operation->num_src; ++i) {
    if ((bound.prepare >> i & 1U) == 0) continue;
    const Operand& operand = bound.operation->src[i];
    const bool wide = source_bits(*bound.operation, i) == 64;
    const bool from_wide = operand.kind == Operand::Kind::kRegister && operand.bits == 64;
    const std::uint8_t* const from = context.bases[bound.origin[i].base] + bound.origin[i].offset;
    std::uint8_t* const scratch = context.bases[bound.src[i].base] + bound.src[i].offset;
    const bool dynamic = is_dynamic(operand);
    const std::uint64_t everywhere = dynamic ? special_value(operand.special, site) : 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      set_lane(scratch, wide, lane, dynamic ? everywhere : lane_value(from, from_wide, lane));
    }
  }
}

void BlockState::extend_result(LaneContext& context, const BoundOperation& bound) {
  const Operation& operation = *bound.operation;
  const Operand& result = operation.dst[0];
  const unsigned bits = result_bits(operation);
  const std::uint8_t* const scratch = context.bases[kBlockRows] + kScratchResult;
  std::uint8_t* const row = context.bases[kRegisterRows] + std::size_t{result.slot} * kRowBytes;
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  const std::uint64_t kept = result.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << result.bits) - 1;
  for (LaneMask left = context.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    std::uint64_t value = lane_value(scratch, false, lane);
    if (is_signed_integer(operation.type)) value = (value ^ sign) - sign;
    set_lane(row, result.bits == 64, lane, value & kept);
  }
}

}  // namespace heddle::ptx
