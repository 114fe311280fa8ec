#include "hw/pricing/part.h"

#include <fmt/format.h>

#include "hw/pricing/inventory.h"

namespace heddle::hw {

Part::Part(const Owner& owner, std::string_view name, PaperCount paper)
    : identity_(
          new Identity{owner.path, std::string(name), paper, owner.inventory, owner.clock_fo4, owner.strict}),
      timing_(owner.timing) {
  if (owner.inventory != nullptr) owner.inventory->enter(*this);
}

Part::~Part() {
  if (identity_->inventory != nullptr) identity_->inventory->leave(*this);
}

unsigned Part::operation_cycles(unsigned configured, const TimingPath& path) const {
  if (!hardware()) return 0;
  return configured != 0 ? configured : path.cycles(identity_->clock_fo4);
}

void Part::expect_range(const char* what, std::uint64_t value, std::uint64_t low, std::uint64_t high) const {
  if (value >= low && value <= high) return;
  throw std::invalid_argument(fmt::format("hardware part {}/{}: {}: found {}, expected {} to {}", owner(),
                                          name(), what, value, low, high));
}

void Part::misuse(const std::string& what) const {
  throw std::logic_error(fmt::format("hardware part {}/{}: {}", owner(), name(), what));
}

void Part::conflict(const Ports& ports, Cycle cycle, const char* what) {
  ++activity_.port_conflicts;
  if (!identity_->strict) return;
  throw PortConflict(fmt::format(
      "hardware part {}/{}: cycle {}: found more uses of the {}, expected at most {} in {} cycle{}", owner(),
      name(), cycle, what, ports.count(), ports.period(), ports.period() == 1 ? "" : "s"));
}

void Part::conflict(Cycle cycle, const char* what) {
  static const Ports kOne(1, 1, true);
  conflict(kOne, cycle, what);
}

void Part::report(StatSink& sink) const {
  const StatScope scope(sink, name());
  sink.count("reads", activity_.reads, "accesses", "entries read");
  sink.count("writes", activity_.writes, "accesses", "entries written");
  sink.count("compares", activity_.compares, "operations", "comparisons made");
  sink.count("adds", activity_.adds, "operations", "additions and subtractions made");
  sink.count("selects", activity_.selects, "operations", "selections made");
  sink.count("overflows", activity_.overflows, "operations", "results that wrapped or saturated");
  sink.count("port_conflicts", activity_.port_conflicts, "accesses",
             "uses beyond the declared ports of a cycle; 0 in ideal timing");
}

void Part::trace(WaveSink& /*sink*/) const {}

}  // namespace heddle::hw
