// One L1D with its MSHRs, between a traffic generator and a memory that know nothing of Heddle.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <systemc>
#include <vector>

#include "memory.h"
#include "modules/l1d/l1d.h"
#include "modules/mshr/mshr.h"
#include "traffic_generator.h"

namespace {

constexpr unsigned kLines = 64;
constexpr unsigned kAccessBytes = heddle::kLineBytes / 2;
constexpr unsigned kLatencyCycles = 20;

/// Of every byte of the n-th half of a line.
constexpr unsigned char old_value(unsigned half) { return static_cast<unsigned char>(half); }
constexpr unsigned char new_value(unsigned half) { return static_cast<unsigned char>(~half); }

constexpr std::uint64_t address_of(unsigned half) { return std::uint64_t{half} * kAccessBytes; }

std::vector<unsigned char> content() {
  std::vector<unsigned char> bytes(std::size_t{kLines} * heddle::kLineBytes);
  for (unsigned i = 0; i < bytes.size(); ++i) bytes[i] = old_value(i / kAccessBytes);
  return bytes;
}

/// Loads both halves of every line, twice; then stores to each line and loads what it stored.
std::vector<Access> accesses() {
  std::vector<Access> accesses;
  for (unsigned pass = 0; pass < 2; ++pass) {
    for (unsigned half = 0; half < 2 * kLines; ++half)
      accesses.push_back({false, address_of(half), old_value(half)});
  }
  for (unsigned half = 0; half < 2 * kLines; half += 2) {
    accesses.push_back({true, address_of(half), new_value(half)});
    accesses.push_back({false, address_of(half), new_value(half)});
  }
  return accesses;
}

}  // namespace

int sc_main(int /*argc*/, char** /*argv*/) {
  const sc_core::sc_time period(1, sc_core::SC_NS);
  const heddle::L1dConfig config;  // 32 sets of 4 lines: all of ours fit

  heddle::ClockDomain clock("clock", period);
  heddle::L1d l1d("l1d", clock, config, kLatencyCycles, 0);
  heddle::Mshr mshr("mshr", clock, config.mshr, config.cache.line_bytes);
  TrafficGenerator generator("generator", period, kAccessBytes, 8, accesses());
  Memory memory("memory", content());
  generator.socket.bind(l1d.cpu.socket);
  l1d.mshr.socket.bind(mshr.cache.socket);
  mshr.memory.socket.bind(memory.socket);

  sc_core::sc_start();

  // The first load of a line fetches it and the second one waits for it; the second pass hits. A store goes
  // to the memory and drops the line, so that the load after it fetches it again.
  unsigned wrong = 0;
  for (unsigned i = 0; i < generator.accesses().size(); ++i) {
    const Access& access = generator.accesses()[i];
    const bool hits = i >= 2 * kLines && i < 4 * kLines;
    const double cycles = (access.answered - access.sent) / period;
    const bool in_time =
        hits ? cycles >= kLatencyCycles && cycles < 2 * kLatencyCycles : cycles > kLatencyCycles;
    wrong += access.right && in_time ? 0 : 1;
  }
  std::printf(
      "%zu accesses to %u lines: %u lines fetched, %u stores in memory, %u accesses not as expected\n",
      generator.accesses().size(), kLines, memory.reads(), memory.writes(), wrong);
  return wrong == 0 && memory.reads() == 2 * kLines && memory.writes() == kLines ? 0 : 1;
}
