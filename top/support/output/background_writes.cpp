#include "top/support/output/background_writes.h"

#include <utility>

namespace heddle {

void BackgroundWrites::start(std::function<void()> write) {
  if (under_way_.size() >= at_once_) wait_for_oldest();
  under_way_.push_back(std::async(std::launch::async, std::move(write)));
}

void BackgroundWrites::finish() {
  while (!under_way_.empty()) wait_for_oldest();
}

void BackgroundWrites::wait_for_oldest() {
  std::future<void> oldest = std::move(under_way_.front());
  under_way_.pop_front();
  oldest.get();
}

}  // namespace heddle
