#include "top/bench/accepted.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace heddle::bench {

namespace {
constexpr double kPercent = 100;
}

Accepted Accepted::load(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error(path + ": cannot be read");
  Accepted accepted;
  try {
    const nlohmann::json json = nlohmann::json::parse(stream);
    accepted.tolerance_percent = json.at("tolerance_percent").get<double>();
    accepted.ratios = json.at("warp_instructions_per_fixed_computation").get<Ratios>();
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
  for (const auto& [workload, ratio] : accepted.ratios) {
    if (!(ratio > 0)) {
      throw std::runtime_error(
          std::string(path).append(": ").append(workload).append(": expected a number above 0"));
    }
  }
  return accepted;
}

void Accepted::save(const std::string& path) const {
  nlohmann::ordered_json json;
  json["tolerance_percent"] = tolerance_percent;
  json["warp_instructions_per_fixed_computation"] = ratios;
  std::ofstream stream(path);
  stream << json.dump(2) << "\n";
  if (!stream.flush()) throw std::runtime_error(path + ": cannot be written");
}

double Accepted::change_percent(const std::string& workload, double ratio) const {
  const auto found = ratios.find(workload);
  return found == ratios.end() ? 0 : kPercent * (ratio / found->second - 1);
}

}  // namespace heddle::bench
