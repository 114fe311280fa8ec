#include "hw/storage/table.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "hw/pricing/bits.h"
#include "sc_tests/rtl/parts/bench.h"

namespace heddle::test {
namespace {

constexpr unsigned kFieldBits[] = {7, 6};

/// The ports of a twin and the model, driven alike.
class TablePair {
 public:
  TablePair(TwinBench& bench, const std::string& instance, const hw::TableShape& shape)
      : bench_(bench),
        shape_(shape),
        lines_(shape.sets * shape.ways),
        cam_(shape.tag_bits > 0 && shape.sets == 1 && shape.ways > 1),
        name_bits_(cam_ ? lines_ : hw::index_bits(lines_)),
        field_bits_(shape.fields.empty() ? 1 : 13),
        model_(TwinBench::owner(), "table", shape),
        lookup_(bench.port(instance, "lookup_i")),
        lookup_set_(bench.port(instance, "lookup_set_i")),
        lookup_tag_(bench.port(instance, "lookup_tag_i")),
        lookup_hit_(bench.port(instance, "lookup_hit_o")),
        lookup_line_(bench.port(instance, "lookup_line_o")),
        read_line_(bench.port(instance, "read_line_i")),
        read_fields_(bench.port(instance, "read_fields_o")),
        write_(bench.port(instance, "write_i")),
        write_line_(bench.port(instance, "write_line_i")),
        write_mask_(bench.port(instance, "write_mask_i")),
        write_fields_(bench.port(instance, "write_fields_i")),
        insert_(bench.port(instance, "insert_i")),
        insert_tag_(bench.port(instance, "insert_tag_i")),
        victim_(bench.port(instance, "victim_i")),
        victim_set_(bench.port(instance, "victim_set_i")),
        victim_line_(bench.port(instance, "victim_line_o")),
        touch_(bench.port(instance, "touch_i")),
        touch_line_(bench.port(instance, "touch_line_i")),
        invalidate_(bench.port(instance, "invalidate_i")),
        valid_(bench.port(instance, "valid_o")),
        fields_(bench.port(instance, "fields_o")) {
    EXPECT_EQ(valid_.bits(), lines_);
    EXPECT_EQ(fields_.bits(), lines_ * field_bits_);
    EXPECT_EQ(victim_line_.bits(), name_bits_);
  }

  void cycle(std::uint64_t now, Stimuli& stimuli) {
    for (TwinPort* port : {&lookup_, &write_, &insert_, &touch_, &invalidate_}) port->clear();
    const unsigned set = stimuli.below(shape_.sets);
    asks_victim_ = stimuli.once_in(2);
    victim_.set(asks_victim_ ? 1 : 0);
    victim_set_.set(set);
    look(now, stimuli);
    compare(set);
    const unsigned victim = model_.victim(set);
    if (shape_.tag_bits > 0 && stimuli.once_in(10)) {
      const std::uint64_t dropped = stimuli.value(lines_);
      invalidate_.set(dropped);
      for (unsigned line = 0; line < lines_; ++line) {
        if ((dropped >> line & 1U) != 0) model_.invalidate(line);
      }
    }
    change(now, stimuli, victim);
    bench_.edge();
  }

 private:
  std::uint64_t name(unsigned line) const { return cam_ ? std::uint64_t{1} << line : line; }
  /// Few different tags, so that some are found.
  std::uint64_t tag(Stimuli& stimuli) const {
    return stimuli.below(20) * 0x0810'2040'8102'0401U & hw::low_bits(shape_.tag_bits);
  }

  /// No two lines of a set have one tag: owners look before they insert.
  bool known(unsigned set, std::uint64_t tag) const {
    for (unsigned line = set * shape_.ways; line < (set + 1) * shape_.ways; ++line) {
      if (model_.valid(line) && model_.tag(line) == tag) return true;
    }
    return false;
  }

  void look(std::uint64_t now, Stimuli& stimuli) {
    std::vector<std::uint64_t> found(shape_.lookup_ports, 0);
    std::vector<bool> hit(shape_.lookup_ports, false);
    for (unsigned l = 0; l < shape_.lookup_ports; ++l) {
      const unsigned set = stimuli.below(shape_.sets);
      const std::uint64_t asked = tag(stimuli);
      lookup_set_.set(l * hw::index_bits(shape_.sets), hw::index_bits(shape_.sets), set);
      lookup_tag_.set(l * shape_.tag_bits, shape_.tag_bits, asked);
      if (stimuli.once_in(4)) continue;
      lookup_.set(l, 1, 1);
      const unsigned line = model_.lookup(now, set, asked);
      hit[l] = line != hw::Table::kNoLine;
      found[l] = hit[l] ? name(line) : 0;
    }
    std::vector<unsigned> read(shape_.read_ports);
    for (unsigned r = 0; r < shape_.read_ports; ++r) {
      read[r] = stimuli.below(lines_);
      read_line_.set(r * name_bits_, name_bits_, name(read[r]));
    }
    bench_.settle();
    for (unsigned l = 0; l < shape_.lookup_ports; ++l) {
      EXPECT_EQ(lookup_hit_.get(l, 1) != 0, hit[l]);
      EXPECT_EQ(lookup_line_.get(l * name_bits_, name_bits_), found[l]);
    }
    for (unsigned r = 0; r < shape_.read_ports; ++r) {
      EXPECT_EQ(read_fields_.get(r * field_bits_, 7), model_.read(now, read[r], 0));
      EXPECT_EQ(read_fields_.get(r * field_bits_ + 7, 6), model_.read(now, read[r], 1));
    }
  }

