#include "hw/order/group_sorter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "hw/pricing/bits.h"
#include "sc_tests/rtl/parts/bench.h"

namespace heddle::test {
namespace {

/// Keys of up to 128 bits, in two words: the lower goes first, or the higher one in groups that go down. Of a
/// class, its first bits, two that are fixed stay as they are.
struct KeyRule : hw::SortRule {
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  std::array<Key, 64> keys{};
  std::array<bool, 64> down{};
  std::uint64_t fixed = 0;
  unsigned key_bits = 0;
  unsigned class_bits = 0;

  std::uint64_t class_of(unsigned entry) const {
    return class_bits == 0 ? entry : keys[entry].first >> (key_bits - 64 - class_bits);
  }
  bool swap_needed(unsigned group, unsigned first, unsigned second) const override {
    if ((fixed >> first & fixed >> second & 1U) != 0 && class_of(first) == class_of(second)) return false;
    if (keys[first] == keys[second]) return second < first;
    return down[group] ? keys[first] < keys[second] : keys[second] < keys[first];
  }
};

struct Sizes {
  std::string instance;
  hw::GroupSorterShape shape;
  unsigned key_bits = 0;  ///< of the twin, with what breaks ties
  unsigned cycles = 0;
  unsigned calm_once_in = 8;
  double clock_fo4 = hw::Owner::kDefaultClockFo4;
  bool rests = false;  ///< the twin has no edge in cycles in which it is told nothing and the model rests

  hw::Owner owner() const {
    hw::Owner owner = TwinBench::owner();
    owner.clock_fo4 = clock_fo4;
    return owner;
  }
};

/// The twin and the part, with the same stimuli: members come and go alone and as whole groups, and keys
/// change, during sorts and between them.
class Sorters {
 public:
  explicit Sorters(const Sizes& sizes)
      : sizes_(sizes), shape_(sizes.shape), width_(hw::index_bits(shape_.entries)) {
    rule_.key_bits = sizes.key_bits;
    rule_.class_bits = shape_.class_bits;
    for (unsigned e = 0; e < shape_.entries; ++e) change_key(e);
  }

  void run() {
    ASSERT_EQ(keys_.bits(), shape_.entries * sizes_.key_bits);
    ASSERT_EQ(rank_.bits(), shape_.entries * width_);
    ASSERT_EQ(busy_.bits(), shape_.groups);
    for (cycle_ = 0; cycle_ < sizes_.cycles && !testing::Test::HasFatalFailure(); ++cycle_) {
      model_.advance(cycle_);
      compare();
      stimulate();
      if (told() || !sizes_.rests || model_.restless(cycle_)) {
        bench_.edge();
        ++edges_;
      }
      show_registers();
    }
    EXPECT_GT(model_.use().sorts, 20U);
    EXPECT_EQ(edges_ < sizes_.cycles, sizes_.rests);
  }

 private:
  TwinPort port(const char* name) { return bench_.port(sizes_.instance, name); }

  void compare() {
    for (unsigned g = 0; g < shape_.groups; ++g) {
      const unsigned size_bits = hw::index_bits(shape_.entries + 1);
      ASSERT_EQ(size_.get(g * size_bits, size_bits), model_.size(g)) << "group " << g << " cycle " << cycle_;
      ASSERT_EQ(busy_.get(g, 1) != 0, model_.busy(g)) << "group " << g << " cycle " << cycle_;
      for (unsigned place = 0; place < model_.size(g); ++place) {
        const unsigned entry = model_.order(g)[place];
        ASSERT_EQ(present_.get(entry, 1), 1U) << "entry " << entry << " cycle " << cycle_;
        ASSERT_EQ(rank_.get(entry * width_, width_), place) << "entry " << entry << " cycle " << cycle_;
      }
    }
    ASSERT_EQ(present_.get(), members_) << "cycle " << cycle_;
  }

