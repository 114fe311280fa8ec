#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace heddle {

/// Host threads that work side by side in short rounds, a strand each; strand 0 is the caller's. Between
/// rounds of a few microseconds they wait awake, and go to sleep when the next round is long in coming.
///
/// What the caller did before a round is visible to all strands, and what they did is visible to it after the
/// round.
class StrandTeam {
 public:
  /// `work(strand)` is called in each round for every strand, 0 to strands - 1; it must not throw. `strands`
  /// >= 1.
  StrandTeam(unsigned strands, std::function<void(unsigned)> work);
  ~StrandTeam();
  StrandTeam(const StrandTeam&) = delete;
  StrandTeam& operator=(const StrandTeam&) = delete;

  /// One round; returns when every strand has done its work. False when some thread kept the caller waiting
  /// for more than half a millisecond, as when other programs have the processors.
  bool round();

 private:
  /// The place of one thread. What the two sides write lies in cache lines of their own.
  struct Helper {
    alignas(64) std::atomic<std::uint64_t> asked{0};  ///< the round that it is to do
    std::atomic<bool> leave{false};
    alignas(64) std::atomic<std::uint64_t> done{0};  ///< the last round that it has done
    std::atomic<bool> asleep{false};
    std::mutex mutex;
    std::condition_variable called;
    std::thread thread;
  };

  void help(Helper& helper, unsigned strand);
  static void call(Helper& helper, std::uint64_t round);
  static void await_call(Helper& helper, std::uint64_t round);

  std::function<void(unsigned)> work_;
  std::uint64_t round_ = 0;
  std::vector<std::unique_ptr<Helper>> helpers_;
};

}  // namespace heddle
