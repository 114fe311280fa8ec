#include "workloads/ptx/execution/simt_stack.h"

namespace heddle::ptx {

void SimtStack::reset(LaneMask lanes) {
  depth_ = 0;
  push(0, kNever, lanes);
}

void SimtStack::push(std::uint32_t pc, std::uint32_t reconvergence, LaneMask mask) {
  if (mask != 0 && pc != reconvergence) entries_[depth_++] = {pc, reconvergence, mask};
}

// The top path has reached its end: its lanes are also in the entry below that waits at that place.
void SimtStack::join() {
  while (depth_ > 0 && entries_[depth_ - 1].pc == entries_[depth_ - 1].reconvergence) --depth_;
}

void SimtStack::branch(LaneMask taken, std::uint32_t target, std::uint32_t fall_through,
                       std::uint32_t reconvergence) {
  Entry& top = entries_[depth_ - 1];
  const LaneMask not_taken = top.mask & ~taken;
  if (taken == 0 || not_taken == 0 || target == fall_through) {
    advance(taken == 0 ? fall_through : target);
    return;
  }
  const std::uint32_t outer = top.reconvergence;
  if (reconvergence == outer) {
    --depth_;  // the entry that waits at that place is already there
  } else {
    top.pc = reconvergence;
  }
  push(target, reconvergence, taken);
  push(fall_through, reconvergence, not_taken);
}

void SimtStack::exit(LaneMask lanes, std::uint32_t next) {
  for (unsigned level = 0; level < depth_; ++level) entries_[level].mask &= ~lanes;
  if (entries_[depth_ - 1].mask != 0) {
    advance(next);
    return;
  }
  // Entries below may hold other lanes, waiting for paths that all ended or still to run.
  while (depth_ > 0 && entries_[depth_ - 1].mask == 0) --depth_;
  join();
}

}  // namespace heddle::ptx
