#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace heddle {

/// A workload or configuration that can't be found. The message names those that exist.
class FileNotFound : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Named files that come with Heddle: workloads/kernels/NAME/NAME.yaml, configs/NAME.yaml and the
/// technologies, in a folder `home`: that of the sources, or share/heddle of an installation.
class ProjectFiles {
 public:
  /// "": the first of what the environment variable HEDDLE_HOME says, what set_default_home() was given, and
  /// <prefix>/share/heddle of the running program <prefix>/bin/PROGRAM.
  explicit ProjectFiles(std::string home = "");
  /// For programs that do not lie in the bin folder of an installation, and are not part of the sources;
  /// CMake knows the folder as Heddle_DATA_DIR, pkg-config as the variable datadir. Holds for all that look
  /// up names afterwards.
  static void set_default_home(std::string home);

  /// The path of a file given by path or name; throws FileNotFound.
  std::string workload(const std::string& path_or_name) const;
  std::string config(const std::string& path_or_name) const;
  /// The folder of the SystemVerilog, whether it is there or not.
  std::string rtl() const;
  /// The text of Heddle's licence, whether it is there or not.
  std::string license() const;
  /// The file with the project's technologies, whether it is there or not.
  std::string technologies() const;
  /// A file given by path, or configs/energy/NAME.yaml; throws FileNotFound.
  std::string energy_table(const std::string& path_or_name) const;
  /// The file of an experiment given by path, or experiments/NAME.yaml; "" when there is none.
  std::string experiment(const std::string& path_or_name) const;
  /// What an experiment's file is called: "pro/quick/schedulers" below experiments/, elsewhere NAME of
  /// NAME.yaml.
  std::string experiment_name(const std::string& path) const;
  /// Of kind `timed`: workloads/timed/NAME.yaml.
  std::string timed_workload(const std::string& path_or_name) const;

  /// The papers' tables of benchmarks, workloads/papers/PAPER.yaml, by name.
  std::vector<std::string> paper_tables() const;

  /// Where all of them are, and what they name.
  std::vector<std::string> folders() const;

  /// Sorted.
  std::vector<std::string> workload_names() const;
  std::vector<std::string> timed_workload_names() const;
  std::vector<std::string> config_names() const;
  std::vector<std::string> energy_table_names() const;

 private:
  /// For messages: "" when the folder exists.
  std::string missing_home() const;
  std::string workload_path(const std::string& name) const;
  std::string timed_path(const std::string& name) const;
  std::string config_path(const std::string& name) const;
  std::string energy_path(const std::string& name) const;

  std::string home_;
};

}  // namespace heddle
