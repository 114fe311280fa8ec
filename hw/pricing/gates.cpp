#include "hw/pricing/gates.h"

#include <algorithm>
#include <cmath>

namespace heddle::hw::gates {
namespace {

// Cell areas of the 0.18 um library relative to NAND2X1 (its LEF): DFFPOSX1, MUX2X1, OR2X2, XNOR2X1.
constexpr double kFlipFlop = 4.0;
constexpr double kMux2Cell = 2.0;
constexpr double kGate = 1.33;
constexpr double kXnor = 2.33;

// NAND2-equivalents, fitted: docs/hardware-parts.md, "Where the coefficients come from".
constexpr double kMux2 = 1980.0 / (23 * 32);  // per bit of a 2-to-1 stage
constexpr double kComparator = 1.1;           // per bit and level
constexpr double kAdderBit = 7.2;             // both operands
constexpr double kIncrementBit = 3.3;         // carry only
constexpr double kFindFirst = 3.6;            // per input behind the first
constexpr double kAgePair = 1.8;              // per ordered pair of inputs
constexpr double kOneHotBit = 1.6;            // per input and bit
constexpr double kPopcountInput = 7.0;
constexpr double kDecoderOutput = 3.0;

// FO4, fitted likewise.
constexpr double kMuxLevelFo4 = 1.6;
constexpr double kUnsizedMuxInputFo4 = 0.29;  // select lines fan out to inputs ...
constexpr double kUnsizedMuxBitFo4 = 0.24;    // ... and bits
constexpr double kXnorFo4 = 2;
constexpr double kComparatorLevelFo4 = 1.6;
constexpr Depth kAdderBaseFo4 = either_depth(1.0);
constexpr Depth kAdderBitFo4{1.45, 1.06};
constexpr Depth kIncrementBitFo4 = either_depth(0.8);
constexpr double kFindFirstLevelFo4 = 2.72;
constexpr double kAgeLevelFo4 = 2.0;
constexpr double kPopcountLevelFo4 = 6.0;
constexpr double kLateWriteFo4 = 9.6;
constexpr double kUnsizedLateWriteEntryFo4 = 0.45;
constexpr double kLateWriteLevelFo4 = 1.85;

double levels(unsigned inputs) { return std::log2(std::max(2.0, static_cast<double>(inputs))); }

}  // namespace

double flip_flops(double bits) { return kFlipFlop * bits; }

double write_ports(unsigned entries, unsigned width, unsigned ports) {
  const double enables = kMux2Cell * entries * width;
  return ports * (enables + (entries > 1 ? decoder(entries) : 0));
}

double mux(unsigned inputs, unsigned width) { return inputs < 2 ? 0 : kMux2 * (inputs - 1) * width; }

double one_hot_mux(unsigned inputs, unsigned width) { return inputs < 2 ? 0 : kOneHotBit * inputs * width; }

double decoder(unsigned outputs) { return outputs < 2 ? 0 : kDecoderOutput * outputs; }

double comparator(unsigned width) { return kComparator * width * levels(width); }

double equality(unsigned width) { return kXnor * width + kGate / 2 * width; }

double adder(unsigned width, unsigned amount_width, Overflow overflow) {
  const double wrapping = kAdderBit * amount_width + kIncrementBit * (width - amount_width);
  return overflow == Overflow::kSaturate ? wrapping + gate_row(width) : wrapping;
}

double find_first(unsigned inputs) { return kFindFirst * (inputs - 1); }

double age_select(unsigned inputs) { return kAgePair * inputs * (inputs - 1) + decoder(inputs); }

double popcount(unsigned inputs) { return kPopcountInput * inputs; }

double gate_row(double bits) { return kGate * bits; }

Depth mux_fo4(unsigned inputs, unsigned width) {
  if (inputs < 2) return {};
  const double tree = kMuxLevelFo4 * levels(inputs);
  return {tree + kUnsizedMuxInputFo4 * inputs + kUnsizedMuxBitFo4 * width, tree + fan_out_fo4(width).sized};
}

Depth one_hot_mux_fo4(unsigned inputs) {
  return inputs < 2 ? Depth() : either_depth(kMuxLevelFo4 * levels(inputs) + 1.5);
}

Depth any_masked_fo4(unsigned inputs) {
  return {one_hot_mux_fo4(inputs).unsized, inputs < 2 ? 0 : (kGateFo4 + any_fo4(inputs)).sized};
}

Depth comparator_fo4(unsigned width) { return either_depth(kComparatorLevelFo4 * levels(width)); }

Depth equality_fo4(unsigned width) { return either_depth(kXnorFo4) + any_fo4(width); }

Depth any_fo4(unsigned inputs) { return either_depth(kMuxLevelFo4 / 2 * levels(inputs)); }

Depth adder_fo4(unsigned width, unsigned amount_width) {
  return kAdderBaseFo4 + amount_width * kAdderBitFo4 + (width - amount_width) * kIncrementBitFo4;
}

Depth saturate_fo4(unsigned width) { return sized_only(kGateFo4 + fan_out_fo4(width)); }

Depth find_first_fo4(unsigned inputs) { return either_depth(kFindFirstLevelFo4 * levels(inputs)); }

Depth age_select_fo4(unsigned inputs) { return either_depth(kAgeLevelFo4 * levels(inputs)); }

Depth popcount_fo4(unsigned inputs) { return either_depth(kPopcountLevelFo4 * levels(inputs)); }

Depth enable_fo4() { return either_depth(2); }

Depth fan_out_fo4(unsigned gates) { return either_depth(std::log2(std::max(1U, gates)) / 2); }

Depth late_write_fo4(unsigned entries) {
  return {kLateWriteFo4 + kUnsizedLateWriteEntryFo4 * entries,
          kLateWriteFo4 + kLateWriteLevelFo4 * levels(entries)};
}

}  // namespace heddle::hw::gates
