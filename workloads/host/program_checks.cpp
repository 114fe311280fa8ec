#include "workloads/host/program_checks.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

#include "base/memory_budget.h"
#include "workloads/checks/references.h"
#include "workloads/host/raw_file.h"

namespace heddle {

namespace {

double tolerance_of(const MarkedExpression& expression, const Scope& parameters, const char* what) {
  const double value = expression.evaluate(parameters).as_double();
  if (!std::isfinite(value) || value < 0) {
    throw WorkloadError(expression.mark,
                        fmt::format("{} is {}, expected a finite number of at least 0", what, value));
  }
  return value;
}

Tolerance tolerance_of(const CheckSpec& spec, const Scope& parameters) {
  return {tolerance_of(spec.absolute, parameters, "absolute"),
          tolerance_of(spec.relative, parameters, "relative")};
}

class Checks {
 public:
  Checks(const Scope& parameters, const ProgramMemory& memory) : parameters_(parameters), memory_(memory) {}

  CheckResult run(const CheckSpec& spec) {
    const Binding& buffer = memory_.buffers().at(spec.buffer);
    const std::uint8_t* got = memory_.bytes(buffer);
    const Tolerance tolerance = tolerance_of(spec, parameters_);
    CheckResult result;
    switch (spec.kind) {
      case CheckSpec::Kind::kReference:
        result =
            compare_elements(buffer.type, got, expected(spec).bytes(spec.buffer), buffer.count, tolerance);
        result.against = "reference " + spec.reference;
        break;
      case CheckSpec::Kind::kFile: {
        require_memory(buffer.bytes(), "the expected contents of a buffer");
        std::vector<std::uint8_t> contents(buffer.bytes());
        read_raw_file(spec.path, contents.size(), spec.mark, contents.data());
        result = compare_elements(buffer.type, got, contents.data(), buffer.count, tolerance);
        result.against = "file " + spec.path;
        break;
      }
      case CheckSpec::Kind::kSum:
        result = compare_sum(buffer.type, got, buffer.count, spec.sum.evaluate(parameters_).as_double(),
                             tolerance);
        break;
    }
    result.buffer = spec.buffer;
    return result;
  }

 private:
  const ReferenceMemory& expected(const CheckSpec& spec) {
    const auto known = expected_.find(spec.reference);
    if (known != expected_.end()) return known->second;
    ReferenceMemory& memory = expected_.emplace(spec.reference, memory_.first_contents()).first->second;
    try {
      find_reference(spec.reference)(memory);
    } catch (const std::invalid_argument& error) {
      throw WorkloadError(spec.mark, fmt::format("reference '{}': {}", spec.reference, error.what()));
    }
    return memory;
  }

  const Scope& parameters_;
  const ProgramMemory& memory_;
  std::map<std::string, ReferenceMemory> expected_;  ///< by reference
};

}  // namespace

void check_tolerances(const Workload& workload, const Scope& parameters) {
  for (const CheckSpec& spec : workload.checks) tolerance_of(spec, parameters);
}

std::vector<CheckResult> check_buffers(const Workload& workload, const Scope& parameters,
                                       const ProgramMemory& memory) {
  Checks checks(parameters, memory);
  std::vector<CheckResult> results;
  for (const CheckSpec& spec : workload.checks) results.push_back(checks.run(spec));
  return results;
}

}  // namespace heddle
