#include "modules/tb_dispatcher/policies/srtf/slicing_machine.h"

#include <algorithm>

namespace heddle {

namespace {

std::uint64_t kernel_or_slot(unsigned index) { return std::uint64_t{1} << index; }
unsigned lowest_of(std::uint64_t mask) { return static_cast<unsigned>(__builtin_ctzll(mask)); }

/// Setting wins.
void change_bits(hw::BitVector& bits, std::uint64_t set, std::uint64_t clear) {
  if ((bits.value() & clear) != 0) bits.clear_bits(clear);
  if (set != 0) bits.set_bits(set);
}

}  // namespace

SlicingMachine::SlicingMachine(const hw::Owner& owner, unsigned kernels, unsigned tb_slots, bool slices)
    : parts_(owner, kernels, tb_slots), slices_(slices), tbs_(kernels) {
  in_.ended.resize(kernels);
}

void SlicingMachine::launch(unsigned kernel, unsigned residency, std::uint64_t blocks) {
  told_ = true;
  in_.launches = true;
  in_.launched = kernel;
  in_.residency = residency;
  in_.blocks = std::min(blocks, hw::low_bits(SlicingParts::kBlockBits));
}

void SlicingMachine::kernel_end(unsigned kernel) {
  told_ = true;
  in_.kernels_ended |= kernel_or_slot(kernel);
}

void SlicingMachine::block_start(unsigned kernel, TbSlot tb_slot) {
  told_ = true;
  in_.starts = true;
  in_.start_slot = tb_slot.value();
  ++tbs_[kernel];
}

void SlicingMachine::block_end(unsigned kernel, TbSlot tb_slot) {
  told_ = true;
  in_.ended[kernel] |= kernel_or_slot(tb_slot.value());
  --tbs_[kernel];
}

void SlicingMachine::adopt(const SlicingSample& sample, bool own) {
  told_ = true;
  in_.adopted = sample;
  in_.told = own;
}

unsigned SlicingMachine::first(std::uint64_t cycle, std::uint64_t waiting) {
  told_ = true;
  in_.waiting = waiting;
  first_ = parts_.first.least(cycle, waiting & parts_.known.value(), parts_.remaining.values());
  if (watcher_ != nullptr) first_ = watcher_->choose(cycle, waiting, first_);
  return first_;
}

std::uint64_t SlicingMachine::next_event(std::uint64_t now) const {
  if (parts_.tell.test(0) || found_ != 0) return now;
  if (parts_.wants.value() != 0 || busy()) return std::max(now, unit_ready_);
  return kNever;
}

SlicingSample SlicingMachine::sample() const {
  const std::uint64_t kept = parts_.sample.value();
  return {parts_.tell.test(0), static_cast<unsigned>(kept >> SlicingParts::kCycleBits),
          kept & hw::low_bits(SlicingParts::kCycleBits)};
}

std::uint64_t SlicingMachine::blocks_left(unsigned kernel) const {
  const std::uint64_t total = parts_.total_blocks.value(kernel);
  return total - std::min(total, parts_.done_blocks.value(kernel));
}

/// Everything is as it is in this cycle until it has been read: what is written is seen in the next one.
SlicingMachine::Landing SlicingMachine::step(std::uint64_t cycle) {
  in_.running = running_;
  if (watcher_ != nullptr) watcher_->on_cycle(cycle, in_, first_);
  count_active_until(cycle);
  const std::uint64_t gone = this->gone();
  const std::uint64_t sampled = parts_.sampled.value();
  const std::uint64_t unit_kernel = kernel_or_slot(static_cast<unsigned>(parts_.unit_kernel.value()));
  const Landing landing = land(cycle);
  const bool stays = busy() && landing.kernel == kNone && (unit_kernel & gone) == 0;
  const std::uint64_t begun = begin(cycle);
  const std::uint64_t measured = measure(cycle);
  const std::uint64_t found = find(cycle);
  keep_sample(cycle, measured);
  const std::uint64_t adopted = take_sample(cycle, measured);
  std::uint64_t ended = 0;
  for (unsigned k = 0; k < kernels(); ++k) ended |= in_.ended[k] != 0 ? kernel_or_slot(k) : 0;

  const std::uint64_t asks = ((slices_ ? ended & sampled & ~found : 0) | measured | adopted) & ~gone;
  change_bits(parts_.wants, asks, begun | gone);
  change_bits(parts_.sampled, (measured | adopted) & ~gone, gone);
  change_bits(parts_.known, landing.kernel != kNone ? unit_kernel & ~gone : 0, gone);
  change_bits(parts_.live, (begun & ~gone) != 0 ? 1 : 0, stays ? 0 : 1);
  change_bits(parts_.reslice, begin_slices(gone), found);
  found_ = found & ~gone;
  if (found_ != 0) parts_.measure.enter(cycle);
  if (begun != 0) parts_.unit_kernel.write(cycle, lowest_of(begun));
  if (in_.starts) parts_.block_start.write(cycle, in_.start_slot, cycle);
  count_active_until(cycle + 1);
  for (unsigned k = 0; k < kernels(); ++k) {
    if (in_.ended[k] != 0) parts_.done_blocks.count(k, parts_.ended.count(in_.ended[k]));
  }
  take_launch(cycle);
  clear_inputs();
  return landing.kernel != kNone && (unit_kernel & gone) == 0 ? landing : Landing{};
}

/// Kernels of which a slice begins.
std::uint64_t SlicingMachine::begin_slices(std::uint64_t gone) const {
  if (!slices_) return in_.launches ? kernel_or_slot(in_.launched) : 0;
  return gone != 0 ? hw::low_bits(kernels()) : 0;
}

/// The prediction under way is there.
SlicingMachine::Landing SlicingMachine::land(std::uint64_t cycle) {
  if (!busy() || cycle < unit_ready_) return {};
  const auto kernel = static_cast<unsigned>(parts_.unit_kernel.value());
  parts_.remaining.write(cycle, kernel, unit_remaining_);
  parts_.predicted.write(cycle, kernel, parts_.adder.add(cycle, parts_.base.value(), unit_remaining_));
  return {kernel, parts_.t.value(kernel), parts_.predicted.value(kernel)};
}

/// The next prediction begins: its kernel, or 0.
std::uint64_t SlicingMachine::begin(std::uint64_t cycle) {
  if (parts_.wants.value() == 0 || cycle < unit_ready_) return 0;
  const unsigned kernel = parts_.next.select(parts_.wants.value());
  parts_.of_next.read(cycle);
  const std::uint64_t left =
      parts_.blocks_left.subtract(cycle, parts_.total_blocks.value(kernel), parts_.done_blocks.value(kernel));
  unit_remaining_ =
      parts_.ratio.multiply_divide(cycle, parts_.t.value(kernel), left, parts_.resident_blocks.value(kernel));
  unit_ready_ = cycle + prediction_cycles();
  parts_.base.write(cycle, parts_.active_cycles.value(kernel));
  return kernel_or_slot(kernel);
}

/// The TB that is to be measured: its kernel, or 0.
std::uint64_t SlicingMachine::find(std::uint64_t cycle) {
  std::uint64_t slots = 0;
  for (std::uint64_t left = parts_.reslice.value(); left != 0; left &= left - 1)
    slots |= in_.ended[lowest_of(left)];
  if (slots == 0) return 0;
  const unsigned slot = parts_.measured.select(slots);
  parts_.start_of_it.read(cycle);
  found_start_ = parts_.block_start.value(slot);
  unsigned kernel = 0;
  while ((in_.ended[kernel] & kernel_or_slot(slot)) == 0) ++kernel;
  return kernel_or_slot(kernel);
}

/// That which was found in the cycle before: its kernel, or 0.
std::uint64_t SlicingMachine::measure(std::uint64_t cycle) {
  if (found_ == 0) return 0;
  parts_.t.write(cycle, lowest_of(found_), parts_.duration.subtract(cycle, cycle - 1, found_start_));
  return found_;
}

/// What the other SMs are to be told: the first t of a kernel, unless another one has not been told yet.
void SlicingMachine::keep_sample(std::uint64_t cycle, std::uint64_t measured) {
  const std::uint64_t gone = this->gone();
  const SlicingSample kept = sample();
  const bool tells = (measured & ~parts_.sampled.value() & ~gone) != 0 && (!kept.valid || in_.told);
  change_bits(parts_.tell, tells ? 1 : 0, in_.told || (gone & kernel_or_slot(kept.kernel)) != 0 ? 1 : 0);
  if (!tells) return;
  const unsigned kernel = lowest_of(measured);
  parts_.sample.write(cycle, std::uint64_t{kernel} << SlicingParts::kCycleBits | parts_.t.value(kernel));
}

/// What another SM tells, of a kernel of which this one has no t: the kernel, or 0.
std::uint64_t SlicingMachine::take_sample(std::uint64_t cycle, std::uint64_t measured) {
  if (!in_.adopted.valid) return 0;
  const std::uint64_t kernel = kernel_or_slot(in_.adopted.kernel);
  if ((kernel & (parts_.sampled.value() | measured | gone())) != 0) return 0;
  parts_.t.write(cycle, in_.adopted.kernel, in_.adopted.t);
  return kernel;
}

void SlicingMachine::count_active_until(std::uint64_t cycle) {
  if (cycle == counted_until_) return;
  for (std::uint64_t left = running_; left != 0; left &= left - 1)
    parts_.active_cycles.count(lowest_of(left), 1, cycle - counted_until_);
  counted_until_ = cycle;
}

void SlicingMachine::take_launch(std::uint64_t cycle) {
  if (!in_.launches) return;
  parts_.active_cycles.clear(in_.launched);
  parts_.done_blocks.clear(in_.launched);
  parts_.total_blocks.write(cycle, in_.launched, in_.blocks);
  parts_.resident_blocks.write(cycle, in_.launched, in_.residency);
}

/// The next cycle is another one.
void SlicingMachine::clear_inputs() {
  in_.launches = in_.starts = in_.told = false;
  in_.kernels_ended = in_.waiting = 0;
  in_.adopted = {};
  std::fill(in_.ended.begin(), in_.ended.end(), 0);
  told_ = false;
  first_ = kNone;
  running_ = 0;
  for (unsigned k = 0; k < kernels(); ++k) running_ |= tbs_[k] != 0 ? kernel_or_slot(k) : 0;
}

void SlicingMachine::trace(WaveSink& sink) const { parts_.predicted.trace(sink); }

}  // namespace heddle
