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

/// Named files of the project: workloads/kernels/NAME/NAME.yaml and configs/NAME.yaml below `home`.
class ProjectFiles {
 public:
  /// `home` is the project folder; "" = HEDDLE_HOME, or else the folder that the program was built from.
  explicit ProjectFiles(std::string home = "");

  /// The path of a file given by path or name; throws FileNotFound.
  std::string workload(const std::string& path_or_name) const;
  std::string config(const std::string& path_or_name) const;
  /// The file with the project's technologies, whether it is there or not.
  std::string technologies() const;
  /// Of kind `timed`: workloads/timed/NAME.yaml.
  std::string timed_workload(const std::string& path_or_name) const;

  /// Sorted.
  std::vector<std::string> workload_names() const;
  std::vector<std::string> config_names() const;

 private:
  std::string workload_path(const std::string& name) const;
  std::string config_path(const std::string& name) const;

  std::string home_;
};

}  // namespace heddle
