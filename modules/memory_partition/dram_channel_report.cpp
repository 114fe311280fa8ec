#include <fmt/format.h>

#include "modules/memory_partition/dram_channel.h"

namespace heddle {

void DramChannel::report(StatSink& sink) const {
  const DramController::Counts& counts = controller_.counts();
  const std::uint64_t bursts = counts.read_bursts + counts.write_bursts;
  // The last burst's slot may reach beyond the cycles charged so far.
  const std::uint64_t ahead = active_until_ > charged_until_ ? active_until_ - charged_until_ : 0;
  const std::uint64_t busy = bursts * controller_.timing().burst_cycles - ahead;
  const Cycle cycles = charged_until_ - 1;
  sink.count("reads", reads_, "requests", "read requests accepted");
  sink.count("writes", writes_, "requests", "write requests accepted");
  sink.count("accesses", accesses_, "accesses",
             "accesses accepted: one for each dram.access_bytes of a read, one for a write");
  sink.count("activates", counts.activates, "commands", "rows opened");
  sink.count("precharges", counts.precharges, "commands", "rows closed");
  sink.count("read_bursts", counts.read_bursts, "commands", "read column commands");
  sink.count("write_bursts", counts.write_bursts, "commands", "write column commands");
  sink.count("data_bytes", bursts * controller_.timing().atom_bytes, "bytes", "bytes on the data bus");
  sink.count("row_hits", counts.row_hits, "requests", "requests that found their row open");
  sink.count("row_misses", counts.row_misses, "requests", "requests that found no row open");
  sink.count("row_conflicts", counts.row_conflicts, "requests", "requests that found another row open");
  // These three add up to the cycles.
  sink.count("cycles_busy", busy, "cycles", "command clocks that the data bus transfers");
  sink.count("cycles_waiting", active_cycles_ - busy, "cycles",
             "command clocks with requests in the controller but none transferring");
  sink.count("cycles_idle", cycles - active_cycles_, "cycles", "command clocks without requests");
  sink.count("cycles", cycles, "cycles", "command clocks");
  sink.count("queue_sum", queue_sum_, "accesses",
             "accesses that wait for their bank, summed over the cycles");
  sink.level("queue_peak", queue_peak_, "accesses", "most accesses that waited for their banks at a time");
  sink.level("efficiency",
             active_cycles_ == 0 ? 0 : static_cast<double>(busy) / static_cast<double>(active_cycles_), "1",
             "share of the clocks with requests in which the data bus transfers");
}

void DramChannel::trace(WaveSink& sink) {
  if (!sink.wanted()) return;
  wave_ = std::make_unique<Wave>();
  wave_->bank_open.assign(controller_.banks(), 0);
  wave_->bank_row.assign(controller_.banks(), 0);
  constexpr unsigned kCountBits = 16;
  constexpr unsigned kRowBits = 32;
  sink.signal(wave_->queue, kCountBits, "queue");
  sink.signal(wave_->input, kCountBits, "input_path");
  sink.enumeration(wave_->column_command, "column_command", {"none", "read", "write"});
  sink.enumeration(wave_->row_command, "row_command", {"none", "activate", "precharge"});
  for (unsigned bank = 0; bank < controller_.banks(); ++bank) {
    sink.enumeration(wave_->bank_open[bank], fmt::format("bank{}_state", bank), {"closed", "open"});
    sink.signal(wave_->bank_row[bank], kRowBits, fmt::format("bank{}_row", bank));
  }
}

void DramChannel::update_wave(const DramCommands& commands) {
  wave_->queue = controller_.waiting();
  wave_->input = path_size_;
  wave_->column_command = commands.column == nullptr ? 0 : (commands.column->write ? 2 : 1);
  wave_->row_command = static_cast<std::uint64_t>(commands.row);
  for (unsigned bank = 0; bank < controller_.banks(); ++bank) {
    wave_->bank_open[bank] = controller_.row_open(bank) ? 1 : 0;
    wave_->bank_row[bank] = controller_.open_row(bank);
  }
}

}  // namespace heddle
