#include "top/rtl/dispatch/warp_man_twins.h"

#include "top/rtl/dispatch/dispatch_json.h"

namespace heddle {

WarpManTwins::WarpManTwins(Gpu& gpu, TwinDesign design, std::unique_ptr<TwinLibrary> library,
                           const Options& options)
    : design_(std::move(design)),
      library_(std::move(library)),
      decides_(options.decides),
      vectors_(wanted_vectors(design_, gpu.config().core.sms, options)) {
  const PortTwin::Setup setup{&design_, library_.get(), options.waves, &mismatched_, vectors_.get()};
  for (unsigned sm = 0; sm < gpu.config().core.sms; ++sm) {
    IssueStage& stage = gpu.sm(sm).issue;
    const WarpManTwin::Watched watched{&gpu.config().core, stage.residency.buffer(), &stage.domain()};
    sms_.push_back(std::make_unique<WarpManTwin>(sm, watched, decides_, setup));
    stage.residency.watch(*sms_.back());
    gpu.dispatcher().watch_room(sm, *sms_.back());
  }
}

void WarpManTwins::finish() {
  if (mismatched_) return;
  for (const auto& sm : sms_) sm->finish();
}

std::string WarpManTwins::json() const {
  DispatchJson json{design_.block, decides_, mismatched(), static_cast<unsigned>(sms_.size())};
  for (const auto& sm : sms_) json.add(sm->edges(), sm->decisions());
  return json.text();
}

}  // namespace heddle