  void compare(unsigned set) {
    if (shape_.tag_bits > 0) EXPECT_EQ(victim_line_.get(), asks_victim_ ? name(model_.victim(set)) : 0);
    for (unsigned line = 0; line < lines_; ++line) {
      EXPECT_EQ(valid_.get(line, 1) != 0, shape_.tag_bits == 0 || model_.valid(line)) << "line " << line;
      if (shape_.fields.empty()) continue;
      EXPECT_EQ(fields_.get(line * field_bits_, 7), model_.value(line, 0)) << "line " << line;
      EXPECT_EQ(fields_.get(line * field_bits_ + 7, 6), model_.value(line, 1)) << "line " << line;
    }
  }

  void change(std::uint64_t now, Stimuli& stimuli, unsigned victim) {
    const std::uint64_t given = tag(stimuli);
    const bool inserts = shape_.tag_bits > 0 && stimuli.once_in(2) && !known(victim / shape_.ways, given);
    if (!inserts && shape_.tag_bits > 0 && stimuli.once_in(2)) {
      const unsigned line = stimuli.below(lines_);
      touch_.set(1);
      touch_line_.set(name(line));
      model_.touch(line);
    }
    std::set<unsigned> written;
    for (unsigned w = 0; w < shape_.write_ports; ++w) {
      const bool new_line = w == 0 && inserts;
      const unsigned line = new_line ? victim : stimuli.below(lines_);
      if (!new_line && (shape_.fields.empty() || stimuli.once_in(2))) continue;
      if (!written.insert(line).second) continue;
      write_.set(w, 1, 1);
      write_line_.set(w * name_bits_, name_bits_, name(line));
      if (new_line) {
        insert_.set(1);
        insert_tag_.set(given);
        model_.insert_at(now, line, given);
      }
      write_mask_.set(w * field_bits_, field_bits_, 0);
      for (unsigned f = 0; f < shape_.fields.size(); ++f) {
        if (stimuli.once_in(2)) continue;
        const std::uint64_t value = stimuli.value(kFieldBits[f]);
        write_mask_.set(w * field_bits_ + 7 * f, kFieldBits[f], ~std::uint64_t{0});
        write_fields_.set(w * field_bits_ + 7 * f, kFieldBits[f], value);
        model_.write(now, line, f, value);
      }
    }
  }

  TwinBench& bench_;
  hw::TableShape shape_;
  unsigned lines_;
  bool cam_;
  unsigned name_bits_;
  unsigned field_bits_;
  hw::Table model_;
  bool asks_victim_ = false;
  TwinPort lookup_, lookup_set_, lookup_tag_, lookup_hit_, lookup_line_, read_line_, read_fields_, write_,
      write_line_, write_mask_, write_fields_, insert_, insert_tag_, victim_, victim_set_, victim_line_,
      touch_, touch_line_, invalidate_, valid_, fields_;
};

void compare(const std::string& instance, const hw::TableShape& shape) {
  TwinBench bench;
  Stimuli stimuli(51);
  TablePair pair(bench, instance, shape);
  for (unsigned cycle = 0; cycle < 1500 && !testing::Test::HasFailure(); ++cycle) {
    SCOPED_TRACE(instance + " cycle " + std::to_string(cycle));
    pair.cycle(cycle, stimuli);
  }
}

std::vector<hw::TableField> fields() { return {{"first", kFieldBits[0]}, {"second", kFieldBits[1]}}; }

TEST(TableTwin, Array) {
  hw::TableShape shape = hw::TableShape::direct(24, fields());
  shape.lookup_ports = 0;
  shape.read_ports = 2;
  compare("i_table_array", shape);
}

TEST(TableTwin, DirectMapped) { compare("i_table_direct", hw::TableShape::direct(16, fields(), 5)); }

TEST(TableTwin, SetAssociative) {
  hw::TableShape shape = hw::TableShape::set_associative(4, 3, 4, fields());
  shape.lookup_ports = 2;
  compare("i_table_set_associative", shape);
}

TEST(TableTwin, FirstComeFirstReplaced) {
  hw::TableShape shape = hw::TableShape::set_associative(2, 8, 6, {});
  shape.replacement = hw::Replacement::kFifo;
  shape.read_ports = 0;
  compare("i_table_fifo", shape);
}

TEST(TableTwin, FullyAssociative) {
  hw::TableShape shape = hw::TableShape::cam(8, 64, fields());
  shape.lookup_ports = 3;
  shape.read_ports = 2;
  shape.write_ports = 2;
  compare("i_table_cam", shape);
}

}  // namespace
}  // namespace heddle::test
