#include "top/intervals/interval_sampler.h"

#include <utility>

#include "modules/messages/tick_order.h"

namespace heddle {

namespace {

/// Intervals, and changes of state, that are written at a time.
constexpr std::size_t kBatchIntervals = 64;
constexpr std::size_t kBatchChanges = std::size_t{1} << 16;

}  // namespace

IntervalSampler::IntervalSampler(const sc_core::sc_module_name& name, Gpu& gpu, std::uint64_t cycles,
                                 const std::string& path)
    : sc_module(name),
      Clocked(gpu.core_clock(), tick_order::kHost, this->name(), &tick_of<IntervalSampler>),
      gpu_(gpu),
      cycles_(cycles),
      columns_(gpu.config().core.sms, gpu.config().dram.channels),
      counters_(columns_),
      next_time_(cycles * gpu.core_clock().period_ticks()),
      before_(columns_.size()),
      now_(columns_.size()) {
  counters_.begin(now_);
  gpu.report(counters_);
  counters_.end();
  gpu.trace_state(state_);
  file_.emplace(path, columns_, state_.signals());
  batch_.last_cycle.reserve(kBatchIntervals);
  batch_.values.reserve(kBatchIntervals * columns_.size());
  batch_.tbs.reserve(kBatchIntervals * columns_.rows(IntervalTable::kSm));
  gpu.clock_tree().edge_handled.listen([this] { look(); });
}

bool IntervalSampler::tick() {
  const Cycle now = domain().cycle();
  if (now < woken_for_) return false;
  woken_for_ = (now / cycles_ + 1) * cycles_;
  wake_in(woken_for_ - now);
  return false;
}

/// A fault stops the sampling, and not the clock that called.
void IntervalSampler::end_interval() {
  if (failed()) return;
  try {
    sample(domain().cycle_now());
  } catch (...) {
    fault_ = std::current_exception();
  }
  next_time_ += cycles_ * domain().period_ticks();
}

void IntervalSampler::sample(Cycle last_cycle) {
  gpu_.settle();
  now_.assign(now_.size(), 0);
  counters_.begin(now_);
  gpu_.report(counters_);
  counters_.end();
  for (std::size_t i = 0; i < now_.size(); ++i) batch_.values.push_back(now_[i] - before_[i]);
  std::swap(now_, before_);
  batch_.last_cycle.push_back(last_cycle);
  for (unsigned sm = 0; sm < columns_.rows(IntervalTable::kSm); ++sm) {
    batch_.tbs.push_back(gpu_.sm(sm).issue.residency.tbs());
  }
  state_.look(number_++, batch_.changes);
  sampled_ = last_cycle;
  if (batch_.last_cycle.size() >= kBatchIntervals || batch_.changes.size() >= kBatchChanges) write();
}

void IntervalSampler::write() {
  file_->write(batch_);
  batch_.clear();
}

void IntervalSampler::finish(const RunDescription& description, const RunResult& result) {
  if (fault_) std::rethrow_exception(fault_);
  if (result.cycles > sampled_) sample(result.cycles);
  write();
  file_->finish(cycles_, description, result);
}

}  // namespace heddle
