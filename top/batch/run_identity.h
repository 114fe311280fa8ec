#pragma once

#include <functional>
#include <optional>
#include <string>

#include "top/batch/fingerprint.h"
#include "top/config/config_loader.h"
#include "top/options/options.h"

namespace heddle {

/// Of the files of a workload, given as RunOptions::workload: its YAML, PTX, data and what outputs are held
/// against. Throws as load_workload().
std::string workload_fingerprint(const std::string& workload);
/// Of every value of a configuration.
std::string configuration_fingerprint(const LoadedConfig& config);

/// What a run's results are of, as fingerprints: equal ones give equal results. `run.json` beside the results
/// holds it, so that whoever reads them can tell whether they are those that were asked for.
struct RunIdentity {
  std::string program;        ///< this program
  std::string configuration;  ///< every value of it
  /// The workloads with their PTX, data and sizes, and all else that the command line says of what is
  /// simulated.
  std::string workload;

  /// Of the run that `options` ask for, with what the files hold at this moment. Throws as load_workload().
  static RunIdentity of(const RunOptions& options, const LoadedConfig& config);
  /// The same for who has many runs: `configuration` is its fingerprint, `files` that of a workload's files.
  static RunIdentity of(const RunOptions& options, const std::string& configuration,
                        const std::function<std::string(const std::string& workload)>& files);
  /// Of run.json in `folder`; nothing when it is not there or not whole.
  static std::optional<RunIdentity> read(const std::string& folder);
  std::string json() const;

  /// What differs from `other`, as a text: "configuration, workload"; "" when nothing does.
  std::string differences(const RunIdentity& other) const;
  /// Throws OutputError unless run.json in `folder` says this identity.
  void expect_in(const std::string& folder) const;
};

}  // namespace heddle
