#include "base/stop.h"

#include <gtest/gtest.h>

#include <exception>

namespace heddle {
namespace {

class Stop : public ::testing::Test {
 protected:
  void TearDown() override { clear_stop(); }
};

TEST_F(Stop, NobodyIsAskedAtFirst) {
  EXPECT_EQ(stop_cause(), StopCause::kNone);
  EXPECT_NO_THROW(throw_if_stopped());
  EXPECT_FALSE(stop_was_heard());
}

TEST_F(Stop, TheFirstCauseCountsOrTheUser) {
  request_stop(StopCause::kMemory);
  request_stop(StopCause::kTime);
  EXPECT_EQ(stop_cause(), StopCause::kMemory);
  request_stop(StopCause::kInterrupt);
  request_stop(StopCause::kTime);
  EXPECT_EQ(stop_cause(), StopCause::kInterrupt);
}

TEST_F(Stop, WhoeverLooksHasHeard) {
  request_stop(StopCause::kTime);
  EXPECT_FALSE(stop_was_heard());
  EXPECT_EQ(stop_cause(), StopCause::kTime);
  EXPECT_TRUE(stop_was_heard());
}

TEST_F(Stop, WhoeverHandlesErrorsDoesNotCatchIt) {
  request_stop(StopCause::kInterrupt);
  try {
    try {
      throw_if_stopped();
      FAIL() << "nothing was thrown";
    } catch (const std::exception&) {
      FAIL() << "taken for an error";
    }
  } catch (const Stopped& stopped) {
    EXPECT_EQ(stopped.cause(), StopCause::kInterrupt);
  }
  EXPECT_TRUE(stop_was_heard());
}

}  // namespace
}  // namespace heddle
