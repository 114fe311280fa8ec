#include "top/experiment/point/point_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "top/pairs/pair_figures.h"
#include "top/support/processes/exit_code.h"
#include "top/support/results.h"
#include "top/support/stats_file.h"

namespace heddle {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* kDetails[] = {"launches", "streams", "instances", "energy"};

void add_metrics(const json& stats, PointResult& result) {
  const json& definitions = stats.at("definitions");
  const auto unit_of = [&definitions](const std::string& name) {
    const json* const definition = find_metric(definitions, name);
    return definition == nullptr ? "" : definition->at(kUnit).get<std::string>();
  };
  for_each_metric(stats.at("metrics"), [&](const std::string& name, const json& value) {
    if (!value.is_number()) return;
    const json* const definition = find_metric(definitions, name);
    const std::string description =
        definition == nullptr ? "" : definition->at(kDescription).get<std::string>();
    result.figures.push_back({name, unit_of(name), description, value});
  });
  if (!is_sampled(stats)) return;
  for_each_metric(stats.at("sampling").at("half_intervals"), [&](const std::string& name, const json& half) {
    if (!half.is_number()) return;
    result.figures.push_back(
        {half_interval_name(name), unit_of(name), "half the 95% confidence interval of " + name, half});
  });
}

/// Of streams with their run times alone.
void add_multiprogram(const json& values, const std::string& prefix, PointResult& result) {
  const auto add = [&](const char* name, const char* description) {
    const auto found = values.find(name);
    if (found == values.end() || !found->is_number()) return;
    result.figures.push_back({prefix + name, "1", description, *found});
  };
  add("stp", "system throughput: alone over shared turnaround, summed");
  add("antt", "mean slowdown");
  add("strict_f", "smallest slowdown over the largest");
}

void add_cost(const json& cost, PointResult& result) {
  if (!cost.is_object()) return;
  const auto add = [&result](const std::string& name, const std::string& unit, const json& value) {
    if (value.is_number())
      result.figures.push_back({"cost." + name, unit, "of the scheduler's parts", value});
  };
  const json& totals = cost.at("totals");
  for (const char* const name : {"bits_per_sm", "bits_per_gpu", "paper_bits_per_sm"})
    add(name, "bits", totals.at(name));
  add("nand2_per_gpu", "NAND2-eq", totals.at("nand2_per_gpu"));
  if (totals.at("nand2_per_sm").is_object()) {
    add("nand2_per_sm", "NAND2-eq", totals.at("nand2_per_sm").at("total"));
  }
  if (cost.contains("unpriced")) add("unpriced", "1", 1);
  add("accesses_per_1000_cycles", "accesses", totals.at("accesses_per_1000_cycles"));
  const auto estimate = [&](const char* name, const char* unit) {
    const json& value = totals.at(name);
    if (value.is_object()) {
      for (const auto& [which, number] : value.items()) add(fmt::format("{}.{}", name, which), unit, number);
    } else {
      add(name, unit, value);
    }
  };
  estimate("area_um2_per_sm", "um2");
  estimate("run_energy_nj", "nJ");
}

std::string file_in(const std::string& folder, const char* name) {
  return (fs::path(folder) / name).string();
}

/// What can't be understood is damaged.
template <class Use>
void use_file(const std::string& file, const Use& use) {
  try {
    use();
  } catch (const json::exception& error) {
    throw ResultsError(fmt::format("{}: damaged: {}", file, error.what()));
  }
}

}  // namespace

bool PointResult::sampled() const {
  return std::any_of(figures.begin(), figures.end(),
                     [](const PointFigure& figure) { return figure.name == half_interval_name("cycles"); });
}

std::string PointResult::status() const { return done() && sampled() ? "sampled" : status_of(code); }

void read_run_results(const std::string& folder, PointResult& result) {
  const std::string file = file_in(folder, "stats.json");
  const auto stats = read_result(file);
  if (!stats) return;
  use_file(file, [&] {
    check_stats_format(*stats, file);
    add_metrics(*stats, result);
    if (const auto found = stats->find("multiprogram"); found != stats->end())
      add_multiprogram(*found, "multiprogram.", result);
    json checks = stats->value("checks", json::array());
    result.figures.push_back({"checks", "1", "outputs held against a reference", checks.size()});
    result.details = json::object();
    for (const char* const name : kDetails) {
      if (stats->contains(name)) result.details[name] = stats->at(name);
    }
  });
  const std::string cost_file = file_in(folder, "cost.json");
  const json cost = read_result(cost_file).value_or(json());
  use_file(cost_file, [&] { add_cost(cost, result); });
  const std::string speed_file = file_in(folder, "speed.json");
  const json speed = read_result(speed_file).value_or(json::object());
  use_file(speed_file, [&] { result.cycles_per_second = speed.value("cycles_per_second", 0.0); });
}

