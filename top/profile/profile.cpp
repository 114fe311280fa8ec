#include "top/profile/profile.h"

namespace heddle {

namespace {

void add_lines(std::map<std::pair<std::uint64_t, std::string>, KernelProfile>& kernels,
               const SmProfile::KernelLines& of_sm) {
  KernelProfile& kernel = kernels[{of_sm.text->code_base, of_sm.text->name}];
  if (kernel.lines.empty()) {
    kernel.text = *of_sm.text;
    kernel.lines.resize(of_sm.lines.size());
  }
  for (std::size_t i = 0; i < of_sm.lines.size(); ++i) kernel.lines[i] += of_sm.lines[i];
}

}  // namespace

Profile::Profile(Gpu& gpu) : gpu_(gpu) {
  for (unsigned sm = 0; sm < gpu.config().core.sms; ++sm) {
    sms_.push_back(std::make_unique<SmProfile>(gpu.sm(sm), book_));
  }
}

ProfileCounts Profile::counts() {
  ProfileCounts counts;
  std::map<std::pair<std::uint64_t, std::string>, KernelProfile> kernels;
  for (const auto& of_sm : sms_) {
    of_sm->settle(gpu_.core_clock().cycle_now() + 1);
    SmWarps& sm = counts.sms.emplace_back();
    for (unsigned s = 0; s < of_sm->schedulers(); ++s) {
      sm.schedulers.push_back(of_sm->scheduler(s));
      sm.total += of_sm->scheduler(s);
    }
    counts.gpu += sm.total;
    for (const auto& [id, account] : of_sm->launches()) counts.launches[id] += account;
    for (const auto& kernel : of_sm->kernels()) add_lines(kernels, *kernel);
  }
  for (auto& [place, kernel] : kernels) counts.kernels.push_back(std::move(kernel));
  return counts;
}

}  // namespace heddle
