#include "modules/memory_partition/dram_timing.h"

#include <fmt/format.h>

#include <algorithm>

#include "modules/config/setting_error.h"

namespace heddle {

namespace {

void require_positive(unsigned value, const char* key) {
  if (value == 0) throw SettingError(key, "expected at least 1, found 0");
}

unsigned divide_up(unsigned a, unsigned b) { return (a + b - 1) / b; }

}  // namespace

DramTiming::DramTiming(const DramConfig& config) {
  require_positive(config.bus_bytes, "dram.bus_bytes");
  require_positive(config.burst_length, "dram.burst_length");
  require_positive(config.data_rate, "dram.data_rate");
  atom_bytes = config.bus_bytes * config.burst_length;
  if (config.access_bytes < kSectorBytes || config.access_bytes > kLineBytes ||
      (config.access_bytes & (config.access_bytes - 1)) != 0) {
    throw SettingError("dram.access_bytes",
                       fmt::format("expected 32, 64 or 128, found {}", config.access_bytes));
  }
  bursts_per_access = divide_up(config.access_bytes, atom_bytes);
  sectors_per_access = config.access_bytes / kSectorBytes;
  sectors_per_write = std::clamp(atom_bytes / kSectorBytes, 1U, kSectorsPerLine);
  bursts_per_write = divide_up(sectors_per_write * kSectorBytes, atom_bytes);
  burst_cycles = divide_up(config.burst_length, config.data_rate);
  column_to_column = std::max(config.tCCD, burst_cycles);
  column_to_column_same_group = config.tCCDL;
  activate_to_activate = config.tRRD;
  activate_to_activate_same_bank = config.tRC;
  activate_to_read = config.tRCD;
  activate_to_write = config.tRCDWR;
  activate_to_precharge = config.tRAS;
  precharge_to_activate = config.tRP;
  read_to_precharge = config.tRTPL;
  write_to_precharge = config.tWL + burst_cycles + config.tWR;
  // The bus idles for 2 clocks while it turns round.
  const unsigned read_end = config.tCL + burst_cycles + 2;
  read_to_write = read_end > config.tWL ? read_end - config.tWL : 0;
  write_to_read = config.tWL + burst_cycles + config.tCDLR;
  read_latency = config.tCL + burst_cycles;
  write_latency = config.tWL + burst_cycles;
}

unsigned DramTiming::groups(unsigned mask, unsigned sectors) {
  const unsigned group = (1U << sectors) - 1;
  unsigned count = 0;
  for (unsigned left = mask; left != 0; left >>= sectors) {
    if ((left & group) != 0) ++count;
  }
  return count;
}

}  // namespace heddle
