#pragma once

#include "hw/pricing/bits.h"
#include "hw/pricing/depth.h"

/// Area in NAND2-equivalents and depth in FO4 of the structures that parts are made of. Fitted to the
/// synthesised blocks of hardware-cost.md (0.18 um standard cells), and depths of sized netlists to those of
/// rtl/synthesis; docs/hardware-parts.md, "Where the coefficients come from", derives each number and shows
/// how far the fit is off.
namespace heddle::hw::gates {

// Area, NAND2-equivalents. All widths in bits.
double flip_flops(double bits);
/// Recirculating enable multiplexers and address decoders of `ports` write ports into `entries` x `width`.
double write_ports(unsigned entries, unsigned width, unsigned ports);
/// One `inputs`-to-1 multiplexer of `width` bits with its select drivers.
double mux(unsigned inputs, unsigned width);
/// Picks one of `inputs` by one-hot select lines (AND-OR).
double one_hot_mux(unsigned inputs, unsigned width);
/// Address to one-hot lines.
double decoder(unsigned outputs);
/// Magnitude comparison.
double comparator(unsigned width);
/// Equality only.
double equality(unsigned width);
/// Adds `amount_width` (at most `width`) bits to `width` bits; the upper bits only pass the carry on.
double adder(unsigned width, unsigned amount_width, Overflow overflow);
/// First set bit of `inputs`, 1 or more, one-hot.
double find_first(unsigned inputs);
/// The oldest request of `inputs`, found by a bit per pair and encoded.
double age_select(unsigned inputs);
/// Number of set bits of `inputs`.
double popcount(unsigned inputs);
/// One two-input gate per bit: set, clear or mask lines.
double gate_row(double bits);

// Depth, FO4.
constexpr double kFlipFlopFo4 = 4;           ///< clock to output plus set-up
constexpr Depth kGateFo4 = either_depth(1);  ///< a gate of two inputs: a mask
Depth mux_fo4(unsigned inputs, unsigned width);
Depth one_hot_mux_fo4(unsigned inputs);
/// Whether one of `inputs` is there whose line says that it counts.
Depth any_masked_fo4(unsigned inputs);
Depth comparator_fo4(unsigned width);
Depth equality_fo4(unsigned width);
/// Whether one of `inputs`, 2 or more, is there, or all are.
Depth any_fo4(unsigned inputs);
Depth adder_fo4(unsigned width, unsigned amount_width);
/// What an adder of `width` bits takes more when its sum saturates: the carry drives all bits.
Depth saturate_fo4(unsigned width);
/// First set bit of `inputs`, encoded.
Depth find_first_fo4(unsigned inputs);
Depth age_select_fo4(unsigned inputs);
Depth popcount_fo4(unsigned inputs);
/// Enable multiplexer in front of a flip-flop whose address was known early.
Depth enable_fo4();
/// A line that drives `gates` gates, through a tree of buffers that drive four each.
Depth fan_out_fo4(unsigned gates);
/// Write address or condition that comes late: decoded, qualified and driven to `entries` entries.
Depth late_write_fo4(unsigned entries);

}  // namespace heddle::hw::gates
