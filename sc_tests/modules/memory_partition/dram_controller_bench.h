#pragma once

#include <deque>
#include <ostream>
#include <string>
#include <vector>

#include "modules/memory_partition/dram_controller.h"

namespace heddle::test {

/// A command as "ACT 3", "PRE 3", "RD 3", "WR 3" with its cycle.
struct Issued {
  std::string command;
  Cycle cycle;
  bool operator==(const Issued& other) const { return command == other.command && cycle == other.cycle; }
};
inline std::ostream& operator<<(std::ostream& out, const Issued& issued) {
  return out << issued.command << " @" << issued.cycle;
}

/// Steps a controller with requests of one burst each.
class DramBench {
 public:
  explicit DramBench(const DramConfig& config = DramConfig()) : controller(config) {}

  /// Enters the controller at `cycle`; calls in order of the cycle.
  void at(Cycle cycle, unsigned bank, std::uint64_t row, bool write = false, unsigned bursts = 1) {
    DramRequest& request = requests_.emplace_back();
    request.bank = static_cast<std::uint16_t>(bank);
    request.row = row;
    request.write = write;
    request.bursts_left = static_cast<std::uint16_t>(bursts);
    request.credits = static_cast<std::uint16_t>(write ? 1 : bursts);
    request.due = cycle;
  }
  std::vector<Issued> run(Cycle cycles) {
    std::vector<Issued> issued;
    std::size_t next = 0;
    for (Cycle now = 1; now <= cycles; ++now) {
      for (; next < requests_.size() && requests_[next].due <= now; ++next) controller.push(requests_[next]);
      const DramCommands commands = controller.step(now, false);
      if (commands.column != nullptr) {
        const DramRequest& request = *commands.column;
        issued.push_back({(request.write ? "WR " : "RD ") + std::to_string(request.bank), now});
        if (request.bursts_left == 0) order.push_back(static_cast<std::size_t>(index_of(request)));
      }
      if (commands.row == RowCommand::kActivate) {
        issued.push_back({"ACT " + std::to_string(commands.row_for->bank), now});
      }
      if (commands.row == RowCommand::kPrecharge) {
        issued.push_back({"PRE " + std::to_string(commands.row_for->bank), now});
      }
    }
    return issued;
  }
  std::size_t index_of(const DramRequest& wanted) const {
    std::size_t index = 0;
    while (&requests_[index] != &wanted) ++index;
    return index;
  }

  DramController controller;
  std::vector<std::size_t> order;  ///< requests in order of their last burst

 private:
  std::deque<DramRequest> requests_;
};

using Trace = std::vector<Issued>;

/// A configuration in which only the rules that a test sets hold anything up.
inline DramConfig loose() {
  DramConfig config;
  config.tCL = 4;
  config.tWL = 4;
  config.tRP = config.tRC = config.tRAS = config.tRCD = config.tRCDWR = config.tRRD = 1;
  config.tCDLR = config.tWR = config.tCCD = config.tCCDL = config.tRTPL = 0;
  return config;
}

}  // namespace heddle::test
