#include "top/experiment/point/point_identity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <exception>

#include "base/memory_budget.h"
#include "top/config/technology_file.h"
#include "top/options/command_config.h"
#include "top/support/processes/out_of_memory.h"
#include "top/support/project_files.h"

namespace heddle {

namespace {

/// What a set of seeds, pairs and machines without a workload is told apart by.
constexpr const char* kOfPairs = "pairs";
constexpr const char* kUnknown = "unknown";

std::string file_fingerprint(const std::string& path) { return Fingerprint().add_file(path).text(); }

/// As `heddle pairs` takes it.
ConfigOptions timed_config(const PairsOptions& pairs) {
  ConfigOptions config = pairs.config;
  if (config.config.empty()) config.config = "srtf";
  return config;
}

/// Those who look for what is wrong are not to be told that memory is.
void rethrow_lack_of_memory() {
  if (ran_out_of_memory()) throw;
}

}  // namespace

std::string PointIdentity::id() const {
  Fingerprint fingerprint;
  fingerprint.add(run.program).add(run.configuration).add(run.workload).add(energy);
  if (!kept.empty()) fingerprint.add(kept);
  return fingerprint.text();
}

const PointMachine& PointIdentities::machine(const ConfigOptions& config, const std::string& scheduler) {
  const std::string key = Fingerprint()
                              .add(config.config)
                              .add(fmt::format("{}", fmt::join(config.assignments, "\n")))
                              .add(scheduler)
                              .text();
  const auto found = machines_.find(key);
  if (found != machines_.end()) return found->second;
  const LoadedConfig loaded = load_command_config(config, scheduler);
  return machines_[key] = {configuration_fingerprint(loaded), loaded.config.scheduler.name,
                           loaded.config.tb_dispatcher.policy};
}

std::string PointIdentities::files(const std::string& workload) {
  std::string& fingerprint = files_[workload];
  if (fingerprint.empty()) fingerprint = workload_fingerprint(workload);
  return fingerprint;
}

const PointMachine& PointIdentities::machine_of(const Point& point) {
  return point.timed ? machine(timed_config(*point.timed), "")
                     : machine(point.run.config, point.run.scheduler);
}

PointIdentity PointIdentities::finish(PointIdentity identity, const RecordOptions& record) {
  std::string& energy = energies_[record.energy + "\n" + record.technology];
  if (energy.empty()) {
    const ProjectFiles files;
    energy = Fingerprint()
                 .add(file_fingerprint(files.energy_table(record.energy.empty() ? "gf100" : record.energy)))
                 .add(record.technology)
                 .add(file_fingerprint(technology_path(record.technology, files.technologies())))
                 .text();
  }
  identity.energy = energy;
  return identity;
}

PointIdentity PointIdentities::of_run(const RunOptions& run) {
  PointIdentity identity;
  try {
    identity.run = RunIdentity::of(run, machine(run.config, run.scheduler).fingerprint,
                                   [this](const std::string& workload) { return files(workload); });
    return finish(identity, run.record);
  } catch (const MemoryError&) {
    throw;
  } catch (const std::exception&) {
    rethrow_lack_of_memory();
  }
  identity.known = false;
  identity.run = {program_fingerprint(), kUnknown, Fingerprint().add(run.model_command()).text()};
  return identity;
}

PointIdentity PointIdentities::of(const Point& point) {
  if (!point.timed) return of_run(point.run);
  const PairsOptions& pairs = *point.timed;
  PointIdentity identity;
  const std::string what =
      fmt::format("{} {} {} {} {} {}", kOfPairs, fmt::join(pairs.workloads, " "),
                  fmt::join(pairs.arrivals, ","), pairs.seed, pairs.together, pairs.interference);
  try {
    identity.run = {program_fingerprint(), machine(timed_config(pairs), "").fingerprint,
                    Fingerprint()
                        .add(what)
                        .add(file_fingerprint(ProjectFiles().timed_workload(pairs.workloads.front())))
                        .text()};
    return finish(identity, pairs.record);
  } catch (const MemoryError&) {
    throw;
  } catch (const std::exception&) {
    rethrow_lack_of_memory();
  }
  identity.known = false;
  identity.run = {
      program_fingerprint(), kUnknown,
      Fingerprint().add(what).add(fmt::format("{}", fmt::join(pairs.config.assignments, " "))).text()};
  return identity;
}

}  // namespace heddle
