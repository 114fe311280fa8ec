// Host copies that are larger than the L2 leave in it what they would leave line by line.
#include <gtest/gtest.h>

#include <set>

#include "modules/memory_partition/l2_slice.h"
#include "top/config/config_schema.h"
#include "top/machine/gpu_builder.h"

namespace heddle {
namespace {

using Lines = std::set<std::uint64_t>;

struct Copy {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

class InstalledCopies : public ::testing::TestWithParam<std::vector<std::string>> {
 protected:
  static constexpr std::uint64_t kLine = kLineBytes;

  InstalledCopies() : loaded_(load_config("", GetParam())), gpu_(build_gpu(loaded_)) {}

  /// Of the lines of both copies, which the L2 holds.
  Lines held(const std::vector<Copy>& copies) const {
    const AddressMap map(loaded_.config.address_map, loaded_.config.l2, loaded_.config.dram);
    Lines lines;
    for (const Copy& copy : copies) {
      for (std::uint64_t line = copy.address / kLine * kLine; line < copy.address + copy.bytes;
           line += kLine) {
        const unsigned slice = map.slice_of(line);
        const std::string name = gpu_->name() + std::string(".partition") +
                                 std::to_string(slice / map.slices_per_channel()) + ".slice" +
                                 std::to_string(slice % map.slices_per_channel());
        const auto* const l2 = dynamic_cast<const L2Slice*>(sc_core::sc_find_object(name.c_str()));
        if (l2 == nullptr) throw std::logic_error("no " + name);
        if (l2->holds(line, 0xF)) lines.insert(line);
      }
    }
    return lines;
  }

  LoadedConfig loaded_;
  std::unique_ptr<Gpu> gpu_;
};

TEST_P(InstalledCopies, AreThoseOfTheLinesOneByOne) {
  const CacheConfig& cache = loaded_.config.l2.cache;
  const std::uint64_t capacity = std::uint64_t{loaded_.config.dram.channels} *
                                 loaded_.config.l2.slices_per_channel * cache.sets * cache.ways *
                                 cache.line_bytes;
  // The second is copied over a part of the first, and begins and ends within lines.
  constexpr std::uint64_t kBegin = 0xC0000000;
  const std::uint64_t most = 64 * capacity + 65536;
  // The second is copied over a part of the first and begins and ends within lines; the third ends in the
  // midst of what that leaves.
  const Copy second{kBegin + most / 2 + 40, most};
  const std::vector<Copy> copies{{kBegin, most}, second, {second.address, second.bytes - capacity / 2}};
  for (const Copy& copy : copies) gpu_->install(copy.address, copy.bytes);
  const Lines at_once = held(copies);
  EXPECT_EQ(at_once.size(), capacity / kLine);

  for (const Copy& copy : copies) {
    const std::uint64_t end = copy.address + copy.bytes;
    for (std::uint64_t line = copy.address / kLine * kLine; line < end; line += kLine) gpu_->install(line, 1);
  }
  EXPECT_EQ(held(copies), at_once);
}

INSTANTIATE_TEST_SUITE_P(
    Machines, InstalledCopies,
    ::testing::Values(std::vector<std::string>{"core.sms=1"},
                      std::vector<std::string>{"core.sms=1", "l2.cache.set_index=hashed", "l2.cache.sets=32"},
                      std::vector<std::string>{"core.sms=1", "l2.cache.sets=1", "l2.cache.ways=1",
                                               "address_map.channel_interleave_bytes=2048"},
                      std::vector<std::string>{"core.sms=1", "dram.channels=5", "l2.slices_per_channel=1",
                                               "l2.cache.sets=256", "l2.cache.ways=3"}));

}  // namespace
}  // namespace heddle