void read_pairs_results(const std::string& file, PointResult& result) {
  const auto pairs = read_result(file);
  if (!pairs) throw ResultsError(file + ": is not there");
  use_file(file, [&] {
    for (const auto& [kernel, cycles] : pairs->at("alone_cycles").items())
      result.figures.push_back({"alone." + kernel + ".cycles", "cycles", "turnaround alone", cycles});
    for (const json& policy : pairs->at("results")) {
      add_multiprogram(policy.at("geometric_mean"), "multiprogram.", result);
      for (const json& pair : policy.at("pairs")) {
        std::string names;
        for (const char* const place : kPlaceNames) {
          if (pair.contains(place)) names += (names.empty() ? "" : "+") + pair.at(place).get<std::string>();
        }
        const std::string prefix = "set." + names + ".";
        add_multiprogram(pair, prefix, result);
        std::size_t place = 0;
        for (const json& cycles : pair.value("shared_cycles", json::array()))
          result.figures.push_back({fmt::format("{}shared_cycles.{}", prefix, ++place), "cycles",
                                    "turnaround beside the others", cycles});
        for (const char* const name : {"changes_to_sharing", "sampling_delay_cycles", "hand_off_cycles"}) {
          if (pair.contains(name))
            result.figures.push_back({prefix + name, "", "of the policy", pair.at(name)});
        }
      }
    }
    result.details = {{"pairs", *pairs}};
  });
}

std::vector<std::string> further_figure_names() {
  std::vector<std::string> names{"checks",
                                 "multiprogram.stp",
                                 "multiprogram.antt",
                                 "multiprogram.strict_f",
                                 "cost.bits_per_sm",
                                 "cost.bits_per_gpu",
                                 "cost.paper_bits_per_sm",
                                 "cost.nand2_per_sm",
                                 "cost.nand2_per_gpu",
                                 "cost.unpriced",
                                 "cost.accesses_per_1000_cycles"};
  for (const char* const estimate : {"cost.area_um2_per_sm.", "cost.run_energy_nj."}) {
    for (const char* const which : {"value", "low", "high"}) names.push_back(std::string(estimate) + which);
  }
  return names;
}

std::optional<int> code_in(const std::string& folder) {
  const std::string file = file_in(folder, "stats.json");
  try {
    const auto stats = read_result(file);
    if (!stats) return std::nullopt;
    const std::string end = stats->at("end").get<std::string>();
    if (end == "interrupted") return std::nullopt;
    if (end != "complete") {
      for (const ExitCode code :
           {ExitCode::kCycleLimit, ExitCode::kMemoryLimit, ExitCode::kTimeLimit, ExitCode::kDeadlock,
            ExitCode::kPolicyDeadlock, ExitCode::kProgramFault, ExitCode::kBadInput}) {
        if (end == status_of(static_cast<int>(code))) return static_cast<int>(code);
      }
      return std::nullopt;
    }
    bool passed = true;
    for (const json& check : stats->value("checks", json::array()))
      passed = passed && check.at("passed").get<bool>();
    return static_cast<int>(passed ? ExitCode::kOk : ExitCode::kCheckFailed);
  } catch (const ResultsError&) {
    return std::nullopt;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

json to_json(const PointResult& result) {
  json figures = json::array();
  for (const PointFigure& figure : result.figures)
    figures.push_back({figure.name, figure.unit, figure.description, figure.value});
  return {{"id", result.id},
          {"code", result.code},
          {"message", result.message},
          {"host", result.host},
          {"began", result.began},
          {"wall_seconds", result.wall_seconds},
          {"cpu_seconds", result.cpu_seconds},
          {"peak_memory_bytes", result.peak_memory_bytes},
          {"cycles_per_second", result.cycles_per_second},
          {"figures", figures},
          {"details", result.details}};
}

PointResult point_result_of(const json& root) {
  PointResult result;
  root.at("id").get_to(result.id);
  result.code = static_cast<int>(whole_number(root.at("code")));
  root.at("message").get_to(result.message);
  root.at("host").get_to(result.host);
  root.at("began").get_to(result.began);
  root.at("wall_seconds").get_to(result.wall_seconds);
  root.at("cpu_seconds").get_to(result.cpu_seconds);
  result.peak_memory_bytes = whole_number(root.at("peak_memory_bytes"));
  root.at("cycles_per_second").get_to(result.cycles_per_second);
  for (const json& figure : root.at("figures"))
    result.figures.push_back({figure.at(0), figure.at(1), figure.at(2), figure.at(3)});
  result.details = root.at("details");
  return result;
}

}  // namespace heddle
