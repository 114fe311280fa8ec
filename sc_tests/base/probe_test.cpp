#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/observe.h"

namespace heddle {
namespace {

using ::testing::ElementsAre;

TEST(Probe, TellsEveryListenerInTurn) {
  Probe<int> probe;
  std::vector<int> heard;
  EXPECT_FALSE(probe.heard());
  probe.fire(1);
  probe.listen([&](int value) { heard.push_back(value); });
  probe.listen([&](int value) { heard.push_back(-value); });
  EXPECT_TRUE(probe.heard());
  probe.fire(2);
  EXPECT_THAT(heard, ElementsAre(2, -2));
}

TEST(EventPort, CallsWhatIsBoundInItsOrderBeforeThoseWhoLookOn) {
  EventPort<> port;
  std::string calls;
  port.listen([&] { calls += "l"; });
  port.bind([&] { calls += "a"; });
  port.bind([&] { calls += "b"; });
  port.listen([&] { calls += "m"; });
  port.fire();
  EXPECT_EQ(calls, "ablm");
}

TEST(EventPort, CallsWhatIsBoundAlsoWhenProbesAreDeaf) {
  EventPort<> port;
  std::string calls;
  {
    const DeafProbes deaf;
    port.listen([&] { calls += "l"; });
    EXPECT_FALSE(port.heard());
    port.bind([&] { calls += "a"; });
    EXPECT_TRUE(port.heard());
  }
  port.listen([&] { calls += "m"; });
  port.fire();
  EXPECT_EQ(calls, "am");
}

}  // namespace
}  // namespace heddle
