#include "modules/warp_scheduler/policies/basic/least_issued_order.h"
#include "top/rtl/twins/twin_entry.h"

namespace heddle {

namespace {

std::vector<TwinDesign::Parameter> least_issued_parameters(const GpuConfig& /*gpu*/) {
  return {{"CounterWidth", LeastIssuedOrder::kCounterBits, "bits of a counter of issued instructions"}};
}

}  // namespace

const TwinEntry& least_issued_twin() {
  using In = TwinInput;
  static const TwinEntry kTwin{"least_issued",
                               "heddle_least_issued_sm",
                               {twin_source::kAdder, twin_source::kComparator, twin_source::kMinimumTree,
                                twin_source::kMultiplexer, twin_source::kCounterArray,
                                "schedulers/heddle_least_issued.sv", "schedulers/heddle_least_issued_sm.sv"},
                               {In::kStart, In::kReady, In::kStale, In::kIssue},
                               &least_issued_parameters};
  return kTwin;
}

}  // namespace heddle
