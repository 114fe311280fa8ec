#include "top/batch/program_pool.h"

#include <gtest/gtest.h>

#include <thread>

namespace heddle {
namespace {

TEST(ProgramPool, AsManyCopiesAtOnceAsProcessorsUnlessTold) {
  EXPECT_EQ(copies_at_once(3), 3U);
  EXPECT_EQ(copies_at_once(0), std::max(std::thread::hardware_concurrency(), 1U));
}

}  // namespace
}  // namespace heddle
