#include "workloads/description/known_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest_name.h"

namespace heddle {

MarkedExpression check_names(MarkedExpression expression, const std::vector<std::string>& names) {
  for (const std::string& name : expression.expression.names()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      throw WorkloadError(expression.mark,
                          fmt::format("'{}': unknown name '{}'{}", expression.expression.text(), name,
                                      name_hint(name, names, "names")));
    }
  }
  return expression;
}

const BufferSpec& find_buffer(const Workload& workload, const std::string& name, const SourceMark& mark) {
  const BufferSpec* found = workload.find_buffer(name);
  if (found == nullptr) {
    throw WorkloadError(mark, fmt::format("unknown buffer '{}'{}", name,
                                          name_hint(name, workload.buffer_names(), "buffers")));
  }
  return *found;
}

}  // namespace heddle
