// "youngest": a warp scheduler that Heddle does not have. It registers itself; no other file names it.

#include <cstdint>
#include <memory>
#include <vector>

#include "modules/warp_scheduler/policy_registry.h"

namespace {

/// Issues the ready warp that started last.
class Youngest final : public heddle::Prioritizer {
 public:
  explicit Youngest(const heddle::PolicyContext& context) : start_(context.gpu.core.warps) {}

  void on_start(unsigned warp) override { start_[warp] = ++starts_; }

  unsigned select(std::uint64_t /*cycle*/, heddle::WarpMask issuable) override {
    unsigned choice = heddle::kNoWarp;
    for (unsigned warp = 0; warp < start_.size(); ++warp) {
      if ((issuable & heddle::warp_bit(warp)) == 0) continue;
      if (choice == heddle::kNoWarp || start_[warp] > start_[choice]) choice = warp;
    }
    return choice;
  }

 private:
  std::vector<std::uint64_t> start_;  ///< of each warp slot: its warp was the n-th of this scheduler to start
  std::uint64_t starts_ = 0;
};

const heddle::PrioritizerEntry entry{
    "youngest", "the ready warp that started last",
    [](const heddle::PolicyContext& context) -> std::unique_ptr<heddle::Prioritizer> {
      return std::make_unique<Youngest>(context);
    }};
const heddle::PolicyRegistration registration{entry};

}  // namespace
