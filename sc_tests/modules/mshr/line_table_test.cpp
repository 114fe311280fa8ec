#include "modules/mshr/line_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace heddle::test {
namespace {

TEST(LineTable, FindsWhatIsHeldAndNothingElse) {
  LineTable table(2);
  EXPECT_TRUE(table.find(0) == LineTable::kNone);
  table.insert(0, MshrEntryId(1));
  table.insert(0x80, MshrEntryId(0));
  EXPECT_TRUE(table.find(0) == MshrEntryId(1));
  EXPECT_TRUE(table.find(0x80) == MshrEntryId(0));
  EXPECT_TRUE(table.find(0x100) == LineTable::kNone);
  table.erase(0);
  EXPECT_TRUE(table.find(0) == LineTable::kNone);
  EXPECT_TRUE(table.find(0x80) == MshrEntryId(0));
}

TEST(LineTable, AgreesWithAMapUnderRandomTraffic) {
  for (const unsigned capacity : {1U, 2U, 7U, 32U, 64U}) {
    LineTable table(capacity);
    std::map<std::uint64_t, MshrEntryId> model;
    std::mt19937 random(capacity);
    for (unsigned i = 0; i < 20000; ++i) {
      const std::uint64_t line = (random() % (3 * capacity)) * 128;
      const auto found = model.find(line);
      const MshrEntryId none = LineTable::kNone;
      ASSERT_TRUE(table.find(line) == (found == model.end() ? none : found->second));
      if (found != model.end()) {
        table.erase(line);
        model.erase(found);
      } else if (model.size() < capacity) {
        const MshrEntryId entry(i % capacity);
        table.insert(line, entry);
        model[line] = entry;
      }
    }
  }
}

}  // namespace
}  // namespace heddle::test
