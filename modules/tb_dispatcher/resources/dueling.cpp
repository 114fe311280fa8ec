#include <array>
#include <stdexcept>
#include <string>

#include "modules/tb_dispatcher/resources/contention_control.h"

namespace heddle {
namespace {

/// SM dueling (WarpMan 6.1): SM 0 never has partial TBs, SM 1 always may; the one that issued more per cycle
/// decides for the others. An SM's count of instructions comes with each of its warps that ends, and the
/// rates between the first and the last of a period are compared; the paper tells no period. Partial TBs are
/// allowed at first.
class Dueling final : public ContentionControl {
 public:
  explicit Dueling(const CoreConfig& core) : period_(core.resources.dueling_period_cycles) {
    if (core.sms < 2) {
      throw std::invalid_argument("core.resources.contention dueling: compares two SMs; core.sms: found " +
                                  std::to_string(core.sms) + ", expected at least 2");
    }
  }

  bool may_split(unsigned sm) const override {
    return sm == kTemporalSm ? false : sm == kSpatialSm || allowed_;
  }

  void on_warp_end(unsigned sm, std::uint64_t instructions, std::uint64_t cycle) override {
    if (sm >= rivals_.size()) return;
    Rival& rival = rivals_[sm];
    if (!rival.begun) rival = {true, instructions, cycle, instructions, cycle};
    rival.instructions = instructions;
    rival.cycle = cycle;
    if (rivals_[0].cycles() >= period_ && rivals_[1].cycles() >= period_) judge();
  }

  void report(StatSink& sink) const override {
    sink.count("comparisons", comparisons_, "comparisons", "times that the IPC of the two SMs was compared");
    sink.count("comparisons_for_temporal", for_temporal_, "comparisons",
               "of these, the SM without partial thread blocks had the better IPC");
  }

 private:
  static constexpr unsigned kTemporalSm = 0;
  static constexpr unsigned kSpatialSm = 1;

  /// Counts of an SM at the first and the last end of a warp in the period.
  struct Rival {
    bool begun = false;
    std::uint64_t first_instructions = 0;
    std::uint64_t first_cycle = 0;
    std::uint64_t instructions = 0;
    std::uint64_t cycle = 0;
    std::uint64_t cycles() const { return cycle - first_cycle; }
    std::uint64_t issued() const { return instructions - first_instructions; }
  };

  void judge() {
    const Rival& temporal = rivals_[kTemporalSm];
    const Rival& spatial = rivals_[kSpatialSm];
    allowed_ = spatial.issued() * temporal.cycles() >= temporal.issued() * spatial.cycles();
    ++comparisons_;
    for_temporal_ += allowed_ ? 0 : 1;
    for (Rival& rival : rivals_) {
      rival.first_instructions = rival.instructions;
      rival.first_cycle = rival.cycle;
    }
  }

  std::uint64_t period_;
  std::array<Rival, 2> rivals_;
  bool allowed_ = true;
  std::uint64_t comparisons_ = 0;
  std::uint64_t for_temporal_ = 0;
};

std::unique_ptr<ContentionControl> create(const CoreConfig& core) { return std::make_unique<Dueling>(core); }

}  // namespace

extern const ContentionControlEntry dueling_entry;
const ContentionControlEntry dueling_entry{
    "dueling", "SM 0 has no partial thread blocks, SM 1 has them; the better IPC decides for the others",
    false, &create};

}  // namespace heddle
