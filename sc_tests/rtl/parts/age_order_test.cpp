#include "hw/order/age_order.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "hw/pricing/bits.h"
#include "sc_tests/rtl/parts/bench.h"

namespace heddle::test {
namespace {

std::uint64_t line(unsigned index) { return index == hw::kNoInput ? 0 : std::uint64_t{1} << index; }

// Who is appended in one cycle comes in the order of the model's calls; hardware has no such order, and takes
// the lower index as the older.
TEST(Twins, AgeMatrix) {
  Stimuli stimuli(31);
  const std::vector<std::pair<std::string, unsigned>> sizes{{"narrow", 1}, {"typical", 9}, {"wide", 17}};
  for (const auto& [name, entries] : sizes) {
    TwinBench bench;
    const std::string instance = "i_age_" + name;
    TwinPort append = bench.port(instance, "append_i");
    TwinPort remove = bench.port(instance, "remove_i");
    TwinPort request = bench.port(instance, "request_i");
    TwinPort passable = bench.port(instance, "passable_i");
    TwinPort index = bench.port(instance, "index_i");
    TwinPort count = bench.port(instance, "count_i");
    const TwinPort select = bench.port(instance, "select_o");
    const TwinPort passed = bench.port(instance, "passed_o");
    const TwinPort present = bench.port(instance, "present_o");
    const TwinPort rank = bench.port(instance, "rank_o");
    const TwinPort first = bench.port(instance, "first_o");
    ASSERT_EQ(append.bits(), entries);
    hw::AgeOrderShape shape;
    shape.entries = entries;
    shape.rank_ports = 1;
    shape.first_n = true;
    shape.passes_over = true;
    hw::AgeOrder model(TwinBench::owner(), "ages", shape);
    for (unsigned cycle = 0; cycle < (entries == 17 ? 400U : 1500U); ++cycle) {
      const std::uint64_t requests = stimuli.value(entries);
      const std::uint64_t stale = stimuli.value(entries) & ~requests;
      const unsigned asked = stimuli.below(entries);
      const unsigned most = stimuli.below(entries + 1);
      const std::uint64_t leaving = stimuli.once_in(2) ? stimuli.value(entries) & stimuli.value(entries) : 0;
      const std::uint64_t coming = stimuli.once_in(2) ? stimuli.value(entries) : line(stimuli.below(entries));
      request.set(requests);
      passable.set(stale);
      index.set(0, hw::index_bits(entries), asked);
      count.set(0, hw::index_bits(entries + 1), most);
      remove.set(leaving);
      append.set(coming);
      bench.settle();

      ASSERT_EQ(present.get(), model.present()) << name << " cycle " << cycle;
      const unsigned oldest = model.oldest(cycle, requests);
      ASSERT_EQ(select.get(), line(oldest)) << name << " cycle " << cycle;
      std::uint64_t older = 0;
      for (unsigned place = 0; place < model.size() && model.at(place) != oldest; ++place)
        older |= line(model.at(place));
      ASSERT_EQ(passed.get(), older & stale) << name << " cycle " << cycle;
      ASSERT_EQ(first.get(), model.oldest_n(requests, most)) << name << " cycle " << cycle;
      if ((model.present() >> asked & 1U) != 0) {
        ASSERT_EQ(rank.get(0, hw::index_bits(entries + 1)), model.rank(cycle, asked))
            << name << " cycle " << cycle;
      }

      for (unsigned entry = 0; entry < entries; ++entry) {
        if ((leaving >> entry & 1U) != 0) model.remove(entry);
      }
      for (unsigned entry = 0; entry < entries; ++entry) {
        if ((coming >> entry & 1U) != 0) model.append(cycle, entry);
      }
      bench.edge();
    }
  }
}

}  // namespace
}  // namespace heddle::test
