#include "top/experiment/sweep_progress.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(SweepForecast, KnowsNothingWithoutAnEndedPoint) {
  SweepForecast forecast;
  forecast.expect("a", 3);
  EXPECT_FALSE(forecast.seconds_left(2, 0));
  EXPECT_FALSE(forecast.seconds_of("a"));
}

TEST(SweepForecast, TakesWhatIsMeasuredHereThenWhatIsKnownThenTheMeanOfAll) {
  SweepForecast forecast({{"a", 100.0}, {"b", 7.0}});
  forecast.expect("a", 3);
  forecast.expect("b");
  forecast.expect("c");
  forecast.end("a", 10.0);
  forecast.end("a", 20.0);
  EXPECT_EQ(forecast.seconds_of("a"), 15.0);
  EXPECT_EQ(forecast.seconds_of("b"), 7.0);
  EXPECT_EQ(forecast.seconds_of("c"), 15.0);
  EXPECT_EQ(forecast.seconds_left(1, 0), 37.0);
  EXPECT_EQ(forecast.seconds_left(1, 5), 32.0);
  EXPECT_EQ(forecast.seconds_left(2, 0), 18.5);
  EXPECT_EQ(forecast.seconds_left(100, 0), 15.0) << "no sooner than the longest of them";
}

TEST(SweepForecast, AnotherProcesssPointTakesNoTimeHere) {
  SweepForecast forecast({{"a", 10.0}});
  forecast.expect("a", 2);
  forecast.end("a", {});
  EXPECT_EQ(forecast.seconds_left(1, 0), 10.0);
}

TEST(SweepProgress, CountsPointsThatAreNotPlannedYet) {
  SweepProgress progress(stderr, false, "sweep");
  progress.set_forecast(SweepForecast({{"a", 120.0}}));
  progress.add_later("a");
  progress.add_later("a");
  EXPECT_EQ(progress.text(), "0 of 2 points done, 0 failed, 0 running, 4 min left");
  progress.end_later("a");
  progress.add_settled(1, 0);
  progress.end_later("a");
  progress.add_expected("a");
  EXPECT_EQ(progress.text(), "1 of 2 points done, 0 failed, 0 running, 2 min left");
}

TEST(SweepProgress, CountsWhatIsDoneFailedRunningAndLeft) {
  SweepProgress progress(stderr, false, "sweep");
  progress.set_forecast(SweepForecast({{"a", 120.0}}));
  progress.set_at_once(1);
  progress.add_settled(5, 1);
  for (int i = 0; i < 4; ++i) progress.add_expected("a");
  progress.begin(0);
  progress.begin(1);
  EXPECT_EQ(progress.text().find("5 of 10 points done, 1 failed, 2 running, "), 0U) << progress.text();
  progress.end(0, "a", true, 60.0);
  progress.end(1, "a", false, 60.0);
  EXPECT_EQ(progress.text(), "6 of 10 points done, 2 failed, 0 running, 2 min left");
}

}  // namespace
}  // namespace heddle
