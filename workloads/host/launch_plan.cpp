#include "workloads/host/launch_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/limits.h"
#include "workloads/host/launch_spec.h"
#include "workloads/host/program_memory.h"

namespace heddle {

namespace {

bool same(const Dim3& a, const Dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

bool same_shape(const KernelLaunch& a, const KernelLaunch& b) {
  return same(a.grid(), b.grid()) && same(a.block(), b.block()) && a.shared_bytes() == b.shared_bytes() &&
         a.registers_per_thread() == b.registers_per_thread();
}

/// Of buffers that nothing has written.
class UnknownElements : public ElementReader {
 public:
  Number read_element(const std::string& /*buffer*/, std::int64_t /*index*/) const override {
    return Number::of(std::int64_t{1});
  }
};

bool reads_buffers(const MarkedExpression& value) { return !value.expression.buffers().empty(); }

bool shape_reads_buffers(const LaunchStatement& launch) {
  return std::any_of(launch.grid.begin(), launch.grid.end(), &reads_buffers) ||
         std::any_of(launch.block.begin(), launch.block.end(), &reads_buffers) ||
         reads_buffers(launch.shared_bytes) || reads_buffers(launch.registers);
}

}  // namespace

LaunchPlan::LaunchPlan(const Workload& workload,
                       const std::map<std::string, std::int64_t>& parameter_overrides,
                       const std::vector<ptx::CompileOptions>& compile)
    : modules_(workload, compile) {
  Scope scope = workload.scope(parameter_overrides);
  modules_.place(memory_, 0);
  buffer_bytes_ = ProgramMemory(workload, scope, memory_, "").own_bytes();
  const UnknownElements elements;
  scope.read_elements_with(&elements);
  visit(workload.launches, scope, false);
  for (const StreamSpec& stream : workload.streams) visit(stream.launches, scope, false);
}

void LaunchPlan::visit(const std::vector<Statement>& statements, Scope& scope, bool by_data) {
  for (const Statement& statement : statements) {
    if (++steps_ > limits::kHostSteps) {
      throw WorkloadError(statement.mark, fmt::format("found more than {} steps of the host, expected fewer",
                                                      limits::kHostSteps));
    }
    if (const auto* launch = std::get_if<LaunchStatement>(&statement.action)) {
      add(*launch, statement.mark, scope, by_data || shape_reads_buffers(*launch));
    } else if (const auto* repeat = std::get_if<RepeatStatement>(&statement.action)) {
      const std::int64_t rounds =
          repeat->count.evaluate_in(scope, 0, std::numeric_limits<std::int64_t>::max(), "repeat count");
      if (!repeat->variable.empty()) scope.push(repeat->variable, 0);
      for (std::int64_t round = 0; round < rounds; ++round) {
        if (!repeat->variable.empty()) scope.set_last(round);
        visit(repeat->body, scope, by_data || reads_buffers(repeat->count));
      }
      if (!repeat->variable.empty()) scope.pop();
    } else if (const auto* loop = std::get_if<WhileStatement>(&statement.action)) {
      if (!loop->variable.empty()) scope.push(loop->variable, 0);
      visit(loop->body, scope, true);
      if (!loop->variable.empty()) scope.pop();
    }
  }
}

void LaunchPlan::add(const LaunchStatement& statement, const SourceMark& mark, const Scope& scope,
                     bool by_data) {
  ptx::LoadedModule::LaunchSpec spec = launch_spec(statement, scope);
  const ptx::LoadedModule& module = modules_.of(statement, mark);
  spec.params.resize(module.module().find(statement.kernel)->program.param_bytes);
  std::unique_ptr<KernelLaunch> launch;
  try {
    launch = module.launch(spec);
    launch->set_place(mark.text() + ": ");
  } catch (const std::invalid_argument& error) {
    throw WorkloadError(mark, error.what());
  }
  const auto known = std::find_if(launches_.begin(), launches_.end(), [&](const PlannedLaunch& planned) {
    return planned.kernel == statement.kernel && planned.by_data == by_data &&
           same_shape(*planned.launch, *launch);
  });
  if (known == launches_.end()) {
    launches_.push_back({statement.kernel, std::move(launch), 1, by_data});
  } else {
    ++known->times;
  }
}

}  // namespace heddle
