#include "sc_tests/fuzz/runs/small_workload.h"

#include "sc_tests/support/paths.h"
#include "workloads/description/workload_loader.h"

namespace heddle::fuzz {

Workload small_workload(std::string_view text) {
  constexpr std::int64_t kMostElements = 1'000'000;
  Workload workload =
      load_workload_text(std::string(text), test::source_dir() + "/sc_tests/fuzz/data/input.yaml");
  const Scope scope = workload.scope({});
  std::int64_t elements = 0;
  for (const BufferSpec& buffer : workload.buffers) {
    if (buffer.count) elements += buffer.count->evaluate_in(scope, 1, kMostElements, "count");
    if (elements > kMostElements)
      throw WorkloadError(buffer.mark, "more elements than a fuzz target runs with");
  }
  return workload;
}

}  // namespace heddle::fuzz
