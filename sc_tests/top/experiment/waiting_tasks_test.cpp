#include "top/experiment/waiting_tasks.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle {
namespace {

TEST(WaitingTasks, ComeLongestFirstAfterThoseOfWhichNothingIsKnown) {
  const SweepForecast forecast({{"short", 1.0}, {"long", 9.0}});
  const std::vector<std::string> workloads{"short", "long", "new", "long", "short"};
  WaitingTasks tasks;
  for (std::size_t task = 0; task < workloads.size(); ++task) tasks.add(workloads[task], task);
  std::vector<std::size_t> order;
  while (!tasks.empty()) {
    order.push_back(tasks.next(forecast));
    tasks.remove(workloads[order.back()], order.back());
  }
  EXPECT_EQ(order, (std::vector<std::size_t>{2, 1, 3, 0, 4}));
}

TEST(WaitingTasks, FollowWhatIsMeasuredMeanwhile) {
  SweepForecast forecast;
  WaitingTasks tasks;
  tasks.add("a", 0);
  tasks.add("b", 1);
  EXPECT_EQ(tasks.next(forecast), 0U) << "in their order";
  forecast.end("a", 5.0);
  EXPECT_EQ(tasks.next(forecast), 1U) << "of b nothing is known";
  forecast.end("b", 3.0);
  EXPECT_EQ(tasks.next(forecast), 0U);
}

}  // namespace
}  // namespace heddle
