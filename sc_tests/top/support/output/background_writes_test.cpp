#include "top/support/output/background_writes.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>

namespace heddle {
namespace {

TEST(BackgroundWrites, SoManyAreUnderWayAtOnceAtMost) {
  std::promise<void> disk;
  const std::shared_future<void> ready = disk.get_future().share();
  std::atomic<int> started{0};
  std::atomic<int> done{0};
  BackgroundWrites writes(3);
  const auto write = [&, ready] {
    ++started;
    ready.wait();
    ++done;
  };
  for (int i = 0; i < 3; ++i) writes.start(write);  // none has ended: it does not wait
  EXPECT_EQ(done, 0);
  const auto fourth = std::async(std::launch::async, [&] { writes.start(write); });
  EXPECT_EQ(fourth.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  EXPECT_LE(started, 3);
  disk.set_value();
  fourth.wait();
  EXPECT_GE(done, 1);
  writes.finish();
  EXPECT_EQ(done, 4);
}

TEST(BackgroundWrites, SayWhatFailed) {
  BackgroundWrites writes(2);
  std::atomic<int> done{0};
  writes.start([] { throw std::runtime_error("no space"); });
  writes.start([&] { ++done; });
  EXPECT_THROW(writes.start([&] { ++done; }), std::runtime_error);
  writes.start([] { throw std::runtime_error("no space"); });
  EXPECT_THROW(writes.finish(), std::runtime_error);
  writes.finish();
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace heddle