  void stimulate() {
    for (TwinPort* const input : {&clear_, &remove_, &append_, &start_, &restart_}) input->clear();
    if (calm_ == 0 && stimuli_.once_in(sizes_.calm_once_in)) {
      calm_ = stimuli_.below(2 * shape_.entries * shape_.entries * model_.cycles() + 4);
    }
    if (calm_ > 0) {
      --calm_;
      if (!model_.busy()) ask();
      return;
    }
    const std::uint64_t before = members_;
    leave();
    const bool ask_first = stimuli_.once_in(2);
    if (ask_first) ask();
    come(~before);
    if (!ask_first) ask();
    if (stimuli_.once_in(2)) change_key(stimuli_.below(shape_.entries));
    if (shape_.class_bits != 0 && stimuli_.once_in(8)) rule_.fixed = stimuli_.value(shape_.entries);
  }

  bool told() const {
    const std::array<const TwinPort*, 5> inputs{&clear_, &remove_, &append_, &start_, &restart_};
    return std::any_of(inputs.begin(), inputs.end(), [](const TwinPort* input) { return input->get() != 0; });
  }

  void leave() {
    for (unsigned g = 0; g < shape_.groups; ++g) {
      if (!stimuli_.once_in(150)) continue;
      clear_.set(g, 1, 1);
      for (unsigned e = 0; e < shape_.entries; ++e) {
        if (group_[e] == g) members_ &= ~(std::uint64_t{1} << e);
      }
      model_.clear(cycle_, g);
    }
    for (unsigned r = 0; r < shape_.removals; ++r) {
      const unsigned entry = stimuli_.below(shape_.entries);
      if ((members_ >> entry & 1U) == 0 || !stimuli_.once_in(8)) continue;
      if ((clear_.get() >> group_[entry] & 1U) != 0) continue;
      remove_.set(r, 1, 1);
      remove_index_.set(r * width_, width_, entry);
      members_ &= ~(std::uint64_t{1} << entry);
      model_.remove(cycle_, group_[entry], entry);
    }
  }

  void ask() {
    for (unsigned g = 0; g < shape_.groups; ++g) {
      if (stimuli_.once_in(10)) {
        start_.set(g, 1, 1);
        model_.request(cycle_, g);
      }
      if (!stimuli_.once_in(40)) continue;
      restart_.set(g, 1, 1);
      if (stimuli_.once_in(2) && shape_.class_bits == 0) rule_.down[g] = !rule_.down[g];
      model_.restart(cycle_, g);
    }
  }

  /// One of `others`.
  void come(std::uint64_t others) {
    const unsigned entry = stimuli_.below(shape_.entries);
    if ((others >> entry & 1U) == 0 || !stimuli_.once_in(2)) return;
    group_[entry] = stimuli_.below(shape_.groups);
    const unsigned group_bits = hw::index_bits(shape_.groups);
    groups_.set(entry * group_bits, group_bits, group_[entry]);
    append_.set(1);
    append_index_.set(entry);
    members_ |= std::uint64_t{1} << entry;
    model_.append(cycle_, group_[entry], entry);
  }

  void change_key(unsigned entry) {
    const bool wide = sizes_.key_bits > 64;
    std::uint64_t low = stimuli_.value(wide ? 64 : sizes_.key_bits);
    if (shape_.tie_bits != 0) low = (low & ~std::uint64_t{63}) | entry;  // none twice
    if (stimuli_.once_in(4) && shape_.tie_bits == 0) low = rule_.keys[stimuli_.below(shape_.entries)].second;
    rule_.keys[entry] = {wide ? stimuli_.value(sizes_.key_bits - 64) : 0, low};
  }

  /// What the owner keeps changes with the edge.
  void show_registers() {
    for (unsigned e = 0; e < shape_.entries; ++e) {
      const unsigned low = std::min(64U, sizes_.key_bits);
      keys_.set(e * sizes_.key_bits, low, rule_.keys[e].second);
      if (sizes_.key_bits > 64) {
        keys_.set(e * sizes_.key_bits + 64, sizes_.key_bits - 64, rule_.keys[e].first);
      }
    }
    for (unsigned g = 0; g < shape_.groups; ++g) descending_.set(g, 1, rule_.down[g] ? 1 : 0);
    fixed_.set(rule_.fixed);
  }

