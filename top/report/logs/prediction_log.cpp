#include "top/report/logs/prediction_log.h"

#include <fmt/format.h>

#include <iterator>

namespace heddle {

PredictionLog::PredictionLog(TbDispatcher& dispatcher) {
  dispatcher.tb_dispatched.listen([this](const TbTransaction& tb, Cycle cycle) { started(tb, cycle); });
  dispatcher.tb_ended.listen([this](const TbTransaction& tb, Cycle cycle) { ended(tb, cycle); });
  dispatcher.launch_ended.listen(
      [this](const LaunchRecord& launch) { launches_[launch.launch_id].ended = true; });
  dispatcher.predicted.listen(
      [this](const RuntimePrediction& prediction) { predictions_.push_back(prediction); });
}

void PredictionLog::started(const TbTransaction& tb, Cycle cycle) {
  Residence& residence = residence_[{tb.launch_id, tb.sm.value()}];
  if (residence.tbs++ == 0) residence.since = cycle;
  if (tb.tb == 0) launches_[tb.launch_id].kernel = tb.launch->program().name;
}

void PredictionLog::ended(const TbTransaction& tb, Cycle cycle) {
  Residence& residence = residence_[{tb.launch_id, tb.sm.value()}];
  if (--residence.tbs == 0) residence.cycles += cycle - residence.since;
}

std::string PredictionLog::csv() const {
  std::string text = "cycle,launch,kernel,sm,tb_cycles,predicted_cycles,actual_cycles\n";
  for (const RuntimePrediction& prediction : predictions_) {
    const Launch& launch = launches_.at(prediction.launch_id);
    const auto residence = residence_.find({prediction.launch_id, prediction.sm});
    const Cycle actual = residence == residence_.end() ? 0 : residence->second.cycles;
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{}\n", prediction.cycle, prediction.launch_id,
                   launch.kernel, prediction.sm, prediction.tb_cycles, prediction.predicted_cycles,
                   launch.ended ? std::to_string(actual) : "");
  }
  return text;
}

}  // namespace heddle
