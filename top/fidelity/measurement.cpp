#include "top/fidelity/measurement.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "top/support/processes/child_process.h"
#include "top/support/stats_file.h"

namespace heddle::fidelity {

namespace {

double share(double part, double whole) { return whole == 0 ? 0 : part / whole; }

}  // namespace

Measurement::Measurement(std::string heddle, std::string config, std::vector<std::string> settings)
    : heddle_(std::move(heddle)), config_(std::move(config)), settings_(std::move(settings)) {}

Figures Measurement::run(const std::string& workload, const std::string& size,
                         const std::string& scheduler) const {
  const std::filesystem::path out =
      std::filesystem::temp_directory_path() / fmt::format("heddle-fidelity-{}", getpid());
  ChildStart start;
  start.command = {heddle_,       "run",     workload,  "--config", config_,
                   "--scheduler", scheduler, "--quiet", "--out",    out.string()};
  if (!size.empty()) start.command.insert(start.command.end(), {"--size", size});
  for (const std::string& setting : settings_) start.command.insert(start.command.end(), {"--set", setting});
  const int code = ChildProcess(start).wait();
  if (code != 0) {
    std::filesystem::remove_all(out);
    throw std::runtime_error(
        fmt::format("{} under {}: {} ended with {}", workload, scheduler, heddle_, code));
  }
  const nlohmann::json stats = nlohmann::json::parse(std::ifstream(out / "stats.json"));
  std::filesystem::remove_all(out);
  return figures_of(stats);
}

Figures figures_of(const nlohmann::json& stats) {
  std::map<std::string, double> values;
  for_each_metric(stats.at("metrics"), [&values](const std::string& name, const nlohmann::json& value) {
    if (value.is_number()) values[name] = value.get<double>();
  });
  const nlohmann::json& config = stats.at("config").at("values");
  const double sms = config.at("core.sms").get<double>();
  const double schedulers = config.at("core.schedulers").get<double>();
  const double scheduler_cycles = schedulers * values.at("sm.active_cycles");
  const double without_tb = values.at("sm.scheduler.cycles") - scheduler_cycles;
  // The reference's schedulers look at their active warps only.
  const bool active_set = values.count("sm.scheduler.active_set.idle") != 0;
  const std::string stalls = active_set ? "sm.scheduler.active_set." : "sm.scheduler.";
  const double loads_and_stores = values.at("sm.l1d.loads") + values.at("sm.l1d.stores");
  const double missing_stores = values.at("sm.l1d.stores") - values.at("sm.l1d.store_hits");
  Figures figures;
  figures.cycles = values.at("cycles");
  figures.active_cycles = values.at("sm.active_cycles") / sms;
  figures.ipc = values.at("ipc_warp");
  figures.l1d_miss = share(values.at("sm.l1d.misses") + missing_stores, loads_and_stores);
  figures.l2_miss = share(values.at("partition.slice.fetched_sectors"), values.at("partition.slice.sectors"));
  figures.idle = share(values.at(stalls + "idle") - without_tb, scheduler_cycles);
  figures.scoreboard = share(values.at(stalls + "scoreboard"), scheduler_cycles);
  figures.pipeline = share(values.at(stalls + "pipeline"), scheduler_cycles);
  figures.issued = share(values.at("sm.scheduler.issued"), scheduler_cycles);
  return figures;
}

}  // namespace heddle::fidelity
