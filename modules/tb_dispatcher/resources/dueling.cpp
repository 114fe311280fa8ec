#include <string>

#include "hw/logic/comparator.h"
#include "hw/storage/counter_array.h"
#include "hw/storage/register.h"
#include "modules/config/setting_error.h"
#include "modules/tb_dispatcher/resources/contention_control.h"

namespace heddle {
namespace {

constexpr unsigned kTemporalSm = 0;
constexpr unsigned kSpatialSm = 1;
constexpr unsigned kRivals = 2;
constexpr unsigned kCountBits = 32;

unsigned bits_for(std::uint64_t count) {
  unsigned bits = 1;
  while (bits < 64 && count >> bits != 0) ++bits;
  return bits;
}

hw::CounterArrayShape counters(unsigned entries, unsigned bits, unsigned amount_bits) {
  hw::CounterArrayShape shape;
  shape.entries = entries;
  shape.bits = bits;
  shape.overflow = hw::Overflow::kSaturate;
  shape.read_ports = 0;
  shape.write_ports = 0;
  shape.adders = 0;
  shape.clear = true;
  shape.amount_bits = amount_bits;
  shape.counts_in_place = true;
  return shape;
}

hw::ComparatorShape comparator() {
  hw::ComparatorShape shape;
  shape.bits = kCountBits;
  return shape;
}

hw::RegisterShape one_bit() {
  hw::RegisterShape shape;
  shape.bits = 1;
  shape.reset = 1;
  return shape;
}

/// SM dueling (WarpMan 6.1): SM 0 never uses fragmented room, SM 1 always may; the one that issued more in a
/// period decides for the others until the next period ends. The paper tells no period. Over the same cycles
/// the better IPC is the larger count; equal ones are for its use, which is allowed at first.
class Dueling final : public ContentionControl {
 public:
  Dueling(const CoreConfig& core, const hw::Owner& hardware)
      : period_(core.resources.dueling_period_cycles),
        issued_(hardware, "issued", counters(kRivals, kCountBits, bits_for(core.schedulers))),
        elapsed_(hardware, "period", counters(1, bits_for(period_), 1)),
        comparator_(hardware, "comparator", comparator()),
        fragments_(hardware, "fragments", one_bit()) {
    if (core.sms < kRivals) {
      throw SettingError(
          {"core.resources.contention", "core.sms"},
          "dueling compares two SMs; expected core.sms of at least 2, found " + std::to_string(core.sms));
    }
  }

  bool may_use_fragments(unsigned sm) const override {
    return sm == kTemporalSm ? false : sm == kSpatialSm || fragments_.value() != 0;
  }
  std::uint64_t period_cycles() const override { return period_; }
  unsigned watched_sms() const override { return kRivals; }

  void begin(const std::uint64_t* issued, std::uint64_t cycle) override {
    issued_.clear();
    elapsed_.clear();
    for (unsigned sm = 0; sm < kRivals; ++sm) issued_before_[sm] = issued[sm];
    began_ = cycle;
  }

  void end_period(const std::uint64_t* issued, std::uint64_t cycle) override {
    for (unsigned sm = 0; sm < kRivals; ++sm) issued_.count(sm, 1, issued[sm] - issued_before_[sm]);
    elapsed_.count(0, 1, cycle - began_);
    const bool temporal = comparator_.less(cycle, issued_.value(kSpatialSm), issued_.value(kTemporalSm));
    fragments_.write(cycle, temporal ? 0 : 1);
    ++comparisons_;
    for_temporal_ += temporal ? 1 : 0;
    begin(issued, cycle);
  }

  void report(StatSink& sink) const override {
    sink.count("comparisons", comparisons_, "comparisons", "times that the IPC of the two SMs was compared");
    sink.count("comparisons_for_temporal", for_temporal_, "comparisons",
               "of these, the SM that uses no fragmented room had the better IPC");
  }
  void trace(WaveSink& sink) override { fragments_.trace(sink); }

 private:
  std::uint64_t period_;
  hw::CounterArray issued_;  ///< by rival, in the present period; counted up when it ends
  hw::CounterArray elapsed_;
  hw::Comparator comparator_;
  hw::Register fragments_;  ///< the other SMs may use fragmented room
  std::uint64_t issued_before_[kRivals] = {};
  std::uint64_t began_ = 0;
  std::uint64_t comparisons_ = 0;
  std::uint64_t for_temporal_ = 0;
};

std::unique_ptr<ContentionControl> create_dueling(const CoreConfig& core, const hw::Owner& hardware) {
  const hw::Owner owner = hardware.child("dueling");
  for (const char* part : {"issued", "period", "fragments"}) {
    owner.note(part, "the paper names no hardware of its SM dueling");
  }
  return std::make_unique<Dueling>(core, owner);
}

}  // namespace

extern const ContentionControlEntry dueling_entry;
const ContentionControlEntry dueling_entry{
    "dueling", "SM 0 uses no fragmented room, SM 1 does; the better IPC decides for the others", false,
    &create_dueling};

}  // namespace heddle
