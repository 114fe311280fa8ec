#include "top/reproduction/logs/logged_run.h"

#include "top/support/results.h"

namespace heddle {
namespace {

using Json = nlohmann::json;

LoggedTb tb_of(const Json& json) {
  LoggedTb tb;
  tb.tb = whole_number(json.at("tb"));
  tb.sm = whole_number(json.at("sm"));
  tb.slot = whole_number(json.at("slot"));
  tb.start = whole_number(json.at("start"));
  tb.end = whole_number(json.at("end"));
  tb.rtru = json.value("rtru", 0.0);
  if (!json.contains("warps")) return tb;
  for (const Json& warp : json.at("warps")) {
    tb.warps.push_back({whole_number(warp.at(0)), whole_number(warp.at(1)), whole_number(warp.at(2)),
                        whole_number(warp.at(3))});
  }
  return tb;
}

LoggedPrediction prediction_of(const Json& json) {
  LoggedPrediction prediction;
  prediction.sm = whole_number(json.at("sm"));
  prediction.tbs = whole_number(json.at("tbs"));
  prediction.residency = whole_number(json.at("residency"));
  prediction.span_cycles = json.at("span_cycles").get<double>();
  prediction.active_cycles = json.at("active_cycles").get<double>();
  prediction.staircase_cycles = json.at("staircase_cycles").get<double>();
  const Json& regression = json.at("regression_cycles");
  if (!regression.is_null()) prediction.regression_cycles = regression.get<double>();
  prediction.slicing_cycles = json.at("slicing_cycles").get<double>();
  prediction.once_cycles = json.at("once_cycles").get<double>();
  return prediction;
}

LoggedLaunch launch_of(const Json& json) {
  LoggedLaunch launch;
  launch.launch = whole_number(json.at("launch"));
  launch.kernel = json.at("kernel").get<std::string>();
  launch.rtru_geometric_mean = json.value("rtru_geometric_mean", 0.0);
  if (json.contains("warps_by_instructions")) {
    const Json& histogram = json.at("warps_by_instructions");
    launch.bin_instructions = whole_number(histogram.at("bin"));
    launch.warps_by_instructions = whole_numbers(histogram.at("warps"));
  }
  for (const Json& sm : json.at("sms")) launch.sms.push_back(prediction_of(sm));
  for (const Json& tb : json.at("tbs")) launch.tbs.push_back(tb_of(tb));
  return launch;
}

LoggedRun run_of(const Json& json) {
  LoggedRun run;
  for (const Json& launch : json.at("launches")) run.launches.push_back(launch_of(launch));
  for (const Json& interval : json.at("policy_intervals")) {
    run.intervals.push_back({interval.at("kind").get<std::string>(), whole_number(interval.at("launch")),
                             whole_number(interval.at("sm")), whole_number(interval.at("start")),
                             whole_number(interval.at("end"))});
  }
  return run;
}

}  // namespace

LoggedRun logged_run_of(const nlohmann::json& thread_blocks, const std::string& source) {
  try {
    return run_of(thread_blocks);
  } catch (const nlohmann::json::exception& error) {
    throw ResultsError(source + ": thread_blocks.json is not as Heddle writes it: " + error.what());
  }
}

}  // namespace heddle
