#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {
namespace {

class None final : public Qualifier {
 public:
  WarpMask qualify(std::uint64_t /*cycle*/, WarpMask issuable) override { return issuable; }
  hw::TimingPath qualify_path() const override { return {}; }
};

std::unique_ptr<Qualifier> create_none(const PolicyContext& /*context*/) { return std::make_unique<None>(); }

}  // namespace

extern const QualifierEntry none_entry;
const QualifierEntry none_entry{
    "none", "every ready warp may issue", &create_none, nullptr, nullptr, true, Hardware::kNone};

}  // namespace heddle
