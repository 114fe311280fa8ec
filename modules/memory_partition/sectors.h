#pragma once

#include <algorithm>
#include <tlm>

#include "modules/cache/tag_array.h"
#include "modules/messages/memory_request.h"

namespace heddle {

inline unsigned sector_count(SectorMask mask) { return static_cast<unsigned>(__builtin_popcount(mask)); }

/// Sectors of the 128-byte line at `address` that [address, address + bytes) touches; one when it is empty.
/// What lies beyond the line is left out.
inline SectorMask touched_sectors(std::uint64_t address, unsigned bytes) {
  const auto begin = static_cast<unsigned>(address % kLineBytes);
  const unsigned to_last = std::min(std::max(bytes, 1U), kLineBytes - begin) - 1;
  const unsigned first = begin / kSectorBytes;
  const unsigned last = (begin + to_last) / kSectorBytes;
  return static_cast<SectorMask>((2U << last) - (1U << first));
}

/// Sectors of its line of which [address, address + bytes) covers every byte.
inline SectorMask covered_sectors(std::uint64_t address, unsigned bytes) {
  const auto begin = static_cast<unsigned>(address % kLineBytes);
  const unsigned first = (begin + kSectorBytes - 1) / kSectorBytes;
  const unsigned end = (begin + bytes) / kSectorBytes;
  if (end <= first) return 0;
  const unsigned mask = ((1U << end) - 1) & ~((1U << first) - 1);
  return static_cast<SectorMask>(mask & ((1U << kSectorsPerLine) - 1));
}

/// Sectors that a payload asks for: what its MemoryRequest says, otherwise those of its address range.
inline SectorMask sectors_of(tlm::tlm_generic_payload& payload) {
  const MemoryRequest* request = request_of(payload);
  if (request != nullptr && request->sector_mask != 0) return request->sector_mask;
  return touched_sectors(payload.get_address(), payload.get_data_length());
}

/// A run of neighbouring sectors, the lowest of `mask` (not empty), as a mask.
inline SectorMask lowest_run(SectorMask mask) {
  const unsigned low = mask & (~static_cast<unsigned>(mask) + 1);
  return static_cast<SectorMask>(mask & ~(mask + low));
}

}  // namespace heddle
