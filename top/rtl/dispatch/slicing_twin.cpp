#include "top/rtl/dispatch/slicing_twin.h"

#include <fmt/format.h>

#include "top/rtl/dispatch/slicing_design.h"
#include "top/rtl/dispatch_ports.h"

namespace heddle {

namespace {

std::uint64_t& word(PortTwin& twin, DispatchPort port) {
  return twin.words()[static_cast<unsigned>(port)];  // the design has them in this order
}

std::uint64_t packed(const SlicingSample& sample, unsigned kernel_bits) {
  return (std::uint64_t{sample.valid} << kernel_bits | sample.kernel) << SlicingParts::kCycleBits | sample.t;
}

std::uint64_t one_hot(unsigned kernel) {
  return kernel == SlicingMachine::kNone ? 0 : std::uint64_t{1} << kernel;
}

}  // namespace

SlicingTwin::SlicingTwin(unsigned sm, SlicingMachine& machine, bool decides, const PortTwin::Setup& setup)
    : machine_(machine),
      decides_(decides),
      twin_(sm, setup),
      kernel_bits_(hw::index_bits(machine.kernels())),
      slot_bits_(slicing_tb_slots(*setup.design)) {
  machine.watch(*this);
}

void SlicingTwin::set_idle_inputs(std::uint64_t cycle) {
  std::fill(twin_.words().begin(), twin_.words().end(), 0);
  word(twin_, DispatchPort::kCycle) = cycle & hw::low_bits(SlicingParts::kCycleBits);
  word(twin_, DispatchPort::kRunning) = machine_.running();
  word(twin_, DispatchPort::kReadKernel) = read_kernel_;
}

void SlicingTwin::set_outputs(unsigned first) {
  word(twin_, DispatchPort::kFirst) = one_hot(first);
  word(twin_, DispatchPort::kKnown) = machine_.known();
  word(twin_, DispatchPort::kSample) = packed(machine_.sample(), kernel_bits_);
  word(twin_, DispatchPort::kPredCycles) = machine_.predicted_cycles(read_kernel_);
  read_kernel_ = (read_kernel_ + 1) % machine_.kernels();
}

/// Cycles of which the predictor is told nothing. Those in which it has nothing to do are left out.
void SlicingTwin::go_on_to(std::uint64_t cycle) {
  while (now_ < cycle) {
    if (machine_.running() == 0 && !machine_.divides(now_)) {
      now_ = cycle;
      return;
    }
    set_idle_inputs(now_);
    set_outputs(SlicingMachine::kNone);
    twin_.end_cycle(now_++);
  }
}

void SlicingTwin::on_cycle(std::uint64_t cycle, const SlicingInputs& in, unsigned first) {
  go_on_to(cycle);
  set_idle_inputs(cycle);
  word(twin_, DispatchPort::kLaunch) = in.launches ? 1 : 0;
  if (in.launches) {
    word(twin_, DispatchPort::kLaunchKernel) = in.launched;
    word(twin_, DispatchPort::kLaunchBlocks) = in.blocks;
    word(twin_, DispatchPort::kLaunchResidency) = in.residency;
  }
  word(twin_, DispatchPort::kKernelEnd) = in.kernels_ended;
  word(twin_, DispatchPort::kBlockStart) = in.starts ? 1 : 0;
  word(twin_, DispatchPort::kBlockSlot) = in.starts ? in.start_slot : 0;
  for (unsigned k = 0; k < in.ended.size(); ++k)
    word(twin_, DispatchPort::kBlockEnd) |= in.ended[k] << k * slot_bits_;
  word(twin_, DispatchPort::kAdopt) = packed(in.adopted, kernel_bits_);
  word(twin_, DispatchPort::kTold) = in.told ? 1 : 0;
  word(twin_, DispatchPort::kWaiting) = in.waiting;
  set_outputs(first);
  twin_.end_cycle(cycle);
  now_ = cycle + 1;
}

unsigned SlicingTwin::choose(std::uint64_t cycle, std::uint64_t waiting, unsigned first) {
  if (first != SlicingMachine::kNone) ++choices_;
  if (!decides_) return first;
  go_on_to(cycle);
  set_idle_inputs(cycle);
  word(twin_, DispatchPort::kWaiting) = waiting;
  const std::uint64_t chosen = twin_.look()[0];
  if ((chosen & (chosen - 1)) != 0 || (chosen & ~waiting) != 0) {
    twin_.fail(cycle,
               fmt::format("first_o: expected one kernel of {:#x} or none, found {:#x}", waiting, chosen));
  }
  return chosen == 0 ? SlicingMachine::kNone : static_cast<unsigned>(__builtin_ctzll(chosen));
}

}  // namespace heddle
