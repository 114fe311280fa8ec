#include "modules/warp_scheduler/policies/basic/greedy_oldest.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {
namespace {

class Gto final : public Prioritizer {
 public:
  explicit Gto(const PolicyContext& context) : choice_(context.hardware.child("gto"), context) {}

  std::uint64_t update(std::uint64_t cycle) override {
    choice_.update(cycle);
    return kNever;
  }
  unsigned select(std::uint64_t /*cycle*/, WarpMask issuable) override { return choice_.select(issuable); }
  hw::TimingPath choice_path() const override { return choice_.choice_path(); }
  void on_start(unsigned warp) override { choice_.start(warp); }
  void on_finish(unsigned warp) override { choice_.finish(warp); }
  void on_issue(const IssueEvent& event) override { choice_.issued(event.warp, event.cycle); }
  void trace(WaveSink& sink) override { choice_.trace(sink); }

 private:
  GreedyOldest choice_;
};

std::unique_ptr<Prioritizer> create_gto(const PolicyContext& context) {
  return std::make_unique<Gto>(context);
}

}  // namespace

extern const PrioritizerEntry gto_entry;
const PrioritizerEntry gto_entry{
    "gto", "greedy then oldest: the last issued warp while it is ready, else the oldest", &create_gto};

}  // namespace heddle
