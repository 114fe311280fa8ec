#include "hw/gates.h"

#include <algorithm>
#include <cmath>

namespace heddle::hw::gates {
namespace {

// Cell areas of the 0.18 um library relative to NAND2X1, from its LEF: DFFPOSX1, MUX2X1, OR2X2, FAX1,
// XNOR2X1.
constexpr double kFlipFlop = 4.0;
constexpr double kMux2Cell = 2.0;
constexpr double kGate = 1.33;
constexpr double kFullAdder = 5.0;
constexpr double kXnor = 2.33;

// Fitted; the sub-block it comes from behind each.
constexpr double kMux2 = 1980.0 / (23 * 32);     // 24-to-1 x 32 read multiplexer, per 2-to-1 stage and bit
constexpr double kSaturatingAdder = 168.0 / 32;  // 32-bit saturating adder, per bit
constexpr double kComparator = 1.1;              // 32 bits: 172, 5 bits: 14, per bit and level
constexpr double kFindFirst = 3.6;               // rest of the 24-way ordered priority select, per input
constexpr double kDecoderOutput = 3.0;           // rest of the PRO-like block, per output

constexpr double kMuxLevelFo4 = 1.6;  // 24-to-1 x 32 (22 FO4), and the rise of the PRO-like block's delay ...
constexpr double kMuxInputFo4 = 0.29;        // ... with the number of warps ...
constexpr double kMuxBitFo4 = 0.24;          // ... and with the width of the counters
constexpr double kComparatorLevelFo4 = 1.6;  // 32-bit comparator: 8 FO4
constexpr double kAdderBitFo4 = 0.875;       // 32-bit saturating adder: 31 FO4, a carry chain
constexpr double kAdderBaseFo4 = 3.0;
constexpr double kFindFirstLevelFo4 = 2.72;  // 24-way ordered select (27 FO4) less its 24-to-1 multiplexer
constexpr double kLateWriteFo4 = 9.6;        // PRO-like block's path less multiplexers and comparator ...
constexpr double kLateWriteEntryFo4 = 0.45;  // ... and its rise with the number of warps

double levels(unsigned inputs) { return std::log2(std::max(2.0, static_cast<double>(inputs))); }

}  // namespace

double flip_flops(double bits) { return kFlipFlop * bits; }

double write_ports(unsigned entries, unsigned width, unsigned ports) {
  const double enables = kMux2Cell * entries * width;
  return ports * (enables + (entries > 1 ? decoder(entries) : 0));
}

double mux(unsigned inputs, unsigned width) { return inputs < 2 ? 0 : kMux2 * (inputs - 1) * width; }

double one_hot_mux(unsigned inputs, unsigned width) { return inputs < 2 ? 0 : 2 * kGate * inputs * width; }

double decoder(unsigned outputs) { return outputs < 2 ? 0 : kDecoderOutput * outputs; }

double comparator(unsigned width) { return kComparator * width * levels(width); }

double equality(unsigned width) { return kXnor * width + kGate / 2 * width; }

double adder(unsigned width, Overflow overflow) {
  // Saturation is one OR (or AND) gate per bit on top of the wrapping adder.
  return width * (overflow == Overflow::kSaturate ? kSaturatingAdder : kSaturatingAdder - kGate);
}

double find_first(unsigned inputs) { return kFindFirst * inputs; }

double popcount(unsigned inputs) { return kFullAdder * inputs; }

double gate_row(double bits) { return kGate * bits; }

double mux_fo4(unsigned inputs, unsigned width) {
  return inputs < 2 ? 0 : kMuxLevelFo4 * levels(inputs) + kMuxInputFo4 * inputs + kMuxBitFo4 * width;
}

double one_hot_mux_fo4(unsigned inputs) { return inputs < 2 ? 0 : kMuxLevelFo4 * levels(inputs) + 1.5; }

double comparator_fo4(unsigned width) { return kComparatorLevelFo4 * levels(width); }

double equality_fo4(unsigned width) { return 2 + kMuxLevelFo4 / 2 * levels(width); }

double adder_fo4(unsigned width) { return kAdderBaseFo4 + kAdderBitFo4 * width; }

double find_first_fo4(unsigned inputs) { return kFindFirstLevelFo4 * levels(inputs); }

double popcount_fo4(unsigned inputs) { return 4 * levels(inputs); }

double enable_fo4() { return 2; }

double late_write_fo4(unsigned entries) { return kLateWriteFo4 + kLateWriteEntryFo4 * entries; }

}  // namespace heddle::hw::gates
