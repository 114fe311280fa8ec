#include "top/pairs/program_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "base/nearest_name.h"
#include "modules/tb_dispatcher/resources/occupancy.h"
#include "top/options/compile_options.h"
#include "top/pairs/alone_run.h"
#include "top/pairs/program_parameters.h"
#include "top/support/project_files.h"
#include "top/support/sized_workload.h"
#include "workloads/description/workload_loader.h"
#include "workloads/host/launch_plan.h"

namespace heddle {

ProgramSet::ProgramSet(const RunOptions& options, const GpuConfig& config)
    : concurrent_(options.concurrent()),
      several_(!options.beside.empty()),
      memory_(several_ ? std::make_unique<DeviceMemory>() : nullptr) {
  add(options, config, options.workload, 0);
  for (std::size_t i = 0; i < options.beside.size(); ++i) {
    add(options, config, options.beside[i], i + 1);
  }
  concurrent_ = concurrent_ || programs_.front()->concurrent();
  std::set<std::string> known;
  for (std::size_t p = 0; p < programs_.size(); ++p) {
    for (const std::string& name : programs_[p]->workload().parameter_names())
      known.insert({name, parts_[p].name + "." + name});
  }
  for (const auto& [name, value] : options.on.parameters) {
    if (several_ && known.count(name) == 0) {
      throw std::invalid_argument(
          fmt::format("--param {}={}: none of the workloads {} has such a parameter{}", name, value,
                      this->name(), did_you_mean(name, {known.begin(), known.end()})));
    }
  }
}

void ProgramSet::add(const RunOptions& options, const GpuConfig& config, const std::string& text,
                     std::size_t place) {
  const SizedWorkload sized = SizedWorkload::of(text);
  const Workload workload = load_workload(ProjectFiles().workload(sized.workload));
  Part part;
  std::vector<std::string> taken;
  for (const Part& before : parts_) taken.push_back(before.name);
  part.name = unique_name(workload.name, taken);
  part.size = sized.size.empty() ? options.on.size : sized.size;
  std::map<std::string, std::int64_t> given = workload.size_parameters(part.size);
  const std::vector<std::string> names = workload.parameter_names();
  const Parameters own =
      several_ ? parameters_of(part.name, names, options.on.parameters) : options.on.parameters;
  for (const auto& [name, value] : own) given[name] = value;
  if (place < options.arrivals.size()) part.arrival_cycles = options.arrivals[place];
  if (place < options.alone.size()) part.alone = options.alone[place];
  ProgramPlace on_device;
  if (several_) {
    on_device.memory = memory_.get();
    on_device.buffer_prefix = part.name + ".";
    if (!programs_.empty()) on_device.code_base = programs_.back()->code_end();
    for (const auto& program : programs_) {
      on_device.first_stream += static_cast<unsigned>(program->streams());
    }
  }
  programs_.push_back(std::make_unique<HostProgram>(workload, given, on_device,
                                                    compile_options(config, options.on, workload)));
  const Scope scope = workload.scope(given);
  for (const std::string& name : names) {
    part.parameters[name] = *scope.find(name);
  }
  parts_.push_back(std::move(part));
}

std::vector<HostStream> ProgramSet::streams() const {
  std::vector<HostStream> streams;
  for (std::size_t p = 0; p < programs_.size(); ++p) {
    HostProgram& program = *programs_[p];
    std::optional<AloneRun> alone;
    if (!parts_[p].alone.empty()) {
      alone = read_alone_run(parts_[p].alone);
      if (!alone || alone->streams.size() != program.streams()) {
        throw std::invalid_argument(
            fmt::format("--alone {}: expected the run times alone of {}'s {} stream(s)", parts_[p].alone,
                        parts_[p].name, program.streams()));
      }
    }
    for (std::size_t s = 0; s < program.streams(); ++s) {
      HostStream stream;
      stream.program = &program;
      stream.stream = s;
      stream.name = program.stream_name(s);
      if (several_) {
        stream.name = program.concurrent() ? parts_[p].name + "." + stream.name : parts_[p].name;
      }
      stream.delay_cycles = parts_[p].arrival_cycles;
      if (alone) {
        stream.alone_cycles = alone->streams[s].launches;
        stream.alone_turnaround_cycles = alone->streams[s].cycles;
      }
      streams.push_back(std::move(stream));
    }
  }
  return streams;
}

std::string ProgramSet::name() const {
  std::string text;
  for (const Part& part : parts_) {
    text += (text.empty() ? "" : "+") + part.name;
  }
  return text;
}

std::string ProgramSet::sizes() const {
  if (!several_) {
    return parts_.front().size;
  }
  std::string text;
  for (const Part& part : parts_) {
    if (!part.size.empty()) text += (text.empty() ? "" : " ") + part.name + ":" + part.size;
  }
  return text;
}

std::map<std::string, std::int64_t> ProgramSet::parameters() const {
  std::map<std::string, std::int64_t> all;
  for (const Part& part : parts_) {
    for (const auto& [name, value] : part.parameters) {
      all[several_ ? part.name + "." + name : name] = value;
    }
  }
  return all;
}

void ProgramSet::check_launches(const RunOptions& options, const GpuConfig& config) const {
  for (std::size_t p = 0; p < programs_.size(); ++p) {
    const Workload& workload = programs_[p]->workload();
    const LaunchPlan plan(workload, parts_[p].parameters, compile_options(config, options.on, workload));
    for (const PlannedLaunch& planned : plan.launches()) {
      if (!planned.by_data) static_cast<void>(Occupancy::of(*planned.launch, config.core));
    }
  }
}

std::vector<CheckResult> ProgramSet::check() const {
  std::vector<CheckResult> all;
  for (std::size_t p = 0; p < programs_.size(); ++p) {
    for (CheckResult& result : programs_[p]->check()) {
      if (several_) result.buffer = parts_[p].name + "." + result.buffer;
      all.push_back(std::move(result));
    }
  }
  return all;
}

std::vector<BufferDump> ProgramSet::dumps(const std::vector<std::string>& whole) const {
  if (!several_) return programs_.front()->dumps(whole);
  std::vector<BufferDump> all;
  std::vector<std::string> rest = whole;
  for (std::size_t p = 0; p < programs_.size(); ++p) {
    const std::string prefix = parts_[p].name + ".";
    std::vector<std::string> own;
    for (const std::string& name : whole) {
      if (name.compare(0, prefix.size(), prefix) != 0) continue;
      own.push_back(name.substr(prefix.size()));
      rest.erase(std::remove(rest.begin(), rest.end(), name), rest.end());
    }
    for (BufferDump& dump : programs_[p]->dumps(own)) {
      dump.buffer = prefix + dump.buffer;
      all.push_back(std::move(dump));
    }
  }
  if (!rest.empty()) {
    throw std::invalid_argument(
        fmt::format("unknown buffer '{}', expected WORKLOAD.BUFFER of one of {}", rest.front(), name()));
  }
  return all;
}

}  // namespace heddle
