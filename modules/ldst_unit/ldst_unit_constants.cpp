#include "modules/ldst_unit/ldst_unit.h"

namespace heddle {

namespace {

/// All lanes, at the same address: what reads of parameters are.
bool all_read_one(const WarpInstruction& instruction) {
  if (instruction.access != kAllLanes) return false;
  const auto& lanes = instruction.addresses.lane;
  std::uint64_t apart = 0;
  for (unsigned i = 1; i < kWarpSize; ++i) apart |= lanes[i] ^ lanes[0];
  return apart == 0;
}

}  // namespace

void LdstUnit::start_constant(const WarpInstruction& instruction) {
  const std::uint64_t base = instruction.space == Space::kParam ? instruction.launch->param_base() : 0;
  num_constants_ = 0;
  next_constant_ = 0;
  line_known_ = false;
  if (all_read_one(instruction)) {
    constants_[num_constants_++] = base + instruction.addresses.lane[0];
    return;
  }
  for (LaneMask left = instruction.access; left != 0; left &= left - 1) {
    std::uint64_t address = base + instruction.addresses.lane[static_cast<unsigned>(__builtin_ctz(left))];
    if (!constant_word_turns_) address = constant_cache.line_address(address);
    unsigned i = num_constants_;
    while (i != 0 && constants_[i - 1] != address) --i;
    if (i == 0) constants_[num_constants_++] = address;
  }
}

LdstUnit::Cause LdstUnit::serve_constant(Cycle now) {
  if (!read_constant()) return Cause::kConstantMiss;
  if (next_constant_ + 1 != num_constants_) {
    ++next_constant_;
    return Cause::kCoalescing;
  }
  WarpInstruction& instruction = *register_;
  leave();
  if (instruction.parts_awaited == 0) {
    instruction.direct = true;
    finish_load(instruction, now);
  }
  return Cause::kProgress;
}

/// Finds the next address, or has its line fetched. False when the MSHR has no place: a fill makes room.
bool LdstUnit::read_constant() {
  const std::uint64_t address = constants_[next_constant_];
  const std::uint64_t line = constant_cache.line_address(address);
  // Addresses of one line that follow each other are one read of it.
  if (line_known_ && constant_line_ == line) return true;
  if (constant_reads_.line_full(line)) return false;
  const ReadOnlyCache::Access found = constant_cache.access(address, register_->counts);
  if (found == ReadOnlyCache::Access::kRefused) return false;
  if (found == ReadOnlyCache::Access::kMissPending) {
    constant_reads_.wait_for(line, *register_);
    ++register_->parts_awaited;
  }
  constant_line_ = line;
  line_known_ = true;
  return true;
}

bool LdstUnit::filled(std::uint64_t line_address) {
  constant_reads_.line_arrived(line_address, domain().cycle());
  wake_in(1);
  return false;
}

WarpInstruction* LdstUnit::take_constant() {
  WarpInstruction& instruction = constant_reads_.pop();
  if (--instruction.parts_awaited != 0) return nullptr;
  // One that is still in the register has addresses to read.
  return &instruction == register_ ? nullptr : &instruction;
}

}  // namespace heddle