  const Sizes sizes_;
  const hw::GroupSorterShape shape_;
  const unsigned width_;
  TwinBench bench_;
  Stimuli stimuli_{43};
  KeyRule rule_;
  hw::GroupSorter model_{sizes_.owner(), "sorter", shape_, rule_};
  TwinPort groups_ = port("group_i");
  TwinPort clear_ = port("clear_i");
  TwinPort remove_ = port("remove_i");
  TwinPort remove_index_ = port("remove_index_i");
  TwinPort append_ = port("append_i");
  TwinPort append_index_ = port("append_index_i");
  TwinPort start_ = port("start_i");
  TwinPort restart_ = port("restart_i");
  TwinPort descending_ = port("descending_i");
  TwinPort keys_ = port("keys_i");
  TwinPort fixed_ = port("fixed_i");
  TwinPort busy_ = port("busy_o");
  TwinPort present_ = port("present_o");
  TwinPort rank_ = port("rank_o");
  TwinPort size_ = port("size_o");
  unsigned cycle_ = 0;
  unsigned edges_ = 0;
  unsigned calm_ = 0;  ///< cycles without any change
  std::array<unsigned, 64> group_{};
  std::uint64_t members_ = 0;
};

Sizes sizes_of(const char* instance, unsigned entries, unsigned groups, unsigned key_bits, unsigned cycles) {
  Sizes sizes;
  sizes.instance = instance;
  sizes.shape.entries = entries;
  sizes.shape.groups = groups;
  sizes.shape.key_bits = sizes.key_bits = key_bits;
  sizes.shape.cycles_per_compare = 1;
  sizes.cycles = cycles;
  return sizes;
}

TEST(GroupSorterTwin, OneEntry) { Sorters(sizes_of("i_group_sorter_narrow", 1, 1, 1, 1000)).run(); }

TEST(GroupSorterTwin, GroupsWithSeveralComparators) {
  Sizes sizes = sizes_of("i_group_sorter_typical", 12, 3, 4, 12000);
  sizes.shape.comparators = 2;
  Sorters(sizes).run();
}

TEST(GroupSorterTwin, ClassesOfWhichSomeStayAsTheyAre) {
  Sizes sizes = sizes_of("i_group_sorter_classes", 8, 1, 43, 12000);
  sizes.shape.tie_bits = 29;
  sizes.key_bits = 72;
  sizes.shape.class_bits = 3;
  sizes.shape.cycles_per_compare = 2;
  sizes.shape.removals = 2;
  Sorters(sizes).run();
}

TEST(GroupSorterTwin, StepsOfSeveralCycles) {
  Sizes sizes = sizes_of("i_group_sorter_slow", 9, 2, 7, 20000);
  sizes.shape.cycles_per_compare = 0;
  sizes.clock_fo4 = 14;  // two cycles until keys have been read, three from there to the swap
  sizes.shape.removals = 3;
  Sorters(sizes).run();
}

TEST(GroupSorterTwin, RestsWhenNothingIsSorted) {
  for (const unsigned cycles : {1U, 3U}) {
    Sizes sizes = cycles == 1 ? sizes_of("i_group_sorter_typical", 12, 3, 4, 12000)
                              : sizes_of("i_group_sorter_wide", 48, 8, 32, 6000);
    sizes.shape.comparators = cycles == 1 ? 2 : 1;
    sizes.shape.removals = cycles == 1 ? 1 : 0;
    sizes.shape.cycles_per_compare = cycles;
    sizes.calm_once_in = 40;
    sizes.rests = true;
    Sorters(sizes).run();
  }
}

TEST(GroupSorterTwin, WarpsOfAnSm) {
  Sizes sizes = sizes_of("i_group_sorter_wide", 48, 8, 32, 6000);
  sizes.shape.cycles_per_compare = 3;
  sizes.shape.removals = 0;
  sizes.calm_once_in = 200;
  Sorters(sizes).run();
}

}  // namespace
}  // namespace heddle::test
