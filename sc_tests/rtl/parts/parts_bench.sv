// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Every part at the sizes that the tests drive, side by side. The tests reach the ports of each instance by its
/// name (parts_bench.vlt), so that none is wired here. Parts that others are made of have a bench of their own, so
/// that those inside are not kept for the tests.
module parts_bench (
  input logic clk_i,
  input logic rst_ni
);

  heddle_register #(.Width(1), .InWidth(3)) i_register_narrow (.clk_i, .rst_ni);
  heddle_register #(.Width(16), .InWidth(20), .Saturate(1'b1), .ResetValue(16'd7)) i_register_typical (.clk_i, .rst_ni);
  heddle_register #(.Width(64)) i_register_wide (.clk_i, .rst_ni);

  heddle_bit_vector #(.Width(1)) i_bit_vector_narrow (.clk_i, .rst_ni);
  heddle_bit_vector #(.Width(48)) i_bit_vector_typical (.clk_i, .rst_ni);
  heddle_bit_vector #(.Width(64)) i_bit_vector_wide (.clk_i, .rst_ni);

  heddle_pipeline #(.Width(1), .Stages(1)) i_pipeline_narrow (.clk_i, .rst_ni);
  heddle_pipeline #(.Width(13), .Stages(3)) i_pipeline_typical (.clk_i, .rst_ni);
  heddle_pipeline #(.Width(64), .Stages(9)) i_pipeline_wide (.clk_i, .rst_ni);

  heddle_counter_array #(.Entries(1), .Width(1)) i_counter_array_narrow (.clk_i, .rst_ni);
  heddle_counter_array #(
    .Entries(24), .Width(13), .AmountWidth(6), .ReadPorts(2), .WritePorts(1), .Adders(2), .Clear(1'b1)
  ) i_counter_array_typical (.clk_i, .rst_ni);
  heddle_counter_array #(
    .Entries(8), .Width(5), .AmountWidth(5), .Adders(3), .Saturate(1'b1), .SameEntry(1)
  ) i_counter_array_merged (.clk_i, .rst_ni);
  heddle_counter_array #(
    .Entries(5), .Width(32), .AmountWidth(6), .Adders(2), .Clear(1'b1), .SameEntry(2)
  ) i_counter_array_banked (.clk_i, .rst_ni);
  heddle_counter_array #(
    .Entries(3), .Width(8), .Adders(2), .Saturate(1'b1), .SameEntry(3)
  ) i_counter_array_lost (.clk_i, .rst_ni);
  heddle_counter_array #(
    .Entries(48), .Width(64), .AmountWidth(1), .ReadPorts(0), .WritePorts(0), .Adders(0), .Clear(1'b1),
    .CountsInPlace(1'b1)
  ) i_counter_array_in_place (.clk_i, .rst_ni);

  heddle_decaying_counters #(.Entries(1), .Width(1)) i_decaying_counters_narrow (.clk_i, .rst_ni);
  heddle_decaying_counters #(.Entries(24), .Width(9), .Floor(9'd100)) i_decaying_counters_typical (.clk_i, .rst_ni);
  heddle_decaying_counters #(.Entries(48), .Width(40)) i_decaying_counters_wide (.clk_i, .rst_ni);

  heddle_fifo_queue #(.Entries(1), .Width(1)) i_fifo_queue_narrow (.clk_i, .rst_ni);
  heddle_fifo_queue #(.Entries(6), .Width(17)) i_fifo_queue_typical (.clk_i, .rst_ni);
  heddle_fifo_queue #(.Entries(32), .Width(64)) i_fifo_queue_wide (.clk_i, .rst_ni);

  heddle_table #(
    .Sets(24), .Ways(1), .TagWidth(0), .FieldsWidth(13), .LookupPorts(0), .ReadPorts(2)
  ) i_table_array (.clk_i, .rst_ni);
  heddle_table #(.Sets(16), .Ways(1), .TagWidth(5), .FieldsWidth(13)) i_table_direct (.clk_i, .rst_ni);
  heddle_table #(
    .Sets(4), .Ways(3), .TagWidth(4), .FieldsWidth(13), .LookupPorts(2)
  ) i_table_set_associative (.clk_i, .rst_ni);
  heddle_table #(
    .Sets(2), .Ways(8), .TagWidth(6), .FieldsWidth(0), .Fifo(1'b1), .ReadPorts(0)
  ) i_table_fifo (.clk_i, .rst_ni);
  heddle_table #(
    .Sets(1), .Ways(8), .TagWidth(64), .FieldsWidth(13), .LookupPorts(3), .ReadPorts(2), .WritePorts(2)
  ) i_table_cam (.clk_i, .rst_ni);

  multiplexer_bench #(.Inputs(1), .Width(1)) i_multiplexer_narrow ();
  multiplexer_bench #(.Inputs(24), .Width(13)) i_multiplexer_typical ();
  multiplexer_bench #(.Inputs(64), .Width(64)) i_multiplexer_wide ();

  adder_bench #(.Width(1)) i_adder_narrow ();
  adder_bench #(.Width(13), .AmountWidth(6)) i_adder_typical ();
  adder_bench #(.Width(16), .AmountWidth(16), .Saturate(1'b1)) i_adder_saturating ();
  adder_bench #(.Width(64), .AmountWidth(64), .Saturate(1'b1)) i_adder_wide ();

  comparator_bench #(.Width(1)) i_comparator_narrow ();
  comparator_bench #(.Width(21)) i_comparator_typical ();
  comparator_bench #(.Width(64)) i_comparator_wide ();
  comparator_bench #(.Width(9), .Equality(1'b1)) i_comparator_equality ();

  heddle_minimum_tree #(.Inputs(1), .Width(1)) i_minimum_tree_narrow ();
  heddle_minimum_tree #(.Inputs(20), .Width(24)) i_minimum_tree_typical ();
  heddle_minimum_tree #(.Inputs(64), .Width(64)) i_minimum_tree_wide ();

  heddle_ratio_unit #(
    .FactorWidth(1), .MultiplierWidth(1), .DivisorWidth(1), .ResultWidth(3)
  ) i_ratio_unit_narrow (.clk_i, .rst_ni);
  heddle_ratio_unit #(
    .FactorWidth(12), .MultiplierWidth(7), .DivisorWidth(9), .ResultWidth(8), .CyclesPerStep(3)
  ) i_ratio_unit_typical (.clk_i, .rst_ni);
  heddle_ratio_unit #(
    .FactorWidth(32), .MultiplierWidth(32), .DivisorWidth(32), .ResultWidth(64)
  ) i_ratio_unit_wide (.clk_i, .rst_ni);

  population_count_bench #(.Inputs(1)) i_population_count_narrow ();
  population_count_bench #(.Inputs(24)) i_population_count_typical ();
  population_count_bench #(.Inputs(64)) i_population_count_wide ();

  heddle_request_groups #(.Groups(1), .Inputs(1)) i_request_groups_narrow ();
  heddle_request_groups #(.Groups(8), .Inputs(24)) i_request_groups_typical ();
  heddle_request_groups #(.Groups(64), .Inputs(64)) i_request_groups_wide ();

  fixed_selector_bench #(.Inputs(1)) i_fixed_selector_narrow ();
  fixed_selector_bench #(.Inputs(24)) i_fixed_selector_typical ();
  fixed_selector_bench #(.Inputs(64)) i_fixed_selector_wide ();

  heddle_rotating_selector #(.Inputs(1)) i_rotating_selector_narrow ();
  heddle_rotating_selector #(.Inputs(24)) i_rotating_selector_typical ();
  heddle_rotating_selector #(.Inputs(64)) i_rotating_selector_wide ();

  heddle_ordered_selector #(.Inputs(1)) i_ordered_selector_narrow ();
  heddle_ordered_selector #(.Inputs(24)) i_ordered_selector_typical ();
  heddle_ordered_selector #(.Inputs(64)) i_ordered_selector_wide ();

  heddle_age_list #(.Entries(1)) i_age_list_narrow (.clk_i, .rst_ni);
  heddle_age_list #(.Entries(12), .SelectPorts(2)) i_age_list_typical (.clk_i, .rst_ni);
  heddle_age_list #(.Entries(16)) i_age_list_wide (.clk_i, .rst_ni);

  heddle_in_place_sorter #(.Entries(1), .KeyWidth(1)) i_in_place_sorter_narrow (.clk_i, .rst_ni);
  heddle_in_place_sorter #(
    .Entries(12), .KeyWidth(5), .Comparators(3), .Removals(2)
  ) i_in_place_sorter_typical (.clk_i, .rst_ni);
  heddle_in_place_sorter #(
    .Entries(9), .KeyWidth(7), .CyclesPerCompare(3), .Buffered(1'b0)
  ) i_in_place_sorter_slow (.clk_i, .rst_ni);
  heddle_in_place_sorter #(
    .Entries(10), .KeyWidth(6), .Comparators(2), .CyclesPerCompare(2), .Latched(1'b1)
  ) i_in_place_sorter_latched (.clk_i, .rst_ni);
  heddle_in_place_sorter #(
    .Entries(16), .KeyWidth(64), .Comparators(8), .Dynamic(1'b0)
  ) i_in_place_sorter_wide (.clk_i, .rst_ni);

  heddle_group_sorter #(
    .Entries(1), .Groups(1), .KeyWidth(1)
  ) i_group_sorter_narrow (.clk_i, .rst_ni);
  heddle_group_sorter #(
    .Entries(8), .Groups(1), .KeyWidth(72), .KeysDiffer(1'b1), .ClassWidth(3), .CyclesPerCompare(2), .Removals(2)
  ) i_group_sorter_classes (.clk_i, .rst_ni);
  heddle_group_sorter #(
    .Entries(12), .Groups(3), .KeyWidth(4), .Comparators(2)
  ) i_group_sorter_typical (.clk_i, .rst_ni);
  heddle_group_sorter #(
    .Entries(9), .Groups(2), .KeyWidth(7), .CyclesPerCompare(5), .ReadCycles(2), .Removals(3)
  ) i_group_sorter_slow (.clk_i, .rst_ni);
  heddle_group_sorter #(
    .Entries(48), .Groups(8), .KeyWidth(32), .CyclesPerCompare(3), .Removals(0)
  ) i_group_sorter_wide (.clk_i, .rst_ni);

  age_bench #(.Entries(1)) i_age_narrow (.clk_i, .rst_ni);
  age_bench #(.Entries(9)) i_age_typical (.clk_i, .rst_ni);
  age_bench #(.Entries(17)) i_age_wide (.clk_i, .rst_ni);

