#include "top/report/logs/policy_intervals.h"

namespace heddle {

nlohmann::ordered_json policy_intervals_json(const std::vector<PolicyInterval>& intervals) {
  auto list = nlohmann::ordered_json::array();
  for (const PolicyInterval& interval : intervals) {
    list.push_back({{"kind", to_string(interval.kind)},
                    {"launch", interval.launch_id},
                    {"sm", interval.sm},
                    {"start", interval.start},
                    {"end", interval.end}});
  }
  return list;
}

}  // namespace heddle
