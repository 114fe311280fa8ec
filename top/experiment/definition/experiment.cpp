#include "top/experiment/definition/experiment.h"

#include <algorithm>

namespace heddle {

std::string Experiment::list_with(const std::string& key) const {
  if (key == "scheduler.name" && !schedulers.empty()) return "schedulers";
  if (key == "tb_dispatcher.policy" && !tb_policies.empty()) return "tb_policies";
  const bool turns =
      std::any_of(axes.begin(), axes.end(), [&key](const ExperimentAxis& axis) { return axis.key == key; });
  return turns ? "axes" : "";
}

}  // namespace heddle
