#include "tlm/strands/strand_team.h"

namespace heddle {

namespace {

/// How long a side watches for the other: looks in a row, then looks with a pause before each, which newer
/// processors make 50 ns long; half a millisecond in all. It gives the processor away late: a thread that
/// yields to other programs may wait for it for milliseconds, a thousand rounds.
constexpr unsigned kEagerLooks = 100;
constexpr unsigned kPauses = 10000;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Waits awake for `reached`; returns whether it came.
template <class Reached>
bool watch_for(Reached reached) {
  for (unsigned look = 0; look < kEagerLooks; ++look) {
    if (reached()) return true;
  }
  for (unsigned look = 0; look < kPauses; ++look) {
    if (reached()) return true;
    pause();
  }
  return false;
}

}  // namespace

StrandTeam::StrandTeam(unsigned strands, std::function<void(unsigned)> work) : work_(std::move(work)) {
  for (unsigned strand = 1; strand < strands; ++strand) {
    helpers_.push_back(std::make_unique<Helper>());
    Helper& helper = *helpers_.back();
    helper.thread = std::thread([this, &helper, strand] { help(helper, strand); });
  }
}

StrandTeam::~StrandTeam() {
  for (const auto& helper : helpers_) {
    helper->leave = true;
    call(*helper, round_ + 1);
    helper->thread.join();
  }
}

bool StrandTeam::round() {
  ++round_;
  for (const auto& helper : helpers_) call(*helper, round_);
  work_(0);
  bool on_time = true;
  for (const auto& helper : helpers_) {
    const auto done = [&] { return helper->done.load(std::memory_order_acquire) == round_; };
    while (!watch_for(done)) {
      on_time = false;
      std::this_thread::yield();
    }
  }
  return on_time;
}

void StrandTeam::help(Helper& helper, unsigned strand) {
  for (std::uint64_t round = 1;; ++round) {
    await_call(helper, round);
    if (helper.leave) return;
    work_(strand);
    helper.done.store(round, std::memory_order_release);
  }
}

void StrandTeam::call(Helper& helper, std::uint64_t round) {
  // Each side writes its own flag before it reads the other's: one of them sees that the other has.
  helper.asked = round;
  if (!helper.asleep) return;
  const std::lock_guard<std::mutex> lock(helper.mutex);
  helper.called.notify_one();
}

void StrandTeam::await_call(Helper& helper, std::uint64_t round) {
  if (watch_for([&] { return helper.asked.load(std::memory_order_acquire) == round; })) return;
  std::unique_lock<std::mutex> lock(helper.mutex);
  helper.asleep = true;
  helper.called.wait(lock, [&] { return helper.asked == round; });
  helper.asleep = false;
}

}  // namespace heddle
