#include "modules/ldst_unit/coalescer.h"

#include <algorithm>
#include <string>

#include "modules/config/setting_error.h"
#include "modules/messages/memory_request.h"

namespace heddle {

namespace {

constexpr unsigned kWordBytes = 4;

/// Bits [first, last] of a line cut into pieces of `piece` bytes, for bytes [address, address + bytes) that
/// lie in one line.
std::uint32_t pieces(std::uint64_t address, unsigned bytes, unsigned piece) {
  const auto offset = static_cast<unsigned>(address % kLineBytes);
  const unsigned first = offset / piece;
  const unsigned last = (offset + bytes - 1) / piece;
  return static_cast<std::uint32_t>((std::uint64_t{2} << last) - (std::uint64_t{1} << first));
}

/// Every lane's bytes are aligned, and all lie in one segment: consecutive and broadcast accesses alike.
/// `bytes` and `segment` are powers of two.
bool within_one(const LaneAddresses& addresses, LaneMask lanes, unsigned bytes, unsigned segment) {
  const std::uint64_t first = addresses.lane[static_cast<unsigned>(__builtin_ctz(lanes))];
  std::uint64_t apart = 0;
  std::uint64_t low = 0;
  if (lanes == kAllLanes) {  // without a branch per lane: several at a time
    for (unsigned i = 0; i < kWarpSize; ++i) {
      apart |= addresses.lane[i] ^ first;
      low |= addresses.lane[i];
    }
  } else {
    for (LaneMask left = lanes; left != 0; left &= left - 1) {
      const std::uint64_t address = addresses.lane[static_cast<unsigned>(__builtin_ctz(left))];
      apart |= address ^ first;
      low |= address;
    }
  }
  return apart < segment && (low & (bytes - 1)) == 0;
}

/// The sectors of a line in which aligned lanes begin, and thus lie.
std::uint8_t touched_sectors(const LaneAddresses& addresses, LaneMask lanes) {
  unsigned sectors = 0;
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const std::uint64_t address = addresses.lane[static_cast<unsigned>(__builtin_ctz(left))];
    sectors |= 1U << (address % kLineBytes / kSectorBytes);
  }
  return static_cast<std::uint8_t>(sectors);
}

/// The smallest aligned block of 32, 64 or 128 bytes that holds the touched sectors.
void shrink(Access& access) {
  const std::uint64_t line = access.address & ~std::uint64_t{kLineBytes - 1};
  const auto first = static_cast<unsigned>(__builtin_ctz(access.sectors));
  const unsigned last = 31U - static_cast<unsigned>(__builtin_clz(access.sectors));
  unsigned sectors = 1;
  while (first / sectors != last / sectors) sectors *= 2;
  access.bytes = static_cast<std::uint16_t>(sectors * kSectorBytes);
  access.address = line + std::uint64_t{first / sectors} * sectors * kSectorBytes;
}

}  // namespace

Coalescer::Coalescer(unsigned line_bytes) : line_bytes_(line_bytes) {
  if (line_bytes != 32 && line_bytes != 64 && line_bytes != kLineBytes) {
    throw SettingError("l1d.cache.line_bytes", "expected 32, 64 or 128, found " + std::to_string(line_bytes));
  }
}

unsigned Coalescer::segment_bytes(unsigned element_bytes) const {
  return std::min(element_bytes >= 4 ? kLineBytes : element_bytes * 32, line_bytes_);
}

void Coalescer::touch(unsigned lane, std::uint64_t address, unsigned bytes, unsigned segment, Shape shape,
                      AccessList& out) {
  while (bytes != 0) {  // a misaligned lane may reach into the next segment
    const std::uint64_t start = address & ~std::uint64_t{segment - 1};
    const auto here = static_cast<unsigned>(std::min<std::uint64_t>(bytes, start + segment - address));
    const std::uint32_t words = shape == Shape::kAtomic ? pieces(address, here, kWordBytes) : 0;
    // Neighbouring lanes mostly share a segment: the last access first. For atomics any access without the
    // words will do, since the accesses of a segment are filled in turn.
    unsigned i = out.size();
    while (i != 0 && (out[i - 1].address != start || (out[i - 1].words & words) != 0)) --i;
    Access& access = i != 0 ? out[i - 1] : out.add();
    access.address = start;
    access.sectors = static_cast<std::uint8_t>(access.sectors | pieces(address, here, kSectorBytes));
    access.lanes |= 1U << lane;
    access.words |= words;
    address += here;
    bytes -= here;
  }
}

void Coalescer::finish(Shape shape, AccessList& out) const {
  for (unsigned i = 0; i < out.size(); ++i) {
    Access& access = out[i];
    if (shape != Shape::kLines) {
      shrink(access);
      continue;
    }
    access.address &= ~std::uint64_t{line_bytes_ - 1};
    access.bytes = static_cast<std::uint16_t>(line_bytes_);
    access.sectors = static_cast<std::uint8_t>(pieces(access.address, line_bytes_, kSectorBytes));
  }
}

void Coalescer::coalesce(const LaneAddresses& addresses, LaneMask lanes, const Instruction& instruction,
                         Shape shape, AccessList& out) const {
  out.clear();
  if (lanes == 0) return;
  const unsigned bytes = instruction.bytes_per_lane;
  const unsigned segment = segment_bytes(instruction.element_bytes);
  if (shape != Shape::kAtomic && within_one(addresses, lanes, bytes, segment)) {
    Access& access = out.add();
    access.address = addresses.lane[static_cast<unsigned>(__builtin_ctz(lanes))];
    access.lanes = lanes;
    if (shape == Shape::kTouched) access.sectors = touched_sectors(addresses, lanes);
    finish(shape, out);
    return;
  }
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    touch(lane, addresses.lane[lane], bytes, segment, shape, out);
  }
  out.descend();
  finish(shape, out);
}

void Coalescer::coalesce_local(const LaneAddresses& offsets, LaneMask lanes, const Instruction& instruction,
                               Shape shape, const LocalWindow& window, AccessList& out) const {
  out.clear();
  const unsigned segment = segment_bytes(kWordBytes);
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    std::uint64_t offset = offsets.lane[lane];
    unsigned bytes = instruction.bytes_per_lane;
    while (bytes != 0) {
      const unsigned here = std::min(bytes, kWordBytes - static_cast<unsigned>(offset % kWordBytes));
      touch(lane, window.address(lane, offset), here, segment, shape, out);
      offset += here;
      bytes -= here;
    }
  }
  out.descend();
  finish(shape, out);
}

}  // namespace heddle
