#include "top/pairs/program_parameters.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory_budget.h"
#include "top/support/project_files.h"
#include "top/support/sized_workload.h"
#include "workloads/description/workload_loader.h"

namespace heddle {

std::string unique_name(const std::string& name, const std::vector<std::string>& taken) {
  std::string result = name;
  for (unsigned copy = 2; std::find(taken.begin(), taken.end(), result) != taken.end(); ++copy)
    result = fmt::format("{}#{}", name, copy);
  return result;
}

Parameters parameters_of(const std::string& program, const std::vector<std::string>& names,
                         const Parameters& given) {
  const std::string prefix = program + ".";
  Parameters own;
  for (const std::string& name : names) {
    const auto for_all = given.find(name);
    const auto for_it = given.find(prefix + name);
    if (for_it != given.end()) {
      own[name] = for_it->second;
    } else if (for_all != given.end()) {
      own[name] = for_all->second;
    }
  }
  return own;
}

Parameters parameters_alone(const RunOptions& run, std::size_t place) {
  if (run.on.parameters.empty()) return {};
  try {
    std::vector<std::string> taken;
    for (std::size_t program = 0;; ++program) {
      const std::string& text = program == 0 ? run.workload : run.beside.at(program - 1);
      const Workload workload = load_workload(ProjectFiles().workload(SizedWorkload::of(text).workload));
      const std::string name = unique_name(workload.name, taken);
      if (program == place) return parameters_of(name, workload.parameter_names(), run.on.parameters);
      taken.push_back(name);
    }
  } catch (const MemoryError&) {
    throw;
  } catch (const std::exception&) {
    return run.on.parameters;
  }
}

}  // namespace heddle
