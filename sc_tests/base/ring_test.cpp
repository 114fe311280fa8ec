#include "base/ring.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace heddle {
namespace {

TEST(RingTest, TakesAsManyAsItsCapacityAndNoMore) {
  Ring<int> ring(3);
  EXPECT_TRUE(ring.empty());
  EXPECT_EQ(ring.capacity(), 3U);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(ring.full());
    ring.push(i);
  }
  EXPECT_TRUE(ring.full());
  EXPECT_FALSE(ring.empty());
}

TEST(RingTest, APlaceThatWasLeftCanBeTakenAgain) {
  Ring<int> ring(1);
  for (int i = 0; i < 5; ++i) {
    ring.push(i);
    EXPECT_TRUE(ring.full());
    EXPECT_EQ(ring.front(), i);
    ring.pop();
    EXPECT_TRUE(ring.empty());
  }
}

TEST(RingTest, TurnsItsOldestIntoItsNewest) {
  for (const int size : {1, 2, 3}) {
    Ring<int> ring(3);
    ring.push(0);
    ring.pop();
    for (int i = 0; i < size; ++i) ring.push(i);
    for (int turn = 1; turn < 7; ++turn) {
      ring.rotate();
      for (int i = 0; i < size; ++i) EXPECT_EQ(ring[static_cast<unsigned>(i)], (turn + i) % size);
    }
  }
}

TEST(RingTest, ARingWithoutPlacesIsFull) {
  const Ring<int> ring(0);
  EXPECT_TRUE(ring.empty());
  EXPECT_TRUE(ring.full());
}

TEST(RingTest, ClearLeavesNothing) {
  Ring<int> ring(3);
  ring.push(1);
  ring.push(2);
  ring.pop();
  ring.clear();
  EXPECT_TRUE(ring.empty());
  for (int i = 7; i < 10; ++i) ring.push(i);
  EXPECT_EQ(ring.front(), 7);
  EXPECT_EQ(ring[2], 9);
}

TEST(RingTest, GrowsOnlyWhenItIsFullAndKeepsItsOrder) {
  Ring<int> ring(2);
  ring.push(0);
  ring.push(1);
  ring.pop();  // the oldest is no longer the first place
  ring.push_growing(2);
  EXPECT_EQ(ring.capacity(), 2U);
  ring.push_growing(3);
  EXPECT_EQ(ring.capacity(), 4U);
  ASSERT_EQ(ring.size(), 3U);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(ring[i], static_cast<int>(i) + 1);
  Ring<int> none(0);
  none.push_growing(7);
  EXPECT_EQ(none.front(), 7);
}

/// Against a queue of the standard library, over many wraps; capacities that are no powers of two too.
TEST(RingTest, DoesWhatAQueueDoes) {
  std::mt19937 random(1);
  for (unsigned capacity = 1; capacity < 12; ++capacity) {
    Ring<unsigned> ring(capacity);
    std::deque<unsigned> queue;
    for (unsigned step = 0; step < 500; ++step) {
      if (random() % 2 == 0 && !ring.full()) {
        ring.push(step);
        queue.push_back(step);
      } else if (!ring.empty()) {
        ring.pop();
        queue.pop_front();
      }
      ASSERT_EQ(ring.size(), queue.size());
      ASSERT_EQ(ring.full(), queue.size() == capacity);
      for (unsigned i = 0; i < queue.size(); ++i) ASSERT_EQ(ring[i], queue[i]);
    }
  }
}

}  // namespace
}  // namespace heddle
