#pragma once

#include <map>
#include <string>

#include "top/batch/run_identity.h"
#include "top/experiment/definition/points.h"

namespace heddle {

/// What a point's results are of, as fingerprints: equal ones give equal results.
struct PointIdentity {
  RunIdentity run;  ///< program, configuration, and the workload with its inputs, seeds and limits of cycles
  std::string energy;     ///< the tables that energy and area come from
  std::string kept = {};  ///< of a run that stays in a folder: its name, and what is recorded in it
  bool known = true;  ///< false: the configuration or the workload can't be read, which running it will tell

  /// 32 hexadecimal digits, the point's name in databases.
  std::string id() const;
};

/// What a machine is called by.
struct PointMachine {
  std::string fingerprint;
  std::string scheduler;
  std::string tb_policy;
};

/// Makes identities of many points: each file is read once, each machine described once.
class PointIdentities {
 public:
  PointIdentity of_run(const RunOptions& run);
  PointIdentity of(const Point& point);

  /// The machine of a point. Throws as load_command_config().
  const PointMachine& machine_of(const Point& point);

 private:
  const PointMachine& machine(const ConfigOptions& config, const std::string& scheduler);
  std::string files(const std::string& workload);
  PointIdentity finish(PointIdentity identity, const RecordOptions& record);

  std::map<std::string, PointMachine> machines_;
  std::map<std::string, std::string> files_;
  std::map<std::string, std::string> energies_;
};

}  // namespace heddle
