#include "modules/tb_dispatcher/policies/srtf/slicing_parts.h"

#include <algorithm>

#include "hw/pricing/gates.h"

namespace heddle {

namespace {

/// Counts 0 to `most`.
unsigned slicing_count_bits(unsigned most) { return hw::index_bits(most + 1); }

/// Written by address; read by address, or by lines from without.
hw::CounterArrayShape slicing_registers(unsigned entries, unsigned bits, unsigned read_ports = 0,
                                        unsigned write_ports = 1) {
  hw::CounterArrayShape shape;
  shape.entries = entries;
  shape.bits = bits;
  shape.overflow = hw::Overflow::kSaturate;
  shape.read_ports = read_ports;
  shape.write_ports = std::min(write_ports, entries);
  shape.adders = 0;
  return shape;
}

/// The clock's low bits: what is subtracted from them is right as long as no TB lasts longer.
hw::CounterArrayShape slicing_clock_registers(unsigned entries) {
  hw::CounterArrayShape shape = slicing_registers(entries, SlicingParts::kCycleBits);
  shape.overflow = hw::Overflow::kWrap;
  return shape;
}

/// Every kernel counts at once.
hw::CounterArrayShape slicing_counters(unsigned entries, unsigned bits, unsigned amount_bits) {
  hw::CounterArrayShape shape = slicing_registers(entries, bits, 0, 0);
  shape.counts_in_place = true;
  shape.amount_bits = amount_bits;
  shape.clear = true;
  return shape;
}

/// The fewer bits multiply, the fewer steps it takes: t x blocks left.
hw::RatioUnitShape slicing_ratio_of(unsigned residency_bits) {
  hw::RatioUnitShape shape;
  shape.factor_bits = SlicingParts::kCycleBits;
  shape.multiplier_bits = SlicingParts::kBlockBits;
  shape.divisor_bits = residency_bits;
  shape.result_bits = SlicingParts::kCycleBits;
  return shape;
}

hw::RegisterShape slicing_of_bits(unsigned bits) {
  hw::RegisterShape shape;
  shape.bits = bits;
  return shape;
}

/// One, in a cycle.
hw::AdderShape slicing_adder_of(unsigned bits, hw::Overflow overflow) {
  hw::AdderShape shape;
  shape.bits = bits;
  shape.overflow = overflow;
  shape.cycles = 1;
  return shape;
}

hw::RequestGroupsShape slicing_groups_of(unsigned groups, unsigned inputs) {
  hw::RequestGroupsShape shape;
  shape.groups = groups;
  shape.inputs = inputs;
  return shape;
}

/// Read by a line per input.
hw::MultiplexerShape slicing_lines(unsigned inputs, unsigned bits) {
  hw::MultiplexerShape shape;
  shape.inputs = inputs;
  shape.bits = bits;
  shape.one_hot = true;
  return shape;
}

hw::MinimumTreeShape slicing_tree_of(unsigned kernels) {
  hw::MinimumTreeShape shape;
  shape.inputs = kernels;
  shape.bits = SlicingParts::kCycleBits;
  return shape;
}

}  // namespace

SlicingParts::SlicingParts(const hw::Owner& owner, unsigned kernels, unsigned tb_slots)
    : active_cycles(owner, "active_kernel_cycles", slicing_counters(kernels, kCycleBits, 1),
                    hw::PaperCount::kBits),
      done_blocks(owner, "done_blocks", slicing_counters(kernels, kBlockBits, slicing_count_bits(tb_slots)),
                  hw::PaperCount::kBits),
      total_blocks(owner, "total_blocks", slicing_registers(kernels, kBlockBits), hw::PaperCount::kBits),
      resident_blocks(owner, "resident_blocks", slicing_registers(kernels, slicing_count_bits(tb_slots)),
                      hw::PaperCount::kBits),
      block_start(owner, "block_start", slicing_clock_registers(tb_slots), hw::PaperCount::kBits),
      t(owner, "t", slicing_registers(kernels, kCycleBits, 0, 2), hw::PaperCount::kBits),
      predicted(owner, "pred_cycles", slicing_registers(kernels, kCycleBits, 1), hw::PaperCount::kBits),
      reslice(owner, "reslice", kernels, hw::PaperCount::kBits),
      sampled(owner, "sampled", kernels),
      wants(owner, "wants_prediction", kernels),
      known(owner, "known", kernels),
      remaining(owner, "remaining_cycles", slicing_registers(kernels, kCycleBits)),
      tell(owner, "tell", 1),
      sample(owner, "sample", slicing_of_bits(hw::index_bits(kernels) + kCycleBits)),
      to_measure(owner, "to_measure", slicing_groups_of(tb_slots, kernels)),
      measured(owner, "measured", tb_slots, hw::SelectorForm::kFixed),
      measured_kernel(owner, "measured_kernel", slicing_groups_of(kernels, tb_slots)),
      start_of_it(owner, "start_of_measured", slicing_lines(tb_slots, kCycleBits)),
      measure(owner, "measure", {kernels + kCycleBits, 1}),
      duration(owner, "duration", slicing_adder_of(kCycleBits, hw::Overflow::kWrap)),
      ended(owner, "ended_blocks", tb_slots, kernels),
      next(owner, "next_prediction", kernels, hw::SelectorForm::kFixed),
      of_next(owner, "of_next_prediction",
              slicing_lines(kernels, 2 * kCycleBits + 2 * kBlockBits + slicing_count_bits(tb_slots))),
      blocks_left(owner, "blocks_left", slicing_adder_of(kBlockBits, hw::Overflow::kSaturate)),
      ratio(owner, "blocks_times_t_over_residency", slicing_ratio_of(slicing_count_bits(tb_slots))),
      unit_kernel(owner, "predicted_kernel", slicing_of_bits(hw::index_bits(kernels))),
      live(owner, "prediction_is_wanted", 1),
      base(owner, "active_before", slicing_of_bits(kCycleBits)),
      adder(owner, "prediction_adder", slicing_adder_of(kCycleBits, hw::Overflow::kSaturate)),
      first(owner, "first_to_end", slicing_tree_of(kernels)) {
  if (owner.timing == hw::Timing::kIdeal) {
    total_blocks_done.emplace(owner, "total_blocks_done", slicing_registers(kernels, kBlockBits),
                              hw::PaperCount::kBits);
  }
  for (const char* part : {"sampled", "wants_prediction", "known", "remaining_cycles", "tell", "sample",
                           "measure", "predicted_kernel", "prediction_is_wanted", "active_before"}) {
    owner.note(part, "not in table 1: what it takes to predict and to choose in hardware");
  }
  hw::TimingPath find;
  find.through("slots to measure", hw::gates::one_hot_mux_fo4(kernels))
      .through("lowest", hw::gates::find_first_fo4(tb_slots))
      .then(start_of_it.structure().path);
  owner.declare_path("start of what is measured", find);
  hw::TimingPath duration_path;
  duration_path.through("duration", hw::gates::adder_fo4(kCycleBits, kCycleBits))
      .through("enable", hw::gates::enable_fo4());
  owner.declare_path("duration of a thread block", duration_path);
  // One begins when the unit has no step to do, which drives all that the unit keeps; the next kernel is
  // found meanwhile. Operands are loaded into the registers of both factors.
  const hw::Depth ready =
      sized_only(hw::gates::kGateFo4 + hw::gates::any_fo4(hw::index_bits(ratio.steps())) +
                 hw::gates::fan_out_fo4(static_cast<unsigned>(ratio.structure().total_bits())));
  const hw::Depth loaded = sized_only(hw::gates::kGateFo4 + hw::gates::fan_out_fo4(kCycleBits + kBlockBits));
  hw::TimingPath begin;
  begin
      .through("next kernel",
               hw::later(ready, hw::gates::find_first_fo4(kernels)) + sized_only(hw::gates::kGateFo4))
      .then(of_next.structure().path)
      .through("blocks left",
               hw::gates::adder_fo4(kBlockBits, kBlockBits) + hw::gates::saturate_fo4(kBlockBits))
      .through("start of the unit", loaded + hw::gates::mux_fo4(2, 1))
      .through("enable", hw::gates::enable_fo4());
  owner.declare_path("begin of a prediction", begin);
  hw::TimingPath done;
  done.through("blocks that end", hw::gates::popcount_fo4(tb_slots))
      .through("adder", hw::gates::adder_fo4(kBlockBits, slicing_count_bits(tb_slots)))
      .through("enable", hw::gates::enable_fo4());
  owner.declare_path("count of blocks", done);
  hw::TimingPath end;
  end.through("prediction", hw::gates::adder_fo4(kCycleBits, kCycleBits))
      .through("enable", hw::gates::enable_fo4());
  owner.declare_path("end of a prediction", end);
}

}  // namespace heddle
