#include "top/cluster/slurm_time.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(SlurmTime, IsReadAsSbatchReadsIt) {
  EXPECT_EQ(slurm_seconds("30"), 30 * 60);
  EXPECT_EQ(slurm_seconds("0:02"), 2);
  EXPECT_EQ(slurm_seconds("10:30"), 10 * 60 + 30);
  EXPECT_EQ(slurm_seconds("1:00:05"), 3605);
  EXPECT_EQ(slurm_seconds("2-3"), 51 * 3600);
  EXPECT_EQ(slurm_seconds("1-2:30"), 26.5 * 3600);
  EXPECT_EQ(slurm_seconds("1-0:0:1"), 24 * 3600 + 1);
}

TEST(SlurmTime, NoLimitAndWhatIsNoTimeIsNone) {
  for (const char* const text :
       {"", "0", "0:00", "UNLIMITED", "ten", "1:2:3:4", "5:", ":5", "1-", "-1", "1h", "1-2-3"})
    EXPECT_EQ(slurm_seconds(text), std::nullopt) << text;
}

}  // namespace
}  // namespace heddle
