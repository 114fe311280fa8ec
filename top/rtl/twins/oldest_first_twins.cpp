#include "top/rtl/twins/twin_entry.h"

namespace heddle {

/// Twins that choose by nothing but who is ready and how old warps are.
const TwinEntry& lrr_twin() {
  using In = TwinInput;
  static const TwinEntry kTwin{"lrr",
                               "heddle_lrr_sm",
                               {twin_source::kPrefixOr, twin_source::kRotatingSelector,
                                "schedulers/heddle_lrr.sv", "schedulers/heddle_lrr_sm.sv"},
                               {In::kReady, In::kStale, In::kIssue}};
  return kTwin;
}

const TwinEntry& oldest_twin() {
  using In = TwinInput;
  static const TwinEntry kTwin{"oldest",
                               "heddle_oldest_sm",
                               {twin_source::kAgeMatrix, twin_source::kAgeSelect, twin_source::kAgeOrder,
                                "schedulers/heddle_oldest.sv", "schedulers/heddle_oldest_sm.sv"},
                               {In::kStart, In::kFinish, In::kReady, In::kStale}};
  return kTwin;
}

const TwinEntry& gto_twin() {
  using In = TwinInput;
  static const TwinEntry kTwin{"gto",
                               "heddle_gto_sm",
                               {twin_source::kAgeMatrix, twin_source::kAgeSelect, twin_source::kAgeOrder,
                                "schedulers/heddle_gto.sv", "schedulers/heddle_gto_sm.sv"},
                               {In::kStart, In::kFinish, In::kReady, In::kStale, In::kIssue}};
  return kTwin;
}

}  // namespace heddle
