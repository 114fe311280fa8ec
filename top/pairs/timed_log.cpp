#include "top/pairs/timed_log.h"

#include <nlohmann/json.hpp>

#include "top/report/logs/policy_intervals.h"
#include "top/support/output/output_folder.h"

namespace heddle {

TimedLog::TimedLog(TbDispatcher& dispatcher, const CoreConfig& core)
    : predictions_(dispatcher), structural_(dispatcher, core) {
  dispatcher.tb_dispatched.listen([this](const TbTransaction& tb, Cycle cycle) {
    life_of_[{tb.launch_id, tb.tb}] = lives_.size();
    lives_.push_back(
        {tb.launch_id, tb.launch->program().name, tb.tb, tb.sm.value(), tb.tb_slot.value(), cycle, 0});
  });
  dispatcher.tb_ended.listen([this](const TbTransaction& tb, Cycle cycle) {
    lives_[life_of_.at({tb.launch_id, tb.tb})].end = cycle;
  });
  dispatcher.policy_interval.listen(
      [this](const PolicyInterval& interval) { policy_intervals_.push_back(interval); });
}

void TimedLog::write(const std::string& folder, const std::string& title) const {
  const OutputFolder place(folder, OutputFolder::Wait::kShort);
  place.clear();
  place.write("predictions.csv", predictions_.csv());
  place.write("thread_blocks.json", json(title));
}

std::string TimedLog::json(const std::string& title) const {
  std::map<std::uint64_t, nlohmann::ordered_json> launches;
  for (const Life& life : lives_) {
    nlohmann::ordered_json& launch = launches[life.launch];
    if (launch.empty()) launch = {{"launch", life.launch}, {"kernel", life.kernel}};
    launch["tbs"].push_back(
        {{"tb", life.tb}, {"sm", life.sm}, {"slot", life.slot}, {"start", life.start}, {"end", life.end}});
  }
  nlohmann::ordered_json root{{"pair", title}};
  for (auto& [id, launch] : launches) {
    launch["sms"] = structural_.of_launch(id);
    root["launches"].push_back(launch);
  }
  root["policy_intervals"] = policy_intervals_json(policy_intervals_);
  return root.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace heddle
