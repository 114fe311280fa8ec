#include "workloads/description/known_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest_name.h"

namespace heddle {

KnownNames KnownNames::with(const std::string& name) const {
  KnownNames more = *this;
  more.push(name);
  return more;
}

MarkedExpression KnownNames::check(MarkedExpression expression) const {
  const std::string& text = expression.expression.text();
  for (const std::string& name : expression.expression.names()) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) {
      throw WorkloadError(expression.mark, fmt::format("'{}': unknown name '{}'{}", text, name,
                                                       name_hint(name, names_, "names")));
    }
  }
  for (const std::string& buffer : expression.expression.buffers()) {
    if (buffers_ == nullptr) {
      throw WorkloadError(expression.mark,
                          fmt::format("'{}': the content of '{}' is known in launches only", text, buffer));
    }
    find_buffer(*buffers_, buffer, expression.mark);
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
