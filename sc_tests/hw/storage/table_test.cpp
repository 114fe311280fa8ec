#include "hw/storage/table.h"

#include <gtest/gtest.h>

#include "sc_tests/hw/strict_hardware.h"

namespace heddle::hw {
namespace {

enum Field : unsigned { kCount, kFlags };

std::vector<TableField> fields() {
  return {{"count", 7, Overflow::kSaturate}, {"flags", 3, Overflow::kWrap}};
}

TEST(Table, AFieldIsWrittenOnceInACycle) {
  TableShape shape = TableShape::direct(4, fields());
  shape.write_ports = 2;
  Table table(strict_hardware(), "t", shape);
  table.write(3, 1, 0, 5);
  table.write(3, 1, 1, 2);  // another field of the line
  table.write(3, 2, 0, 5);
  EXPECT_THROW(table.write(3, 1, 0, 6), PortConflict);
  table.write(4, 1, 0, 6);
  EXPECT_EQ(table.value(1, 0), 6U);
}

TEST(Table, FullyAssociativeFindsTagsAnywhere) {
  Table table(Owner{}, "t", TableShape::cam(4, 40, fields()));
  EXPECT_EQ(table.lookup(0, 0, 0x123), Table::kNoLine);
  const unsigned line = table.insert(1, 0, 0x123);
  table.insert(2, 0, 0x456);
  EXPECT_EQ(table.lookup(3, 0, 0x123), line);
  EXPECT_EQ(table.lookup(4, 0, std::uint64_t{0x123} | std::uint64_t{1} << 40), line);  // 40 tag bits
  table.invalidate(line);
  EXPECT_EQ(table.lookup(5, 0, 0x123), Table::kNoLine);
  EXPECT_EQ(table.activity().compares, 16U);  // four entries, each time
}

TEST(Table, FieldsKeepTheirWidths) {
  Table table(Owner{}, "t", TableShape::direct(8, fields()));
  table.write(0, 5, kCount, 200);
  table.write(0, 5, kFlags, 0xf);
  EXPECT_EQ(table.read(1, 5, kCount), 127U);
  EXPECT_EQ(table.read(1, 5, kFlags), 7U);
  EXPECT_EQ(table.activity().overflows, 2U);
}

TEST(Table, ReplacesTheLeastRecentlyUsed) {
  Table table(Owner{}, "t", TableShape::cam(3, 8, fields()));
  for (const unsigned tag : {1U, 2U, 3U}) table.insert(0, 0, tag);
  table.touch(table.lookup(1, 0, 1));
  table.write(1, table.lookup(1, 0, 2), kCount, 9);
  const unsigned line = table.insert(2, 0, 4);  // 2 was used longest ago
  EXPECT_EQ(table.lookup(3, 0, 2), Table::kNoLine);
  EXPECT_EQ(table.value(line, kCount), 0U);  // a new entry starts from 0
  EXPECT_NE(table.lookup(3, 0, 1), Table::kNoLine);
  table.insert(4, 0, 5);  // now 3
  EXPECT_EQ(table.lookup(5, 0, 3), Table::kNoLine);
}

TEST(Table, ReplacesInOrderOfInsertionUnderFifo) {
  TableShape shape = TableShape::cam(2, 8, fields());
  shape.replacement = Replacement::kFifo;
  Table table(Owner{}, "t", shape);
  table.insert(0, 0, 1);
  table.insert(1, 0, 2);
  table.touch(table.lookup(2, 0, 1));
  table.insert(3, 0, 3);
  EXPECT_EQ(table.lookup(4, 0, 1), Table::kNoLine);
  EXPECT_NE(table.lookup(5, 0, 2), Table::kNoLine);
}

TEST(Table, SetsAreSeparate) {
  Table table(Owner{}, "t", TableShape::set_associative(2, 2, 8, fields()));
  table.insert(0, 0, 7);
  EXPECT_EQ(table.lookup(1, 1, 7), Table::kNoLine);
  for (const unsigned tag : {1U, 2U, 3U}) EXPECT_GE(table.insert(2, 1, tag), 2U);
  EXPECT_NE(table.lookup(3, 0, 7), Table::kNoLine);
  table.clear();
  EXPECT_EQ(table.lookup(4, 0, 7), Table::kNoLine);
}

TEST(Table, OnePortWorksOnOneLineInACycle) {
  Table table(strict_hardware(), "t", TableShape::cam(4, 8, fields()));
  const unsigned line = table.insert(0, 0, 1);
  table.write(0, line, kCount, 1);  // the same line by the same port
  table.write(0, line, kFlags, 1);
  EXPECT_THROW(table.insert(0, 0, 2), PortConflict);
  table.read(5, line, kCount);
  table.read(5, line, kFlags);
  EXPECT_THROW(table.read(5, line + 1, kCount), PortConflict);
  table.lookup(6, 0, 1);
  EXPECT_THROW(table.lookup(6, 0, 2), PortConflict);
  table.lookup(7, 0, 2);
}

TEST(Table, BitsAreThoseOfTheDivergentLoadClassifier) {
  // OAWS 4.4: PC 40, #inst 7, #acc 10, #sets 10 bits; an entry is 9 bytes, 288 bytes in all.
  Table dlc(Owner{}, "dlc",
            TableShape::cam(32, 40,
                            {{"inst", 7, Overflow::kSaturate},
                             {"acc", 10, Overflow::kSaturate},
                             {"sets", 10, Overflow::kSaturate}}),
            PaperCount::kBytes);
  const Structure row = dlc.structure();
  EXPECT_EQ(row.declared_bits(), 32U * 67);
  EXPECT_EQ(row.paper_bits(dlc.paper_count()), 288U * 8);
  EXPECT_EQ(row.hidden_bits, 32U * (1 + 5));  // valid, LRU rank
}

TEST(Table, RejectsShapesOutOfRange) {
  EXPECT_THROW(Table(Owner{}, "t", TableShape::cam(4, 0, fields())), std::invalid_argument);
  EXPECT_THROW(Table(Owner{}, "t", TableShape::direct(0, fields())), std::invalid_argument);
  EXPECT_THROW(Table(Owner{}, "t", TableShape::direct(4, {{"wide", 65}})), std::invalid_argument);
  Table untagged(Owner{}, "t", TableShape::direct(4, fields()));
  EXPECT_THROW(untagged.lookup(0, 0, 1), std::logic_error);
}

}  // namespace
}  // namespace heddle::hw
