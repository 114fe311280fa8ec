// Signals are as wide as the largest value that a configuration allows them.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "top/config/config_loader.h"
#include "top/machine/gpu_builder.h"
#include "top/waves/wave_recorder.h"

namespace heddle {
namespace {

TEST(WaveWidths, HoldTheLargestValues) {
  const std::unique_ptr<Gpu> gpu =
      build_gpu(load_config("", {"scheduler.name=oaws_dynamic", "core.sms=1"}), {});
  WaveRecorder recorder({});
  gpu->trace(recorder);
  std::map<std::string, unsigned> bits;
  for (const WaveSignal& signal : recorder.signals()) bits[signal.full_name()] = signal.bits;
  const std::map<std::string, std::uint64_t> largest{
      {"tb_dispatcher.launches_to_come", 1000},   // one for each stream
      {"sm0.l1d.pipe_occupancy", 1024},           // ldst.l1_latency_cycles
      {"sm0.mshr.miss_queue", 1024},              // l1d.mshr.miss_queue
      {"sm0.mshr.occupancy", 1024},               // l1d.mshr.entries
      {"sm0.sp0.in_flight", 1024},                // execution.simple.latency_cycles
      {"sm0.events.load_coalesced0.lines", 128},  // 32 lanes load 16 bytes each from local memory
      {"sm0.events.load_looked_up0.lines", 128},
      {"sm0.events.load_looked_up0.hits", 128},
      {"sm0.events.load_looked_up0.merged", 128},
      {"sm0.events.load_looked_up0.misses", 128},
  };
  for (const auto& [name, value] : largest) {
    ASSERT_EQ(bits.count(name), 1U) << name;
    EXPECT_EQ(value >> bits[name], 0U) << name << " has " << bits[name] << " bits";
  }
}

}  // namespace
}  // namespace heddle