endmodule

/// A matrix and all that reads it.
module age_bench #(
  parameter int unsigned Entries = 24
) (
  input logic clk_i,
  input logic rst_ni
);

  logic [Entries-1:0] append_i, remove_i, request_i, passable_i, select_o, passed_o, present_o, first_o;
  logic [7:0] index_i, count_i, rank_o;
  logic [Entries*Entries-1:0] first;
  localparam int unsigned IdxWidth = (Entries > 1) ? $clog2(Entries) : 1;
  localparam int unsigned CountWidth = $clog2(Entries + 1);

  heddle_age_order #(.Entries(Entries)) i_order (.*);
  heddle_age_matrix #(.Entries(Entries)) i_matrix (.clk_i, .rst_ni, .append_i, .remove_i, .first_o(first));
  heddle_age_rank #(.Entries(Entries)) i_rank (
    .first_i(first), .present_i(present_o), .index_i(index_i[IdxWidth-1:0]), .rank_o(rank_o[CountWidth-1:0])
  );
  heddle_age_first_n #(.Entries(Entries)) i_first_n (
    .first_i(first), .request_i(request_i & present_o), .count_i(count_i[CountWidth-1:0]), .select_o(first_o)
  );

endmodule

module multiplexer_bench #(
  parameter int unsigned Inputs = 1,
  parameter int unsigned Width = 1
);
  localparam int unsigned IdxWidth = (Inputs > 1) ? $clog2(Inputs) : 1;
  logic [Inputs*Width-1:0] data_i;
  logic [IdxWidth-1:0] index_i;
  logic [Width-1:0] data_o;
  heddle_multiplexer #(.Inputs(Inputs), .Width(Width)) i_part (.*);
endmodule

module adder_bench #(
  parameter int unsigned Width = 1,
  parameter int unsigned AmountWidth = Width,
  parameter bit Saturate = 1'b0
);
  logic [Width-1:0] a_i, sum_o;
  logic [AmountWidth-1:0] amount_i;
  logic subtract_i, overflow_o;
  heddle_adder #(.Width(Width), .AmountWidth(AmountWidth), .Saturate(Saturate)) i_part (.*);
endmodule

module comparator_bench #(
  parameter int unsigned Width = 1,
  parameter bit Equality = 1'b0
);
  logic [Width-1:0] a_i, b_i;
  logic less_o, equal_o;
  heddle_comparator #(.Width(Width), .Equality(Equality)) i_part (.*);
endmodule

module population_count_bench #(
  parameter int unsigned Inputs = 1
);
  logic [Inputs-1:0] bits_i;
  logic [$clog2(Inputs+1)-1:0] count_o;
  heddle_population_count #(.Inputs(Inputs)) i_part (.*);
endmodule

module fixed_selector_bench #(
  parameter int unsigned Inputs = 1
);
  logic [Inputs-1:0] request_i, passable_i, select_o, passed_o;
  heddle_fixed_selector #(.Inputs(Inputs)) i_part (.*);
endmodule
