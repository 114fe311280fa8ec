#include "modules/memory_partition/dram_policy.h"

namespace heddle {

std::unique_ptr<DramPolicy> DramPolicy::create(DramScheduling scheduling) {
  if (scheduling == DramScheduling::kFcfs) return std::make_unique<FcfsPolicy>();
  return std::make_unique<FrFcfsPolicy>();
}

DramRequest& FrFcfsPolicy::take(DramRequestList& queue, bool row_open, std::uint64_t row) {
  if (row_open) {
    DramRequest* previous = nullptr;
    DramRequest* request = queue.head();
    do {
      if (request->row == row) return queue.remove_after(previous);
      previous = request;
      request = request->next;
    } while (request != nullptr);
  }
  return queue.pop_front();
}

DramRequest& FcfsPolicy::take(DramRequestList& queue, bool /*row_open*/, std::uint64_t /*row*/) {
  return queue.pop_front();
}

}  // namespace heddle
