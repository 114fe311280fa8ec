#pragma once

#include <cstdint>

#include "modules/config/gpu_config.h"

namespace heddle {

/// Where a byte of memory lies.
struct MemoryLocation {
  unsigned channel = 0;
  unsigned slice = 0;  ///< global number: channel * slices_per_channel + slice of the channel
  unsigned bank = 0;
  std::uint64_t row = 0;
  unsigned column = 0;  ///< DRAM atom in the row
  unsigned offset = 0;  ///< byte in the atom
};

/// Physical address <-> DRAM location and L2 slice (gtx480.md, "Address map").
///
/// Interleave blocks go to the channels in turn; what is left, the block number divided by the number of
/// channels above the offset in the block, is split from the top into row, high bank bits, high column bits,
/// low bank bits (their lowest log2(slices_per_channel) bits are the slice), low column bits, and the offset
/// in the atom. With the defaults this is R...R.BBBCCCCB.CCSSSSSS. One to one for every channel count.
class AddressMap {
 public:
  /// Throws std::invalid_argument naming the key for sizes that are not powers of two (the number of channels
  /// may be any), interleave blocks smaller than a line or larger than a row, and more slices than banks.
  AddressMap(const AddressMapConfig& map, const L2Config& l2, const DramConfig& dram);

  unsigned channels() const { return channels_; }
  unsigned slices_per_channel() const { return 1U << slice_bits_; }
  unsigned slices() const { return channels_ << slice_bits_; }
  unsigned interleave_bytes() const { return 1U << block_bits_; }

  unsigned channel_of(std::uint64_t address) const { return split_channel(address).channel; }
  unsigned slice_of(std::uint64_t address) const {
    const Split split = split_channel(address);
    const unsigned in_channel =
        static_cast<unsigned>(split.local >> block_bits_) & (slices_per_channel() - 1);
    return (split.channel << slice_bits_) + in_channel;
  }
  MemoryLocation locate(std::uint64_t address) const;
  /// Inverse of locate(); `location.slice` is not looked at.
  std::uint64_t address_of(const MemoryLocation& location) const;
  /// The address within a channel: dense in every channel, from 0.
  std::uint64_t channel_address(std::uint64_t address) const { return split_channel(address).local; }
  /// The address within a slice: channel and slice bits taken out, dense in every slice. L2 sets are indexed
  /// by it.
  std::uint64_t slice_address(std::uint64_t address) const {
    const std::uint64_t local = split_channel(address).local;
    return local >> (block_bits_ + slice_bits_) << block_bits_ | (local & (interleave_bytes() - 1));
  }

 private:
  struct Split {
    unsigned channel;
    std::uint64_t local;  ///< address in the channel
  };
  Split split_channel(std::uint64_t address) const {
    const std::uint64_t block = address >> block_bits_;
    const std::uint64_t quotient = block / channels_;
    const auto channel = static_cast<unsigned>(block - quotient * channels_);
    return {channel, quotient << block_bits_ | (address & (interleave_bytes() - 1))};
  }

  unsigned channels_;
  unsigned block_bits_;
  unsigned slice_bits_;
  unsigned offset_bits_;
  unsigned low_column_bits_;
  unsigned low_bank_bits_;
  unsigned high_column_bits_;
  unsigned high_bank_bits_;
};

}  // namespace heddle
