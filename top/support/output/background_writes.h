#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <future>

namespace heddle {

/// Writes that wait for the disk beside other work: a thread each, and so many at once at most.
class BackgroundWrites {
 public:
  explicit BackgroundWrites(std::size_t at_once) : at_once_(at_once) {}

  /// With as many under way it waits for the oldest, and throws what that one threw.
  void start(std::function<void()> write);
  /// Waits for all. Throws what the oldest that failed threw.
  void finish();

 private:
  void wait_for_oldest();

  std::size_t at_once_;
  std::deque<std::future<void>> under_way_;  ///< the oldest first
};

}  // namespace heddle
