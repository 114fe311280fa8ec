#include "workloads/checks/references.h"

#include "workloads/checks/reference_rows.h"

namespace heddle {

Reference find_reference(const std::string& name) {
  for (const ReferenceRow& row : reference_rows()) {
    if (name == row.name) return row.reference;
  }
  return nullptr;
}

std::vector<std::string> reference_names() {
  std::vector<std::string> names;
  names.reserve(reference_rows().size());
  for (const ReferenceRow& row : reference_rows()) names.emplace_back(row.name);
  return names;
}

}  // namespace heddle
