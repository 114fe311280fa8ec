#include "modules/operand_collector/operand_collector.h"

namespace heddle {

void OperandCollector::report(StatSink& sink) const {
  sink.count("reads", reads_granted_, "reads", "register bank reads");
  sink.count("reads_delayed", reads_delayed_, "reads", "granted later than the first possible cycle");
  sink.count("read_wait", read_wait_cycles_, "cycles", "cycles that delayed reads waited for their banks");
  sink.count("writes", writes_, "writes", "register bank writes");
  sink.count("write_wait", write_wait_cycles_, "cycles",
             "cycles that results of the LD/ST unit waited for their banks");
  static constexpr std::array<const char*, kNumUnits> kKindNames{"sp", "sfu", "mem"};
  for (unsigned i = 0; i < kNumUnits; ++i) {
    const Settled& settled = settled_[i];
    const StatScope scope(sink, kKindNames[i]);
    sink.count("dispatched", kinds_[i].dispatched, "instructions", "dispatched to a unit");
    sink.count("cu_collecting", settled.collecting, "cycles", "collector units that wait for operands");
    sink.count("cu_waiting", settled.waiting, "cycles", "collector units that wait for a unit");
    sink.count("cu_free", settled.free, "cycles", "collector units without an instruction");
    sink.count("input_wait", settled.input_wait, "cycles",
               "instructions in input registers that found no free collector unit");
  }
}

void OperandCollector::trace(WaveSink& sink) {
  if (!sink.wanted()) return;
  wave_ = std::make_unique<Wave>();
  const auto cus = static_cast<unsigned>(cus_.size());
  sink.signal(wave_->busy_cus, cus, "busy_cus");
  sink.signal(wave_->ready_cus, cus, "ready_cus");
  sink.signal(wave_->bank_reads, bank_mask_ + 1, "bank_reads");
  sink.signal(wave_->bank_writes, bank_mask_ + 1, "bank_writes");
}

}  // namespace heddle
