#include "modules/global_memory/put_off_steps.h"

#include <algorithm>

namespace heddle {

void PutOffSteps::sort(std::vector<PutOffStep>& steps) {
  const auto lower = [](const PutOffStep& a, const PutOffStep& b) { return a.site.sm < b.site.sm; };
  if (std::is_sorted(steps.begin(), steps.end(), lower)) return;
  for (auto step = steps.begin(); step != steps.end(); ++step) {
    std::rotate(std::upper_bound(steps.begin(), step, *step, lower), step, step + 1);
  }
}

PutOffSteps::Strand* PutOffSteps::next() {
  Strand* first = nullptr;
  for (Strand& strand : of_strand_) {
    if (strand.next == strand.steps.size()) continue;
    if (first == nullptr || strand.steps[strand.next].site.sm < first->steps[first->next].site.sm) {
      first = &strand;
    }
  }
  return first;
}

void PutOffSteps::finish_all() {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t faulted = kNone;
  std::exception_ptr fault;
  for (Strand& strand : of_strand_) sort(strand.steps);
  while (Strand* const strand = next()) {
    const PutOffStep& step = strand->steps[strand->next++];
    if (step.site.sm == faulted) continue;
    try {
      step.block->finish(step);
    } catch (...) {
      faulted = step.site.sm;
      if (!fault) fault = std::current_exception();
    }
  }
  for (Strand& strand : of_strand_) {
    strand.steps.clear();
    strand.next = 0;
  }
  if (fault) std::rethrow_exception(fault);
}

}  // namespace heddle
