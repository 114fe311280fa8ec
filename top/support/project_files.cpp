#include "top/support/project_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/nearest_name.h"

namespace heddle {

namespace fs = std::filesystem;

namespace {

/// <prefix>/share/heddle of the running program <prefix>/bin/PROGRAM.
std::string beside_program() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  const fs::path folder = program.parent_path().parent_path() / "share" / "heddle";
  const fs::path real = fs::canonical(folder, failed);
  return (failed ? folder : real).string();
}

/// What set_default_home() was given.
std::string& told_home() {
  static std::string home;
  return home;
}

std::string default_home() {
  const char* home = std::getenv("HEDDLE_HOME");
  if (home != nullptr && *home != '\0') return home;
  return told_home().empty() ? beside_program() : told_home();
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) && !fs::is_directory(path, ignored);
}

/// That `path` is no file of a kind ("workload file").
std::string no_file(const std::string& kind, const std::string& path) {
  std::error_code ignored;
  return fmt::format(
      fs::is_directory(path, ignored) ? "'{1}' is a folder and no {0}" : "there is no {0} '{1}'", kind, path);
}

/// A name rather than a path: what a user has mistyped when it is not found.
bool is_name(const std::string& text) { return text.find('/') == std::string::npos; }

/// NAME of each NAME.yaml in a folder, sorted.
std::vector<std::string> yaml_names(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

void ProjectFiles::set_default_home(std::string home) { told_home() = std::move(home); }

ProjectFiles::ProjectFiles(std::string home) : home_(home.empty() ? default_home() : std::move(home)) {}

std::string ProjectFiles::missing_home() const {
  std::error_code ignored;
  return fs::is_directory(home_, ignored)
             ? ""
             : fmt::format(
                   "; names are looked up in {}, which is not there (HEDDLE_HOME names another folder)",
                   home_);
}

std::vector<std::string> ProjectFiles::folders() const {
  return {(fs::path(home_) / "workloads").string(), (fs::path(home_) / "configs").string()};
}

std::string ProjectFiles::workload_path(const std::string& name) const {
  return (fs::path(home_) / "workloads" / "kernels" / name / (name + ".yaml")).string();
}

std::string ProjectFiles::timed_path(const std::string& name) const {
  return (fs::path(home_) / "workloads" / "timed" / (name + ".yaml")).string();
}

std::string ProjectFiles::config_path(const std::string& name) const {
  return (fs::path(home_) / "configs" / (name + ".yaml")).string();
}

std::string ProjectFiles::energy_path(const std::string& name) const {
  return (fs::path(home_) / "configs" / "energy" / (name + ".yaml")).string();
}

std::string ProjectFiles::workload(const std::string& path_or_name) const {
  if (is_file(path_or_name)) {
    return path_or_name;
  }
  if (is_name(path_or_name) && is_file(workload_path(path_or_name))) {
    return workload_path(path_or_name);
  }
  if (is_name(path_or_name) && is_file(timed_path(path_or_name))) {
    throw FileNotFound(
        fmt::format("'{}' is a workload of kind timed, which `heddle pairs` takes by itself; expected one "
                    "that launches kernels",
                    path_or_name));
  }
  throw FileNotFound(fmt::format("{}, and no workload of that name{}{}",
                                 no_file("workload file", path_or_name),
                                 name_hint(path_or_name, workload_names(), "workloads"), missing_home()));
}

std::string ProjectFiles::config(const std::string& path_or_name) const {
  if (is_file(path_or_name)) {
    return path_or_name;
  }
  if (is_name(path_or_name) && is_file(config_path(path_or_name))) {
    return config_path(path_or_name);
  }
  throw FileNotFound(fmt::format("{}, and no configuration of that name{}{}",
                                 no_file("configuration file", path_or_name),
                                 name_hint(path_or_name, config_names(), "configurations"), missing_home()));
}

std::string ProjectFiles::energy_table(const std::string& path_or_name) const {
  if (is_file(path_or_name)) {
    return path_or_name;
  }
  if (is_name(path_or_name) && is_file(energy_path(path_or_name))) {
    return energy_path(path_or_name);
  }
  throw FileNotFound(fmt::format("{}, and none of that name{}{}", no_file("energy table", path_or_name),
                                 name_hint(path_or_name, energy_table_names(), "energy tables"),
                                 missing_home()));
}

std::string ProjectFiles::rtl() const { return (fs::path(home_) / "rtl").string(); }

std::string ProjectFiles::license() const { return (fs::path(home_) / "LICENSE").string(); }

std::string ProjectFiles::technologies() const {
  return (fs::path(home_) / "configs" / "technology" / "estimates.yaml").string();
}

std::string ProjectFiles::experiment(const std::string& path_or_name) const {
  if (is_file(path_or_name)) return path_or_name;
  const std::string path = (fs::path(home_) / "experiments" / (path_or_name + ".yaml")).string();
  return is_file(path) ? path : "";
}

std::string ProjectFiles::experiment_name(const std::string& path) const {
  const fs::path file = fs::path(path).replace_extension();
  std::error_code failed;
  const fs::path below = fs::relative(file, fs::path(home_) / "experiments", failed);
  const bool is_below = !failed && !below.empty() && *below.begin() != "..";
  return is_below ? below.generic_string() : file.filename().string();
}

std::string ProjectFiles::timed_workload(const std::string& path_or_name) const {
  if (is_file(path_or_name)) {
    return path_or_name;
  }
  std::string path = timed_path(path_or_name);
  if (is_name(path_or_name) && is_file(path)) {
    return path;
  }
  throw FileNotFound(fmt::format("{}, and no timed workload of that name (expected '{}')",
                                 no_file("workload file", path_or_name), path));
}

std::vector<std::string> ProjectFiles::paper_tables() const {
  const fs::path folder = fs::path(home_) / "workloads" / "papers";
  std::vector<std::string> paths;
  for (const std::string& name : yaml_names(folder)) paths.push_back((folder / (name + ".yaml")).string());
  return paths;
}

std::vector<std::string> ProjectFiles::workload_names() const {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::path(home_) / "workloads" / "kernels", ignored)) {
    const std::string name = entry.path().filename().string();
    if (is_file(workload_path(name))) {
      names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> ProjectFiles::timed_workload_names() const {
  return yaml_names(fs::path(home_) / "workloads" / "timed");
}

std::vector<std::string> ProjectFiles::config_names() const {
  return yaml_names(fs::path(home_) / "configs");
}

std::vector<std::string> ProjectFiles::energy_table_names() const {
  return yaml_names(fs::path(home_) / "configs" / "energy");
}

}  // namespace heddle
