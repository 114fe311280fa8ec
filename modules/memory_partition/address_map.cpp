#include "modules/memory_partition/address_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/power_of_two.h"
#include "modules/config/setting_error.h"
#include "modules/messages/memory_request.h"

namespace heddle {

namespace {

unsigned log2_of(unsigned value, const char* key) {
  if (!power_of_two(value)) {
    throw SettingError(key, fmt::format("expected a power of two, found {}", value));
  }
  return static_cast<unsigned>(__builtin_ctz(value));
}

/// Takes `bits` from the low end of `value`.
std::uint64_t take(std::uint64_t& value, unsigned bits) {
  const std::uint64_t low = value & ((std::uint64_t{1} << bits) - 1);
  value >>= bits;
  return low;
}

}  // namespace

AddressMap::AddressMap(const AddressMapConfig& map, const L2Config& l2, const DramConfig& dram)
    : channels_(dram.channels),
      block_bits_(log2_of(map.channel_interleave_bytes, "address_map.channel_interleave_bytes")),
      slice_bits_(log2_of(l2.slices_per_channel, "l2.slices_per_channel")),
      offset_bits_(map.column_low_bits) {
  if (channels_ == 0) throw SettingError("dram.channels", "expected at least 1, found 0");
  const unsigned bank_bits = log2_of(dram.banks, "dram.banks");
  const unsigned row_bits = log2_of(dram.row_bytes, "dram.row_bytes");
  if (map.channel_interleave_bytes < kLineBytes || map.channel_interleave_bytes > dram.row_bytes) {
    throw SettingError({"address_map.channel_interleave_bytes", "dram.row_bytes"},
                       fmt::format("expected between a line ({}) and a DRAM row ({}), found {}", kLineBytes,
                                   dram.row_bytes, map.channel_interleave_bytes));
  }
  if (offset_bits_ > block_bits_) {
    throw SettingError({"address_map.column_low_bits", "address_map.channel_interleave_bytes"},
                       fmt::format("expected at most {}, the bits of an interleave block, found {}",
                                   block_bits_, offset_bits_));
  }
  if (slice_bits_ > bank_bits) {
    throw SettingError(
        {"l2.slices_per_channel", "dram.banks"},
        fmt::format("expected at most dram.banks ({}), found {}", dram.banks, l2.slices_per_channel));
  }
  low_column_bits_ = block_bits_ - offset_bits_;
  high_column_bits_ = row_bits - block_bits_;
  // The slice is the low end of the bank number; one bank bit is there even for a single slice.
  low_bank_bits_ = std::min(std::max(slice_bits_, 1U), bank_bits);
  high_bank_bits_ = bank_bits - low_bank_bits_;
}

MemoryLocation AddressMap::locate(std::uint64_t address) const {
  Split split = split_channel(address);
  MemoryLocation location;
  location.channel = split.channel;
  location.offset = static_cast<unsigned>(take(split.local, offset_bits_));
  location.column = static_cast<unsigned>(take(split.local, low_column_bits_));
  location.bank = static_cast<unsigned>(take(split.local, low_bank_bits_));
  location.column |= static_cast<unsigned>(take(split.local, high_column_bits_)) << low_column_bits_;
  location.slice = (split.channel << slice_bits_) + (location.bank & (slices_per_channel() - 1));
  location.bank |= static_cast<unsigned>(take(split.local, high_bank_bits_)) << low_bank_bits_;
  location.row = split.local;
  return location;
}

std::uint64_t AddressMap::address_of(const MemoryLocation& location) const {
  std::uint64_t local = location.row;
  local = local << high_bank_bits_ | location.bank >> low_bank_bits_;
  local = local << high_column_bits_ | location.column >> low_column_bits_;
  local = local << low_bank_bits_ | (location.bank & ((1U << low_bank_bits_) - 1));
  local = local << low_column_bits_ | (location.column & ((1U << low_column_bits_) - 1));
  local = local << offset_bits_ | location.offset;
  const std::uint64_t block = (local >> block_bits_) * channels_ + location.channel;
  return block << block_bits_ | (local & (interleave_bytes() - 1));
}

}  // namespace heddle
