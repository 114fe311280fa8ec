#pragma once

#include <cstdint>
#include <string>

#include "hw/pricing/timing_path.h"

namespace heddle::hw {

enum class StorageKind : std::uint8_t {
  kNone,       ///< logic only
  kFlipFlops,  ///< all outputs visible; reads cost multiplexers, writes cost enables and decoders
  kRam,        ///< a memory macro: only the bits are priced, as a lower bound
  kCam,        ///< flip-flops with a comparator per entry
};

/// Whether, and how, the byte total of the paper that proposes a structure counts it.
enum class PaperCount : std::uint8_t {
  kNot,    ///< left out: order arrays, selectors, pipeline registers often are
  kBits,   ///< entries x declared bits
  kBytes,  ///< each entry rounded up to whole bytes (OAWS 4.4: a DLC entry of 67 bits is 9 bytes)
};

/// Area by purpose, in NAND2-equivalents (+-30%, hardware-cost.md).
struct Area {
  double storage = 0;      ///< flip-flops
  double read_muxes = 0;   ///< read multiplexers
  double writes = 0;       ///< enables, write multiplexers, decoders
  double comparators = 0;  ///< including the match lines of a CAM, the multiplexers of a tree's nodes
  double adders = 0;
  double selection = 0;  ///< priority and age selection

  double total() const { return storage + read_muxes + writes + comparators + adders + selection; }
};

/// What one part is made of: a row of the cost report.
struct Structure {
  std::string kind;  ///< "counter array"
  StorageKind storage = StorageKind::kNone;
  unsigned entries = 0;
  unsigned bits_per_entry = 0;  ///< as declared by the owner
  std::uint64_t hidden_bits =
      0;  ///< valid bits, replacement order, pointers, state machine: beside the entries
  unsigned read_ports = 0;
  unsigned write_ports = 0;
  unsigned comparators = 0;
  unsigned comparator_bits = 0;
  unsigned adders = 0;
  unsigned adder_bits = 0;
  unsigned selector_inputs = 0;
  unsigned cycles_per_operation = 0;  ///< in the timing that the part was built for; 0 in ideal timing
  Area area;                          ///< NAND2-equivalents
  TimingPath path;                    ///< longest register-to-register path of the part alone

  std::uint64_t declared_bits() const { return std::uint64_t{entries} * bits_per_entry; }
  std::uint64_t total_bits() const { return declared_bits() + hidden_bits; }
  std::uint64_t paper_bits(PaperCount count) const {
    if (count == PaperCount::kNot) return 0;
    const unsigned rounded = (bits_per_entry + 7) / 8 * 8;
    return std::uint64_t{entries} * (count == PaperCount::kBytes ? rounded : bits_per_entry);
  }
};

}  // namespace heddle::hw
