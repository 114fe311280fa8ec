#include "top/rtl/twin_run.h"

#include <nlohmann/json.hpp>

namespace heddle {

TwinRun::TwinRun(Gpu& gpu, TwinDesign design, std::unique_ptr<TwinLibrary> library, const Options& options)
    : design_(std::move(design)),
      library_(std::move(library)),
      decides_(options.decides),
      vectors_(wanted_vectors(design_, gpu.config().core.sms, options)) {
  SmTwin::Setup setup{&design_,     library_.get(), gpu.config().core.schedulers, decides_, options.waves,
                      &mismatched_, vectors_.get()};
  setup.gpu = &gpu.config();
  for (unsigned i = 0; i < gpu.config().core.sms; ++i) {
    IssueStage& stage = gpu.sm(i).issue;
    setup.policies = &stage.feed.policies();
    setup.oaws = dynamic_cast<const Oaws*>(stage.feed.policies().of_qualifier());
    setup.ccws = dynamic_cast<const Ccws*>(stage.feed.policies().of_qualifier());
    setup.mascar = dynamic_cast<const Mascar*>(stage.feed.policies().of_qualifier());
    sms_.push_back(std::make_unique<SmTwin>(i, stage.warps(), setup));
    stage.feed.watch(*sms_.back(), events_heard_by<SmTwin>());
    for (unsigned s = 0; s < stage.issuer.schedulers(); ++s) {
      WarpScheduler& scheduler = stage.issuer.scheduler(s);
      SmPolicies& policies = stage.feed.policies();
      PolicyPair& pair = policies.of_scheduler(s);
      prioritizers_.push_back(
          std::make_unique<TwinPrioritizer>(*pair.prioritizer, scheduler.supervised(), *sms_.back()));
      scheduler.ask(*prioritizers_.back());
      if (!design_.qualifier) continue;
      qualifiers_.push_back(
          std::make_unique<TwinQualifier>(*pair.qualifier, policies.choice(s), *sms_.back()));
      scheduler.ask(*qualifiers_.back());
    }
  }
}

void TwinRun::finish() {
  if (mismatched_) return;
  for (const auto& sm : sms_) sm->finish();
}

std::uint64_t TwinRun::edges() const {
  std::uint64_t edges = 0;
  for (const auto& sm : sms_) edges += sm->edges();
  return edges;
}

std::uint64_t TwinRun::grants() const {
  std::uint64_t grants = 0;
  for (const auto& sm : sms_) grants += sm->grants();
  return grants;
}

std::string TwinRun::json() const {
  nlohmann::ordered_json json;
  json["scheduler"] = design_.scheduler;
  json["impl"] = decides_ ? "rtl" : "lockstep";
  json["sms"] = sms_.size();
  json["edges"] = edges();
  json["grants"] = grants();
  json["mismatch"] = mismatched();
  return json.dump(2) + "\n";
}

}  // namespace heddle
