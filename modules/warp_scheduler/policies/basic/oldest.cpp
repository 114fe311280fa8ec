#include "modules/warp_scheduler/policies/basic/warp_ages.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {
namespace {

/// The oldest ready warp at every cycle; age is the order in which the warps were launched on the SM.
class Oldest final : public Prioritizer {
 public:
  explicit Oldest(const PolicyContext& context) : ages_(context.hardware.child("oldest"), context) {}

  std::uint64_t update(std::uint64_t cycle) override {
    cycle_ = cycle;
    return kNever;
  }
  unsigned select(std::uint64_t cycle, WarpMask issuable) override { return ages_.oldest(cycle, issuable); }
  hw::TimingPath choice_path() const override { return ages_.choice_path(); }
  /// Those that start between two updates come in one cycle, as the scheduler runs whenever one starts.
  void on_start(unsigned warp) override { ages_.start(cycle_ + 1, warp); }
  void on_finish(unsigned warp) override { ages_.finish(warp); }
  void trace(WaveSink& sink) override { ages_.trace(sink); }

 private:
  std::uint64_t cycle_ = 0;
  WarpAges ages_;
};

std::unique_ptr<Prioritizer> create_oldest(const PolicyContext& context) {
  return std::make_unique<Oldest>(context);
}

}  // namespace

extern const PrioritizerEntry oldest_entry;
const PrioritizerEntry oldest_entry{"oldest", "the oldest ready warp", &create_oldest};

}  // namespace heddle
