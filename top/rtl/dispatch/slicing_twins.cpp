#include "top/rtl/dispatch/slicing_twins.h"

#include "top/rtl/dispatch/dispatch_json.h"

namespace heddle {

SlicingTwins::SlicingTwins(Gpu& gpu, TwinDesign design, std::unique_ptr<TwinLibrary> library,
                           const Options& options)
    : design_(std::move(design)),
      library_(std::move(library)),
      decides_(options.decides),
      vectors_(wanted_vectors(design_, gpu.config().core.sms, options)),
      gpu_(gpu),
      machines_(*gpu.dispatcher().policy().slicing_machines()) {
  const PortTwin::Setup setup{&design_, library_.get(), options.waves, &mismatched_, vectors_.get()};
  for (unsigned sm = 0; sm < machines_.size(); ++sm)
    sms_.push_back(std::make_unique<SlicingTwin>(sm, machines_.sm(sm), decides_, setup));
}

void SlicingTwins::finish() {
  if (mismatched_) return;
  machines_.advance(gpu_.core_clock().cycle_now() + 1, [](const SlicingMachines::Landing& /*landing*/) {});
}

std::string SlicingTwins::json() const {
  DispatchJson json{design_.block, decides_, mismatched(), static_cast<unsigned>(sms_.size())};
  for (const auto& sm : sms_) json.add(sm->edges(), sm->choices());
  return json.text();
}

}  // namespace heddle
