#include "top/report/stats/run_speed.h"

#include <sys/resource.h>

#include <nlohmann/json.hpp>

namespace heddle {

std::string speed_json(const RunSpeed& speed) {
  nlohmann::ordered_json json;
  json["seconds"] = speed.seconds;
  json["cpu_seconds"] = speed.cpu_seconds;
  json["warp_instructions"] = speed.warp_instructions;
  json["cycles"] = speed.cycles;
  json["warp_instructions_per_second"] = speed.per_second(speed.warp_instructions);
  json["cycles_per_second"] = speed.per_second(speed.cycles);
  json["block_ticks"] = speed.block_ticks;
  json["threads"] = speed.threads;
  json["processes"] = speed.processes;
  json["peak_memory_bytes"] = speed.peak_memory_bytes;
  return json.dump(2) + "\n";
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  constexpr double kMicro = 1e-6;
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         kMicro * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  constexpr std::uint64_t kBytesPerKilobyte = 1024;
  return static_cast<std::uint64_t>(usage.ru_maxrss) * kBytesPerKilobyte;
}

}  // namespace heddle
