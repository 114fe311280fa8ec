#pragma once

#include <string>
#include <vector>

#include "workloads/description/workload.h"

namespace heddle {

/// What expressions may read at a place in a workload file.
class KnownNames {
 public:
  /// `names`, and no buffers.
  explicit KnownNames(std::vector<std::string> names) : names_(std::move(names)) {}
  /// Elements of the workload's buffers too: in what launches do.
  KnownNames(std::vector<std::string> names, const Workload& buffers)
      : names_(std::move(names)), buffers_(&buffers) {}

  const std::vector<std::string>& names() const { return names_; }
  void push(const std::string& name) { names_.push_back(name); }
  void pop() { names_.pop_back(); }
  KnownNames with(const std::string& name) const;

  /// The expression itself, after checking that it reads nothing else. Throws WorkloadError.
  MarkedExpression check(MarkedExpression expression) const;

 private:
  std::vector<std::string> names_;
  const Workload* buffers_ = nullptr;
};

/// The buffer called `name`, or a WorkloadError at `mark` that names those that exist.
const BufferSpec& find_buffer(const Workload& workload, const std::string& name, const SourceMark& mark);

}  // namespace heddle
