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

PutOffSteps::Thread* PutOffSteps::next() {
  Thread* first = nullptr;
  for (Thread& thread : of_thread_) {
    if (thread.next == thread.steps.size()) continue;
    if (first == nullptr || thread.steps[thread.next].site.sm < first->steps[first->next].site.sm) {
      first = &thread;
    }
  }
  return first;
}

void PutOffSteps::finish() {
  const bool none = std::all_of(of_thread_.begin(), of_thread_.end(),
                                [](const Thread& thread) { return thread.steps.empty(); });
  if (none) return;
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t faulted = kNone;
  std::exception_ptr fault;
  for (Thread& thread : of_thread_) sort(thread.steps);
  while (Thread* const thread = next()) {
    const PutOffStep& step = thread->steps[thread->next++];
    if (step.site.sm == faulted) continue;
    try {
      step.block->finish(step);
    } catch (...) {
      faulted = step.site.sm;
      if (!fault) fault = std::current_exception();
    }
  }
  for (Thread& thread : of_thread_) {
    thread.steps.clear();
    thread.next = 0;
  }
  if (fault) std::rethrow_exception(fault);
}

}  // namespace heddle
