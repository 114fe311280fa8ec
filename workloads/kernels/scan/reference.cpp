#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void scan(ReferenceMemory& memory);

void scan(ReferenceMemory& memory) {
  const auto in = memory.view<float>("in");
  const auto out = memory.view<float>("out");
  double sum = 0.0;
  for (std::size_t i = 0; i < in.size; ++i) {
    out[i] = static_cast<float>(sum);
    sum += in[i];
  }
  memory.view<float>("total")[0] = static_cast<float>(sum);
}

}  // namespace heddle::references
