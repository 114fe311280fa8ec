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

/// The elements that a check looks at.
struct CheckedPart {
  std::uint64_t first = 0;  ///< index in the buffer
  std::uint64_t count = 0;
  std::uint64_t stride = 1;

  std::string name(const std::string& buffer, std::uint64_t elements) const {
    if (count == elements) return buffer;
    const std::uint64_t last = first + (count - 1) * stride;
    return stride == 1 ? fmt::format("{}[{}..{}]", buffer, first, last)
                       : fmt::format("{}[{}..{} by {}]", buffer, first, last, stride);
  }
};

/// Throws WorkloadError when they are none, or not all in the buffer.
CheckedPart checked_part(const CheckSpec& spec, const Bindings& buffers, const Scope& parameters) {
  const std::uint64_t elements = buffers.at(spec.part.buffer).count;
  const auto in = [&](const MarkedExpression& value, std::uint64_t low, std::uint64_t high,
                      const char* what) {
    return static_cast<std::uint64_t>(
        value.evaluate_in(parameters, static_cast<std::int64_t>(low), static_cast<std::int64_t>(high),
                          fmt::format("{} of a check of '{}'", what, spec.part.buffer).c_str()));
  };
  CheckedPart part;
  part.first = in(spec.part.first, 0, elements - 1, "first");
  part.stride = in(spec.stride, 1, elements, "stride");
  part.count = (elements - part.first + part.stride - 1) / part.stride;
  if (spec.part.count) part.count = in(*spec.part.count, 1, part.count, "count");
  return part;
}

class Checks {
 public:
  Checks(const Scope& parameters, const ProgramMemory& memory) : parameters_(parameters), memory_(memory) {}

  CheckResult run(const CheckSpec& spec) {
    const CheckedPart part = checked_part(spec, memory_.buffers(), parameters_);
    const Binding& buffer = memory_.buffers().at(spec.part.buffer);
    const std::uint64_t start = part.first * buffer.element_bytes();
    const ElementRow got(memory_.bytes(buffer) + start, part.stride);
    const Tolerance tolerance = tolerance_of(spec, parameters_);
    CheckResult result;
    switch (spec.kind) {
      case CheckSpec::Kind::kReference:
        result =
            compare_elements(buffer.type, got, {expected(spec).bytes(spec.part.buffer) + start, part.stride},
                             part.count, tolerance);
        result.against = "reference " + spec.reference;
        break;
      case CheckSpec::Kind::kFile: {
        const std::uint64_t bytes = part.count * buffer.element_bytes();
        require_memory(bytes, "the expected contents of a buffer");
        std::vector<std::uint8_t> contents(bytes);
        read_raw_file(spec.path, bytes, spec.mark, contents.data());
        result = compare_elements(buffer.type, got, contents.data(), part.count, tolerance);
        result.against = "file " + spec.path;
        break;
      }
      case CheckSpec::Kind::kSum:
        result =
            compare_sum(buffer.type, got, part.count, spec.sum.evaluate(parameters_).as_double(), tolerance);
        break;
    }
    result.worst_index = part.first + result.worst_index * part.stride;
    result.buffer = part.name(spec.part.buffer, buffer.count);
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

void check_checks(const Workload& workload, const Scope& parameters, const Bindings& buffers) {
  for (const CheckSpec& spec : workload.checks) {
    tolerance_of(spec, parameters);
    checked_part(spec, buffers, parameters);
  }
}

void check_expected_files(const Workload& workload, const Scope& parameters, const Bindings& buffers) {
  for (const CheckSpec& spec : workload.checks) {
    if (spec.kind != CheckSpec::Kind::kFile) continue;
    const std::uint64_t count = checked_part(spec, buffers, parameters).count;
    expect_raw_file(spec.path, count * buffers.at(spec.part.buffer).element_bytes(), spec.mark);
  }
}

std::vector<CheckResult> check_buffers(const Workload& workload, const Scope& parameters,
                                       const ProgramMemory& memory) {
  Checks checks(parameters, memory);
  std::vector<CheckResult> results;
  for (const CheckSpec& spec : workload.checks) results.push_back(checks.run(spec));
  return results;
}

}  // namespace heddle
