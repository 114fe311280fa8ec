#include "modules/tb_dispatcher/dispatch_policy.h"

#include "modules/config/named_entry.h"

namespace heddle {

extern const DispatchPolicyEntry fifo_entry;
extern const DispatchPolicyEntry mpmax_entry;
extern const DispatchPolicyEntry srtf_entry;
extern const DispatchPolicyEntry srtf_adaptive_entry;
extern const DispatchPolicyEntry srtf_slice_unaware_entry;
extern const DispatchPolicyEntry srtf_zero_sampling_entry;
extern const DispatchPolicyEntry sjf_entry;
extern const DispatchPolicyEntry ljf_entry;
extern const DispatchPolicyEntry spatial_entry;
extern const DispatchPolicyEntry even_share_entry;
extern const DispatchPolicyEntry fixed_residency_entry;

const char* to_string(PolicyInterval::Kind kind) {
  switch (kind) {
    case PolicyInterval::Kind::kToBeSampled:
      return "to_be_sampled";
    case PolicyInterval::Kind::kSampled:
      return "sampled";
    case PolicyInterval::Kind::kHandOff:
      return "hand_off";
  }
  return "";
}

const std::vector<const DispatchPolicyEntry*>& dispatch_policies() {
  static const std::vector<const DispatchPolicyEntry*> entries{&fifo_entry,
                                                               &mpmax_entry,
                                                               &srtf_entry,
                                                               &srtf_adaptive_entry,
                                                               &srtf_slice_unaware_entry,
                                                               &srtf_zero_sampling_entry,
                                                               &sjf_entry,
                                                               &ljf_entry,
                                                               &spatial_entry,
                                                               &even_share_entry,
                                                               &fixed_residency_entry};
  return entries;
}

std::unique_ptr<DispatchPolicy> make_dispatch_policy(const DispatchContext& context) {
  const std::string& name = context.config.policy;
  const DispatchPolicyEntry& entry = named_entry("tb_dispatcher.policy", name, dispatch_policies());
  if (entry.needs_mixed_sms && !context.config.mixed_sms) {
    throw SettingError({"tb_dispatcher.policy", "tb_dispatcher.mixed_sms"},
                       "'" + name +
                           "' gives an SM thread blocks of several kernels; expected "
                           "tb_dispatcher.mixed_sms: true, found false");
  }
  return entry.create(context);
}

}  // namespace heddle
