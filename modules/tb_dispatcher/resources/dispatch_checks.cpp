#include "modules/tb_dispatcher/resources/dispatch_checks.h"

#include <algorithm>

#include "hw/pricing/gates.h"

namespace heddle {

namespace {

constexpr unsigned kComparisons = 4;  // of numbers of warps, in a cycle
constexpr unsigned kChoices = 5;      // of one of two of them
constexpr unsigned kSums = 7;
constexpr unsigned kTbSums = 4;

hw::RegisterShape check_register(unsigned most, unsigned reset) {
  hw::RegisterShape shape;
  shape.bits = hw::index_bits(most + 1);
  shape.reset = reset;
  return shape;
}

hw::AdderShape check_sums(unsigned most, unsigned count) {
  hw::AdderShape shape;
  shape.bits = hw::index_bits(most + 1);
  shape.count = count;
  return shape;
}

hw::MultiplexerShape check_choices(unsigned most, unsigned count) {
  hw::MultiplexerShape shape;
  shape.inputs = 2;
  shape.bits = hw::index_bits(most + 1);
  shape.count = count;
  return shape;
}

hw::Owner checks_in_ideal_timing(hw::Owner hardware) {
  hardware.timing = hw::Timing::kIdeal;
  return hardware;
}

}  // namespace

DispatchChecks::DispatchChecks(const CoreConfig& core, const hw::Owner& hardware)
    : core_(core),
      entries_(checks_in_ideal_timing(hardware), "free_entries", check_register(core.warps, core.warps)),
      register_warps_(checks_in_ideal_timing(hardware), "free_register_warps", check_register(core.warps, 0)),
      slots_(checks_in_ideal_timing(hardware), "free_tb_slots", check_register(core.tb_slots, core.tb_slots)),
      shared_tbs_(checks_in_ideal_timing(hardware), "free_shared_tbs", check_register(core.tb_slots, 0)),
      fewer_(checks_in_ideal_timing(hardware), "fewer_warps",
             {hw::index_bits(core.warps + 1), kComparisons, 0, false}),
      fewer_warps_(checks_in_ideal_timing(hardware), "of_two", check_choices(core.warps, kChoices)),
      shared_mux_(checks_in_ideal_timing(hardware), "shared_of_two", check_choices(core.tb_slots, 1)),
      sums_(checks_in_ideal_timing(hardware), "warp_sums", check_sums(core.warps, kSums)),
      tb_sums_(checks_in_ideal_timing(hardware), "tb_sums", check_sums(core.tb_slots, kTbSums)),
      ended_(checks_in_ideal_timing(hardware), "warps_that_end", core.warps),
      tbs_ended_(checks_in_ideal_timing(hardware), "tbs_that_end", core.tb_slots) {
  for (const char* part : {"free_entries", "free_register_warps", "free_tb_slots", "free_shared_tbs"})
    hardware.note(part, "figure 13 names the checks; the paper counts the workload buffer only");
  const unsigned bits = hw::index_bits(core.warps + 1);
  const hw::Depth lesser = hw::gates::comparator_fo4(bits) + hw::gates::mux_fo4(2, bits);
  hw::TimingPath path;
  path.through("entries or registers", lesser)
      .through("unissued warps", lesser)
      .through("room", hw::gates::adder_fo4(bits, bits))
      .through("a whole TB", lesser)
      .through("change", hw::gates::adder_fo4(bits, bits))
      .through("left", hw::gates::adder_fo4(bits, bits))
      .through("enable", hw::gates::enable_fo4());
  hardware.declare_path("dispatch", path);
  hw::TimingPath ends;
  ends.through("warps that end", hw::gates::popcount_fo4(core.warps))
      .through("change", hw::gates::adder_fo4(bits, bits))
      .through("left", hw::gates::adder_fo4(bits, bits))
      .through("enable", hw::gates::enable_fo4());
  hardware.declare_path("release", ends);
}

unsigned DispatchChecks::register_warps(const CoreConfig& core, const TbDemand& demand) {
  const unsigned entries = std::min(core.warps, core.threads / kWarpSize);
  return demand.registers == 0 ? entries : std::min(entries, core.registers / demand.registers_per_warp());
}

unsigned DispatchChecks::shared_tbs(const CoreConfig& core, const TbDemand& demand) {
  return demand.shared_bytes == 0 ? core.tb_slots
                                  : std::min(core.tb_slots, core.shared_bytes / demand.shared_bytes);
}

unsigned DispatchChecks::room(const TbDemand& demand) {
  const bool empty = this->empty();
  const std::uint64_t tbs = empty ? shared_tbs(core_, demand) : shared_tbs_.value();
  const std::uint64_t registers = empty ? register_warps(core_, demand) : register_warps_.value();
  const std::uint64_t entries = entries_.value();
  const std::uint64_t places = fewer_.less(kAnyCycle, registers, entries) ? registers : entries;
  fewer_warps_.read(kAnyCycle);
  if (slots_.value() == 0 || tbs == 0) return 0;
  const bool partial = fewer_.less(kAnyCycle, places, demand.warps);
  return partial ? static_cast<unsigned>(places) : demand.warps;
}

void DispatchChecks::start(const TbDemand& demand) {
  if (empty()) {
    register_warps_.write(kAnyCycle, register_warps(core_, demand));
    shared_tbs_.write(kAnyCycle, shared_tbs(core_, demand));
    shared_mux_.read(kAnyCycle);
  }
  slots_.write(kAnyCycle, tb_sums_.subtract(kAnyCycle, slots_.value(), 1));
  shared_tbs_.write(kAnyCycle, tb_sums_.subtract(kAnyCycle, shared_tbs_.value(), 1));
}

void DispatchChecks::issue() {
  entries_.write(kAnyCycle, sums_.subtract(kAnyCycle, entries_.value(), 1));
  register_warps_.write(kAnyCycle, sums_.subtract(kAnyCycle, register_warps_.value(), 1));
}

void DispatchChecks::warps_ended(unsigned warps) {
  entries_.write(kAnyCycle, sums_.add(kAnyCycle, entries_.value(), warps));
  register_warps_.write(kAnyCycle, sums_.add(kAnyCycle, register_warps_.value(), warps));
}

void DispatchChecks::tb_ended() {
  slots_.write(kAnyCycle, tb_sums_.add(kAnyCycle, slots_.value(), 1));
  shared_tbs_.write(kAnyCycle, tb_sums_.add(kAnyCycle, shared_tbs_.value(), 1));
}

void DispatchChecks::empty_sm() {
  entries_.write(kAnyCycle, core_.warps);
  slots_.write(kAnyCycle, core_.tb_slots);
}

}  // namespace heddle
