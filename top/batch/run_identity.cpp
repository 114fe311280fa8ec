#include "top/batch/run_identity.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "top/config/config_print.h"
#include "top/support/output/atomic_file.h"
#include "top/support/processes/ptxas.h"
#include "top/support/project_files.h"
#include "top/support/sized_workload.h"
#include "workloads/description/input_files.h"
#include "workloads/description/workload_loader.h"

namespace heddle {

namespace {

constexpr int kFormat = 1;

}  // namespace

std::string workload_fingerprint(const std::string& text) {
  const std::string file = ProjectFiles().workload(SizedWorkload::of(text).workload);
  const Workload workload = load_workload(file);
  Fingerprint fingerprint;
  fingerprint.add_file(file);
  for (const std::string& input : input_files(workload)) fingerprint.add_file(input);
  return fingerprint.text();
}

std::string configuration_fingerprint(const LoadedConfig& config) {
  return Fingerprint().add(print_config(config)).text();
}

RunIdentity RunIdentity::of(const RunOptions& options, const LoadedConfig& config) {
  return of(options, configuration_fingerprint(config), &workload_fingerprint);
}

RunIdentity RunIdentity::of(const RunOptions& options, const std::string& configuration,
                            const std::function<std::string(const std::string&)>& files) {
  Fingerprint workload;
  const auto add = [&](const std::string& text) {
    workload.add(SizedWorkload::of(text).size).add(files(text));
  };
  add(options.workload);
  for (const std::string& text : options.beside) add(text);
  workload.add(options.on.size).add(options.on.registers).add(std::to_string(options.on.max_cycles));
  if (!options.on.registers.empty()) {
    static const std::string compiler = ptxas_version();
    workload.add(compiler);
  }
  for (const auto& [name, value] : options.on.parameters) workload.add(fmt::format("{}={}", name, value));
  for (const std::uint64_t arrival : options.arrivals) workload.add(fmt::format("arrival {}", arrival));
  for (const std::string& file : options.alone) workload.add_file(file);
  if (options.sample) workload.add("sample");
  static const std::string program = program_fingerprint();
  return {program, configuration, workload.text()};
}

std::optional<RunIdentity> RunIdentity::read(const std::string& folder) {
  std::ifstream file(std::filesystem::path(folder) / "run.json");
  const auto root = nlohmann::json::parse(file, nullptr, false);
  try {
    if (!root.is_object() || root.at("format") != kFormat) return std::nullopt;
    return RunIdentity{root.at("program"), root.at("configuration"), root.at("workload")};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

std::string RunIdentity::json() const {
  const nlohmann::ordered_json root{
      {"format", kFormat}, {"program", program}, {"configuration", configuration}, {"workload", workload}};
  return root.dump(2) + "\n";
}

std::string RunIdentity::differences(const RunIdentity& other) const {
  std::string text;
  const auto compare = [&text](const char* what, const std::string& mine, const std::string& others) {
    if (mine != others) text += (text.empty() ? "" : ", ") + std::string(what);
  };
  compare("program", program, other.program);
  compare("configuration", configuration, other.configuration);
  compare("workload", workload, other.workload);
  return text;
}

void RunIdentity::expect_in(const std::string& folder) const {
  const auto found = read(folder);
  const std::string other = found ? found->differences(*this) : "run.json";
  if (other.empty()) return;
  throw OutputError(
      fmt::format("{}: the results are not of the run that was asked for: another {}", folder, other));
}

}  // namespace heddle
