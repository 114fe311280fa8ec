#include "workloads/description/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/nearest_name.h"

namespace heddle {

std::map<std::string, std::int64_t> Workload::size_parameters(const std::string& size) const {
  const auto found = sizes.find(size);
  if (found != sizes.end()) {
    return found->second;
  }
  if (size.empty() || size == "default") {
    return {};
  }
  std::vector<std::string> known = {"default"};
  for (const auto& entry : sizes) {
    known.push_back(entry.first);
  }
  throw std::invalid_argument(
      fmt::format("workload '{}' has no size '{}'{}", name, size, name_hint(size, known, "sizes")));
}

Scope Workload::scope(const std::map<std::string, std::int64_t>& overrides) const {
  const std::vector<std::string> known = parameter_names();
  for (const auto& entry : overrides) {
    if (std::find(known.begin(), known.end(), entry.first) == known.end()) {
      throw std::invalid_argument(fmt::format("workload '{}' has no parameter '{}'{}", name, entry.first,
                                              name_hint(entry.first, known, "parameters")));
    }
  }
  Scope result;
  for (const auto& [parameter, value] : parameters) {
    const auto given = overrides.find(parameter);
    result.push(parameter, given != overrides.end() ? given->second : value.evaluate_integer(result));
  }
  return result;
}

const BufferSpec* Workload::find_buffer(const std::string& buffer_name) const {
  const auto found = std::find_if(buffers.begin(), buffers.end(),
                                  [&](const BufferSpec& b) { return b.name == buffer_name; });
  return found == buffers.end() ? nullptr : &*found;
}

std::vector<std::string> Workload::buffer_names() const {
  std::vector<std::string> names;
  for (const BufferSpec& buffer : buffers) {
    names.push_back(buffer.name);
  }
  return names;
}

std::vector<std::string> Workload::parameter_names() const {
  std::vector<std::string> names;
  for (const auto& parameter : parameters) {
    names.push_back(parameter.first);
  }
  return names;
}

}  // namespace heddle
