#include "top/batch/run_figures.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "top/support/results.h"
#include "top/support/stats_file.h"

namespace heddle {

namespace {

using nlohmann::json;

json read_json(const std::filesystem::path& path) {
  std::ifstream file(path);
  return json::parse(file, nullptr, false);
}

/// Throws json::exception for all but a whole number from 0: the conversion would make it one.
std::uint64_t count_in(const json& value) { return value.get_ref<const json::number_unsigned_t&>(); }

std::uint64_t cycles_of(const json& entry) {
  const json* const cycles = find_metric(entry.at("metrics"), "cycles");
  return cycles != nullptr && cycles->is_number_unsigned() ? cycles->get<std::uint64_t>() : 0;
}

void read_cost(const json& cost, RunFigures& figures) {
  const json& totals = cost.at("totals");
  figures.priced = !cost.contains("unpriced");
  if (figures.priced) {
    figures.bits_per_sm = count_in(totals.at("bits_per_sm"));
    figures.nand2_per_sm = totals.at("nand2_per_sm").at("total").get<double>();
  }
  for (const json& row : cost.at("structures")) {
    const std::uint64_t conflicts = count_in(row.at("activity").at("port_conflicts"));
    if (conflicts != 0) {
      figures.conflicts.push_back(
          {row.at("block").get<std::string>() + "/" + row.at("structure").get<std::string>(), conflicts});
    }
  }
  std::stable_sort(figures.conflicts.begin(), figures.conflicts.end(),
                   [](const PartConflicts& a, const PartConflicts& b) { return a.conflicts > b.conflicts; });
}

}  // namespace

std::optional<double> RunFigures::value(const std::string& name) const {
  const auto found = metrics.find(name);
  return found == metrics.end() ? std::nullopt : found->second.value;
}

std::optional<double> RunFigures::half(const std::string& name) const {
  const auto found = metrics.find(name);
  return found == metrics.end() ? std::nullopt : found->second.half;
}

std::optional<double> fewest_tb_rounds(const json& launches) {
  std::optional<double> fewest;
  for (const json& launch : launches) {
    const json* const found = find_metric(launch.at("metrics"), "tb_rounds");
    if (found == nullptr) continue;
    const auto rounds = found->get<double>();
    fewest = std::min(fewest.value_or(rounds), rounds);
  }
  return fewest;
}

std::vector<StreamFigures> streams_in(const json& stats) {
  std::vector<StreamFigures> streams;
  if (!stats.contains("streams") || stats.at("streams").is_null()) return streams;
  std::map<std::string, std::size_t> places;
  for (const json& stream : stats.at("streams")) {
    places[stream.at("name").get<std::string>()] = streams.size();
    streams.push_back({cycles_of(stream), {}, count_in(stream.at("arrival_cycle"))});
  }
  for (const json& launch : stats.at("launches")) {
    const auto place = places.find(launch.at("stream").get<std::string>());
    if (place != places.end()) streams[place->second].launches.push_back(cycles_of(launch));
  }
  return streams;
}

std::optional<RunFigures> read_run_figures(const std::string& folder) {
  const json stats = read_json(std::filesystem::path(folder) / "stats.json");
  const json cost = read_json(std::filesystem::path(folder) / "cost.json");
  if (!stats.is_object() || !cost.is_object()) {
    return std::nullopt;
  }
  try {
    check_stats_format(stats, "stats.json");
    RunFigures figures;
    figures.complete = stats.at("status") == "complete";
    figures.sampled = is_sampled(stats);
    const json& definitions = stats.at("definitions");
    for_each_metric(stats.at("metrics"), [&](const std::string& name, const json& value) {
      RunFigure& figure = figures.metrics[name];
      if (value.is_number()) figure.value = value.get<double>();
      const json* const definition = find_metric(definitions, name);
      if (definition != nullptr) figure.unit = definition->at(kUnit).get<std::string>();
    });
    if (figures.sampled) {
      for_each_metric(stats.at("sampling").at("half_intervals"),
                      [&](const std::string& name, const json& half) {
                        if (half.is_number()) figures.metrics[name].half = half.get<double>();
                      });
    }
    for (const json& check : stats.value("checks", json::array())) {
      ++figures.checks;
      figures.checks_passed += check.at("passed").get<bool>() ? 1 : 0;
    }
    figures.tb_rounds = fewest_tb_rounds(stats.at("launches"));
    read_cost(cost, figures);
    figures.streams = streams_in(stats);
    return figures;
  } catch (const json::exception&) {
    return std::nullopt;
  } catch (const ResultsError&) {
    return std::nullopt;
  }
}

std::map<std::string, RunFigure> policy_metrics(const RunFigures& figures,
                                                const std::vector<std::string>& names) {
  std::map<std::string, RunFigure> found;
  for (const auto& [name, figure] : figures.metrics) {
    for (const std::string& policy : names) {
      for (const std::string& scope : {"sm." + policy + ".", "sm.scheduler." + policy + "."}) {
        if (name.compare(0, scope.size(), scope) == 0) {
          found[name] = figure;
        }
      }
    }
  }
  return found;
}

}  // namespace heddle
