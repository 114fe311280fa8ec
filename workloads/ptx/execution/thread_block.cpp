#include "workloads/ptx/execution/thread_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "workloads/ptx/execution/execute_operands.h"

namespace heddle::ptx {
namespace {

void spread(std::uint8_t* row, std::uint32_t value) {
  for (unsigned i = 0; i < kWarpSize; ++i) std::memcpy(row + i * sizeof(value), &value, sizeof(value));
}

void clear(AlignedBytes& bytes) {
  if (!bytes.empty()) std::memset(bytes.data(), 0, bytes.size());
}

}  // namespace

BlockState::BlockState(PtxLaunch& launch)
    : launch_(launch),
      operations_(launch.bound().operations().data()),
      build_(launch.bound().build()),
      warps_(launch.warps_per_tb()),
      registers_(std::size_t{launch.warps_per_tb()} * launch.code().num_slots * kRowBytes),
      rows_(kBlockRowBytes),
      shared_(launch.shared_bytes()),
      local_(std::size_t{launch.warps_per_tb()} * kWarpSize * launch.code().program.local_bytes_per_thread),
      local_stride_(launch.code().program.local_bytes_per_thread),
      last_ranges_(launch.code().operations.size()) {
  for (unsigned i = 0; i < warps_.size(); ++i) {
    LaneContext& context = warps_[i].context;
    context.bases = {registers_.data() + std::size_t{i} * launch.code().num_slots * kRowBytes,
                     launch.bound().constants(), rows_.data(), launch.warp_rows(i)};
    context.predicates = warps_[i].predicates.data();
  }
}

std::unique_ptr<ThreadBlock> BlockState::start(std::uint64_t tb) {
  const Dim3 grid = launch_.grid();
  const Code& code = launch_.code();
  ctaid_ = {static_cast<std::uint32_t>(tb % grid.x), static_cast<std::uint32_t>(tb / grid.x % grid.y),
            static_cast<std::uint32_t>(tb / grid.x / grid.y)};
  for (unsigned i = 0; i < 3; ++i) spread(rows_.data() + std::size_t{i} * kRowBytes, ctaid_[i]);
  // PTX leaves all of this undefined; zeros make runs of a program that reads it repeatable. Registers that
  // are written before they are read need none, and are most of them.
  clear(shared_);
  local_.clear();
  for (unsigned i = 0; i < warps_.size(); ++i) {
    Warp& warp = warps_[i];
    warp.stack.reset(launch_.lanes_of(i));
    std::uint8_t* const rows = registers_.data() + std::size_t{i} * code.num_slots * kRowBytes;
    for (const std::uint16_t slot : code.unwritten_slots)
      std::memset(rows + std::size_t{slot} * kRowBytes, 0, kRowBytes);
    std::fill_n(warp.predicates.begin(), code.num_predicates, 0);
    warp.reduction_lanes = 0;
  }
  reductions_.fill({});
  return std::unique_ptr<ThreadBlock>(new (handle_memory_.data()) Handle(*this));
}

void BlockState::step(unsigned warp_index, const ExecutionSite& site, Step& out, LaneAddresses& addresses) {
  Warp& warp = warps_[warp_index];
  const std::uint32_t index = warp.stack.pc();
  out = Step{};
  out.path = warp.stack.mask();
  execute(warp, index, site, out, addresses);
  tell_next(warp, index, out);
}

std::uint64_t BlockState::run(unsigned warp_index, ExecutionSite& site, const Steps& steps, Step& last,
                              LaneAddresses& addresses) {
  Warp& warp = warps_[warp_index];
  last = Step{};
  std::uint32_t index = 0;
  std::uint64_t done = 0;
  do {
    index = warp.stack.pc();
    last.path = warp.stack.mask();
    last.access = 0;
    last.space = Space::kNone;
    execute(warp, index, site, last, addresses);
    ++site.cycle;
    steps.work.add(index, last.active);
  } while (++done < steps.most && !warp.stack.empty() && !last.at_barrier &&
           (last.access == 0 || !steps.to_access));
  tell_next(warp, index, last);
  return done;
}

/// Of `out` all but how the warp goes on; `access` is written only for memory instructions, `at_barrier` at a
/// barrier.
[[gnu::always_inline]] inline void BlockState::execute(Warp& warp, std::uint32_t index,
                                                       const ExecutionSite& site, Step& out,
                                                       LaneAddresses& addresses) {
  const BoundOperation& bound = operations_[index];
  LaneMask active = out.path;
  if (bound.guarded) active &= warp.predicates[bound.guard] ^ bound.guard_inversion;
  warp.context.active = active;
  out.active = active;
  if (bound.prepare != 0) prepare_sources(warp.context, bound, site);
  switch (bound.kind) {
    case StepKind::kLanes:
      if (active != 0) {
        bound.run(warp.context, bound);
        if (bound.extend_result) extend_result(warp.context, bound);
      }
      warp.stack.advance(index + 1);
      break;
    case StepKind::kMemory:
    case StepKind::kAtomic:
      access(warp, bound, site, out, addresses);
      warp.stack.advance(index + 1);
      break;
    case StepKind::kBranch:
      warp.stack.branch(active, bound.operation->target, index + 1, bound.operation->reconvergence);
      break;
    case StepKind::kBarrier:
    case StepKind::kBarrierReduction:
      if (active != 0) barrier(warp, bound, out);
      warp.stack.advance(index + 1);
      break;
    case StepKind::kExit:
      warp.stack.exit(active, index + 1);
      break;
    case StepKind::kTrap:
      if (active != 0) trap(warp, bound);
      warp.stack.advance(index + 1);
      break;
    case StepKind::kPrintf:
      if (active != 0 && site.put_off != nullptr) {
        put_off(warp, bound, site, nullptr, false);
      } else if (active != 0) {
        print(warp, bound);
      }
      warp.stack.advance(index + 1);
      break;
    case StepKind::kTexture:
      fetch_texture(warp, bound, out, addresses);
      warp.stack.advance(index + 1);
      break;
    case StepKind::kNothing:
      warp.stack.advance(index + 1);
      break;
  }
}

/// Behind the instruction at `index`.
inline void BlockState::tell_next(const Warp& warp, std::uint32_t index, Step& out) {
  out.index = index;
  if (warp.stack.empty()) {
    out.warp_finished = true;
  } else {
    out.next_index = warp.stack.pc();
    out.redirected = out.next_index != index + 1;
  }
}

void BlockState::put_off(const Warp& warp, const BoundOperation& bound, const ExecutionSite& site,
                         const std::uint64_t* address, bool consecutive) {
  const auto index = static_cast<std::uint32_t>(&bound - operations_);
  site.put_off->push_back(
      {&handle(), index_of(warp), index, warp.context.active, consecutive, address, site});
}

void BlockState::finish(const PutOffStep& step) {
  Warp& warp = warps_[step.warp];
  const BoundOperation& bound = operations_[step.index];
  warp.context.active = step.lanes;
  // Another warp of the thread block may have used the scratch rows since.
  if (bound.prepare != 0) prepare_sources(warp.context, bound, step.site);
  if (bound.kind == StepKind::kPrintf) {
    print(warp, bound);
  } else {
    move_global(warp, bound, step.addresses, step.consecutive);
  }
}

std::string BlockState::Handle::describe_warp(unsigned warp) const {
  const Warp& state = state_.warps_[warp];
  const Program& program = state_.launch_.program();
  std::string lines;
  for (unsigned level = state.stack.depth(); level-- > 0;) {
    const SimtStack::Entry& at = state.stack.entry(level);
    lines += fmt::format("lanes {:#010x} at instruction {}", at.mask, at.pc);
    if (at.pc < program.code.size()) lines += fmt::format(" (line {})", program.code[at.pc].line);
    if (at.pc < program.text.size()) lines += fmt::format(" '{}'", program.text[at.pc]);
    if (at.reconvergence != SimtStack::kNever) lines += fmt::format(" until {}", at.reconvergence);
    lines += '\n';
  }
  return lines.empty() ? "finished\n" : lines;
}

}  // namespace heddle::ptx
