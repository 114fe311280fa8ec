// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// The order in which entries came, as a shift register of their numbers, the oldest first (hw::AgeOrder,
/// AgeForm::kList): one is appended and one leaves in a cycle, or all.
///
/// Latency: from request_i to the selected one in the same cycle; what is appended or removed in a cycle counts from
/// the next one on. State: a number and a bit that it is filled per place.
module heddle_age_list #(
  /// Entries, 1 to 64.
  parameter int unsigned Entries = 24,
  /// Selections per cycle, from 1 on.
  parameter int unsigned SelectPorts = 1,
  localparam int unsigned IdxWidth = (Entries > 1) ? $clog2(Entries) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Becomes the youngest at the clock edge; one that is in the order leaves its old place.
  input  logic append_i,
  input  logic [IdxWidth-1:0] append_index_i,
  /// Leaves the order at the clock edge, if it is in it; none does when one that is in it is appended, unless it is
  /// the same.
  input  logic remove_i,
  input  logic [IdxWidth-1:0] remove_index_i,
  /// Empties the order at the clock edge, whoever is appended.
  input  logic clear_i,
  /// Select port p: who may be selected, from bit p * Entries on.
  input  logic [SelectPorts*Entries-1:0] request_i,
  /// The oldest of the requests that is in the order, if one is.
  output logic [SelectPorts-1:0] valid_o,
  output logic [SelectPorts*IdxWidth-1:0] index_o,
  /// Who is in the order. Not in waves of Verilator's: there every place would be compared with every number at every
  /// edge, whether somebody asks or not.
  /* verilator tracing_off */
  output logic [Entries-1:0] present_o,
  /* verilator tracing_on */
  /// Place p from bit p * IdxWidth on, 0 the oldest; of no meaning where none is.
  output logic [Entries*IdxWidth-1:0] order_o,
  output logic [Entries-1:0] filled_o
);

  logic [Entries*IdxWidth-1:0] order_q;
  logic [Entries-1:0] filled_q;
  logic [Entries-1:0] leaves;  // of the places
  logic [Entries-1:0] shifts;  // they take what their neighbour has
  logic [Entries-1:0] kept;  // places that are filled when one has left

  assign order_o = order_q;
  assign filled_o = filled_q;

  for (genvar p = 0; p < Entries; p++) begin : gen_place
    logic [IdxWidth-1:0] index, neighbour;
    logic last;  // the first free place
    assign index = order_q[p*IdxWidth+:IdxWidth];
    assign leaves[p] = filled_q[p] && ((remove_i && index == remove_index_i) || (append_i && index == append_index_i));
    assign shifts[p] = |leaves[p:0];
    if (p + 1 < Entries) begin : gen_inner
      assign neighbour = order_q[(p+1)*IdxWidth+:IdxWidth];
      assign kept[p] = shifts[p] ? filled_q[p+1] : filled_q[p];
    end else begin : gen_last
      assign neighbour = '0;
      assign kept[p] = filled_q[p] && !shifts[p];
    end
    if (p == 0) begin : gen_oldest
      assign last = !kept[p];
    end else begin : gen_younger
      assign last = !kept[p] && kept[p-1];
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        order_q[p*IdxWidth+:IdxWidth] <= '0;
        filled_q[p] <= 1'b0;
      end else if (clear_i) begin
        filled_q[p] <= 1'b0;
      end else if (append_i && last) begin
        order_q[p*IdxWidth+:IdxWidth] <= append_index_i;
        filled_q[p] <= 1'b1;
      end else if (shifts[p]) begin
        order_q[p*IdxWidth+:IdxWidth] <= neighbour;
        filled_q[p] <= kept[p];
      end
    end
  end

  /* verilator tracing_off */
  always_comb begin
    for (int unsigned i = 0; i < Entries; i++) begin
      present_o[i] = 1'b0;
      for (int unsigned p = 0; p < Entries; p++) begin
        if (filled_q[p] && order_q[p*IdxWidth+:IdxWidth] == IdxWidth'(i)) present_o[i] = 1'b1;
      end
    end
  end
  /* verilator tracing_on */

  for (genvar s = 0; s < SelectPorts; s++) begin : gen_select
    logic [Entries-1:0] requested, first;
    for (genvar p = 0; p < Entries; p++) begin : gen_request
      logic own;
      heddle_multiplexer #(
        .Inputs(Entries),
        .Width (1)
      ) i_request (
        .data_i (request_i[s*Entries+:Entries]),
        .index_i(order_q[p*IdxWidth+:IdxWidth]),
        .data_o (own)
      );
      assign requested[p] = own && filled_q[p];
    end
    heddle_fixed_selector #(
      .Inputs(Entries)
    ) i_first (
      .request_i (requested),
      .passable_i('0),
      .select_o  (first),
      .passed_o  ()
    );
    assign valid_o[s] = |requested;
    always_comb begin
      index_o[s*IdxWidth+:IdxWidth] = '0;
      for (int unsigned p = 0; p < Entries; p++) begin
        index_o[s*IdxWidth+:IdxWidth] |= {IdxWidth{first[p]}} & order_q[p*IdxWidth+:IdxWidth];
      end
    end
  end

  if (Entries < 1 || Entries > 64) begin : gen_illegal_entries
    $error("heddle_age_list: expected Entries from 1 to 64");
  end
  if (SelectPorts < 1 || SelectPorts > 64) begin : gen_illegal_ports
    $error("heddle_age_list: expected SelectPorts from 1 to 64");
  end

`ifndef SYNTHESIS
  // The order is looked at when it has changed; for proofs always.
  logic look;
`ifdef FORMAL
  assign look = 1'b1;
`else
  logic [Entries*IdxWidth-1:0] looked_order_q;
  logic [Entries-1:0] looked_filled_q;
  assign look = order_q != looked_order_q || filled_q != looked_filled_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      looked_order_q <= '0;
      looked_filled_q <= '0;
    end else begin
      looked_order_q <= order_q;
      looked_filled_q <= filled_q;
    end
  end
`endif
  logic [Entries-1:0] twice;  // places whose number stands in an earlier one, too
  always_comb begin
    twice = '0;
    if (look) begin
      for (int unsigned p = 1; p < Entries; p++) begin
        for (int unsigned q = 0; q < p; q++) begin
          if (filled_q[p] && order_q[p*IdxWidth+:IdxWidth] == order_q[q*IdxWidth+:IdxWidth]) twice[p] = 1'b1;
        end
      end
    end
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      OneLeaves_M: assert ((leaves & (leaves - 1'b1)) == '0);
      AppendedIsInRange_M: assert (!append_i || 32'(append_index_i) < Entries);
      NoneTwice_A: assert (twice == '0);
      FilledFromTheFirst_A: assert ((filled_q & (filled_q + 1'b1)) == '0);
    end
  end
`ifdef FORMAL
  // What was appended stands in the last filled place. Who is in the order is what appends and removals make of it, and
  // as many places are filled: so there is one for each number that comes. Of each number it is kept how many members are
  // below it, as so many lines, since that all these agree follows number by number; a sum does not.
  logic appended_q;
  logic [IdxWidth-1:0] appended_index_q;
  logic [Entries-1:0] member_d, member_q;
  always_comb begin
    member_d = member_q;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (remove_i && remove_index_i == IdxWidth'(i)) member_d[i] = 1'b0;
      if (append_i && append_index_i == IdxWidth'(i)) member_d[i] = 1'b1;
    end
    if (clear_i) member_d = '0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      appended_q <= 1'b0;
      appended_index_q <= '0;
      member_q <= '0;
    end else begin
      appended_q <= append_i && !clear_i;
      appended_index_q <= append_index_i;
      member_q <= member_d;
    end
  end
  logic [(Entries+1)*Entries-1:0] below_d, below_q;  // of number i, or of all, from bit i * Entries on
  logic [Entries-1:0] disagree, too_many;
  logic removes, replaces;
  logic [IdxWidth-1:0] leaving;
  assign removes = remove_i && 32'(remove_index_i) < Entries && member_q[remove_index_i];
  assign replaces = append_i && member_q[append_index_i];
  assign leaving = removes ? remove_index_i : append_index_i;
  always_comb begin
    below_d = below_q;
    for (int unsigned i = 0; i < Entries + 1; i++) begin
      if ((removes || replaces) && 32'(leaving) < i) below_d[i*Entries+:Entries] = below_d[i*Entries+:Entries] >> 1;
      if (append_i && 32'(append_index_i) < i) begin
        below_d[i*Entries+:Entries] = (below_d[i*Entries+:Entries] << 1) | Entries'(1);
      end
    end
    if (clear_i) below_d = '0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) below_q <= '0;
    else below_q <= below_d;
  end
  always_comb begin
    for (int unsigned i = 0; i < Entries; i++) begin
      disagree[i] = below_q[(i+1)*Entries+:Entries] !=
                    (member_q[i] ? (below_q[i*Entries+:Entries] << 1) | Entries'(1) : below_q[i*Entries+:Entries]);
      too_many[i] = (below_q[i*Entries+:Entries] >> i) != '0;
    end
  end
  logic [IdxWidth-1:0] youngest;
  logic [Entries-1:0] beyond;  // places with a number that no entry has
  always_comb begin
    youngest = '0;
    beyond = '0;
    for (int unsigned p = 0; p < Entries; p++) begin
      if (filled_q[p]) youngest = order_q[p*IdxWidth+:IdxWidth];
      beyond[p] = filled_q[p] && 32'(order_q[p*IdxWidth+:IdxWidth]) >= Entries;
    end
    if (rst_ni) begin
      AppendedIsYoungest_A: assert (!appended_q || (present_o[appended_index_q] && youngest == appended_index_q));
      BelowAgrees_A: assert (below_q[0+:Entries] == '0 && disagree == '0 && too_many == '0);
      AsManyAsMembers_A: assert (filled_q == below_q[Entries*Entries+:Entries]);
      PresentAreMembers_A: assert (present_o == member_q);
      InRange_A: assert (beyond == '0);
    end
  end
`endif
`endif

endmodule
