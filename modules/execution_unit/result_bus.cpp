#include "modules/execution_unit/result_bus.h"

#include <algorithm>
#include <string>

#include "modules/config/setting_error.h"

namespace heddle {

ResultBus::ResultBus(const ExecutionConfig& config) : width_(config.result_bus_width) {
  if (width_ == 0) throw SettingError("execution.result_bus_width", "expected at least 1, found 0");
  unsigned longest = 0;
  for (const OpTiming& timing : config.timing) longest = std::max(longest, timing.latency_cycles);
  // A start lies at most one cycle ahead of the edge, and a slot may be asked for until its own cycle.
  Cycle slots = 4;
  while (slots < Cycle{longest} + 2) slots *= 2;
  mask_ = slots - 1;
  while (Cycle{1} << shift_ < slots) ++shift_;
  slots_.resize(slots);
}

void ResultBus::claim(unsigned port) {
  if (port >= kMaxPorts) {
    throw SettingError({"execution.sp_units", "execution.sfu_units"},
                       "expected at most " + std::to_string(kMaxPorts) + " execution units together");
  }
  if ((claimed_ >> port & 1U) != 0) {
    throw std::invalid_argument("port " + std::to_string(port) + " of a result bus is another unit's");
  }
  claimed_ |= 1U << port;
}

}  // namespace heddle
