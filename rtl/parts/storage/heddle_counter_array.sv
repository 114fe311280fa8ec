// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// An array of counters in flip-flops (hw::CounterArray, add_cycles 1): addressed reads and writes, adders that
/// read, add and write back, counting in place, and a line per entry that clears it. A count of ports of 0 leaves
/// a line of each kind, which is ignored.
///
/// Latency: reads and values_o show what is kept; what is written, added, counted or cleared in a cycle is kept
/// from the next one on (next_o shows it at once). Of one entry in one cycle: clearing wins; an adder and the
/// entry's own count do not meet a write or each other.
module heddle_counter_array #(
  /// Counters, 1 to 1024.
  parameter int unsigned Entries = 48,
  /// Bits of a counter, 1 to 64.
  parameter int unsigned Width = 32,
  /// Bits of what is added, 1 to Width.
  parameter int unsigned AmountWidth = Width,
  /// Addressed reads per cycle.
  parameter int unsigned ReadPorts = 1,
  /// Addressed writes per cycle.
  parameter int unsigned WritePorts = 1,
  /// Additions per cycle.
  parameter int unsigned Adders = 1,
  /// Counters stay at their highest value, and at 0 when subtracting; otherwise they wrap.
  parameter bit Saturate = 1'b0,
  /// There are lines that clear.
  parameter bit Clear = 1'b0,
  /// Every entry has an adder of its own.
  parameter bit CountsInPlace = 1'b0,
  /// When adders meet at an entry (hw::SameEntry): 0 they must not; 1 their amounts are merged, all added or all
  /// subtracted; 2 each has a bank of its own, and a counter is the sum of its banks; 3 the last one alone counts.
  parameter int unsigned SameEntry = 0,
  localparam int unsigned IdxWidth = (Entries > 1) ? $clog2(Entries) : 1,
  localparam int unsigned Reads = (ReadPorts > 0) ? ReadPorts : 1,
  localparam int unsigned Writes = (WritePorts > 0) ? WritePorts : 1,
  localparam int unsigned Adds = (Adders > 0) ? Adders : 1,
  localparam int unsigned Banks = (SameEntry == 2) ? Adds : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Read port r: its index from bit r * IdxWidth on, what is there from bit r * Width on.
  input  logic [Reads*IdxWidth-1:0] read_index_i,
  output logic [Reads*Width-1:0] read_data_o,
  /// Write ports, likewise.
  input  logic [Writes-1:0] write_i,
  input  logic [Writes*IdxWidth-1:0] write_index_i,
  input  logic [Writes*Width-1:0] write_data_i,
  /// Adders, likewise.
  input  logic [Adds-1:0] add_i,
  input  logic [Adds-1:0] subtract_i,
  input  logic [Adds*IdxWidth-1:0] add_index_i,
  input  logic [Adds*AmountWidth-1:0] add_amount_i,
  /// Counting in place: a line per entry, its amount from bit e * AmountWidth on.
  input  logic [Entries-1:0] count_i,
  input  logic [Entries*AmountWidth-1:0] count_amount_i,
  /// Sets entries to 0.
  input  logic [Entries-1:0] clear_i,
  /// Counter e from bit e * Width on; with banks bank b of it from bit (b * Entries + e) * Width on.
  output logic [Banks*Entries*Width-1:0] values_o,
  /// What is kept from the next cycle on.
  output logic [Banks*Entries*Width-1:0] next_o
);

  localparam bit Merges = (SameEntry == 1) && (Adders > 1);
  localparam int unsigned MergedWidth = AmountWidth + (Merges ? $clog2(Adders) : 0);
  /// Of what an adder adds.
  localparam int unsigned SumWidth = (MergedWidth < Width) ? MergedWidth : Width;

  logic [Banks*Entries*Width-1:0] values_d, values_q;
  logic [Adds-1:0] adds;  // the adder writes its sum
  logic [Adds*Width-1:0] sums;

  assign values_o = values_q;
  assign next_o = values_d;

  // Read ports: of banks the sum.
  if (ReadPorts == 0) begin : gen_no_read
    assign read_data_o = '0;
  end else begin : gen_reads
    for (genvar r = 0; r < ReadPorts; r++) begin : gen_read
      logic [Banks*Width-1:0] read;
      logic [Width-1:0] total;
      for (genvar b = 0; b < Banks; b++) begin : gen_bank
        heddle_multiplexer #(
          .Inputs(Entries),
          .Width (Width)
        ) i_read (
          .data_i (values_q[b*Entries*Width+:Entries*Width]),
          .index_i(read_index_i[r*IdxWidth+:IdxWidth]),
          .data_o (read[b*Width+:Width])
        );
      end
      always_comb begin
        total = read[0+:Width];
        for (int unsigned b = 1; b < Banks; b++) total = total + read[b*Width+:Width];
      end
      assign read_data_o[r*Width+:Width] = total;
    end
  end

  if (Adders == 0) begin : gen_no_adder
    assign adds = '0;
    assign sums = '0;
  end else begin : gen_adders
    for (genvar a = 0; a < Adders; a++) begin : gen_adder
      localparam int unsigned Bank = (SameEntry == 2) ? a : 0;
      logic [Width-1:0] old;
      logic [MergedWidth-1:0] merged;
      logic [SumWidth-1:0] amount;

      heddle_multiplexer #(
        .Inputs(Entries),
        .Width (Width)
      ) i_old (
        .data_i (values_q[Bank*Entries*Width+:Entries*Width]),
        .index_i(add_index_i[a*IdxWidth+:IdxWidth]),
        .data_o (old)
      );

      // Merging: the first adder of an entry takes the amounts of those that follow, which do not write. When
      // the last one alone counts, an adder does not write if a later one has its entry.
      always_comb begin
        adds[a] = add_i[a];
        merged = MergedWidth'(add_amount_i[a*AmountWidth+:AmountWidth]);
        for (int unsigned b = 0; b < Adders; b++) begin
          if (add_i[b] && add_index_i[b*IdxWidth+:IdxWidth] == add_index_i[a*IdxWidth+:IdxWidth]) begin
            if (Merges && b < a) adds[a] = 1'b0;
            if (Merges && b > a) merged = merged + MergedWidth'(add_amount_i[b*AmountWidth+:AmountWidth]);
            if (SameEntry == 3 && b > a) adds[a] = 1'b0;
          end
        end
      end
      if (MergedWidth > SumWidth) begin : gen_fit
        logic too_large;
        assign too_large = |merged[MergedWidth-1:SumWidth];
        assign amount = (Saturate && too_large) ? '1 : merged[SumWidth-1:0];
      end else begin : gen_fits
        assign amount = merged;
      end

      heddle_adder #(
        .Width      (Width),
        .AmountWidth(SumWidth),
        .Saturate   (Saturate)
      ) i_adder (
        .a_i       (old),
        .amount_i  (amount),
        .subtract_i(subtract_i[a]),
        .sum_o     (sums[a*Width+:Width]),
        .overflow_o()
      );
    end
  end

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    for (genvar e = 0; e < Entries; e++) begin : gen_entry
      logic [Width-1:0] value, counted, next;

      assign value = values_q[(b*Entries+e)*Width+:Width];
      if (CountsInPlace && b == 0) begin : gen_count
        heddle_adder #(
          .Width      (Width),
          .AmountWidth(AmountWidth),
          .Saturate   (Saturate)
        ) i_count (
          .a_i       (value),
          .amount_i  (count_amount_i[e*AmountWidth+:AmountWidth] & {AmountWidth{count_i[e]}}),
          .subtract_i(1'b0),
          .sum_o     (counted),
          .overflow_o()
        );
      end else begin : gen_no_count
        assign counted = value;
      end

      always_comb begin
        next = counted;
        for (int unsigned w = 0; w < WritePorts; w++) begin
          if (write_i[w] && write_index_i[w*IdxWidth+:IdxWidth] == IdxWidth'(e)) begin
            next = (b == 0) ? write_data_i[w*Width+:Width] : '0;
          end
        end
        for (int unsigned a = 0; a < Adders; a++) begin
          if ((Banks == 1 || a == b) && adds[a] && add_index_i[a*IdxWidth+:IdxWidth] == IdxWidth'(e)) begin
            next = sums[a*Width+:Width];
          end
        end
        if (Clear && clear_i[e]) next = '0;
      end
      assign values_d[(b*Entries+e)*Width+:Width] = next;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) values_q <= '0;
    else values_q <= values_d;
  end

  if (Entries < 1 || Entries > 1024) begin : gen_illegal_entries
    $error("heddle_counter_array: expected Entries from 1 to 1024");
  end
  if (Width < 1 || Width > 64) begin : gen_illegal_width
    $error("heddle_counter_array: expected Width from 1 to 64");
  end
  if (AmountWidth < 1 || AmountWidth > Width) begin : gen_illegal_amount
    $error("heddle_counter_array: expected AmountWidth from 1 to Width");
  end
  if (ReadPorts > Entries || WritePorts > Entries || Adders > Entries) begin : gen_illegal_ports
    $error("heddle_counter_array: expected ReadPorts, WritePorts and Adders of at most Entries");
  end
  if (SameEntry > 3 || (SameEntry == 2 && Saturate)) begin : gen_illegal_same_entry
    $error("heddle_counter_array: expected SameEntry from 0 to 3, and banks without Saturate");
  end

`ifndef SYNTHESIS
  // Ports of one kind, and of different kinds, that meet at an entry: by entry.
  logic [Entries-1:0] two_writes, write_and_add, two_adds, two_directions, count_and_other;
  for (genvar e = 0; e < Entries; e++) begin : gen_check
    logic [Writes-1:0] written;
    logic [Adds-1:0] added, lowered;
    for (genvar w = 0; w < Writes; w++) begin : gen_write
      assign written[w] = (WritePorts > 0) && write_i[w] && write_index_i[w*IdxWidth+:IdxWidth] == IdxWidth'(e);
    end
    for (genvar a = 0; a < Adds; a++) begin : gen_add
      assign added[a] = (Adders > 0) && add_i[a] && add_index_i[a*IdxWidth+:IdxWidth] == IdxWidth'(e);
      assign lowered[a] = added[a] && subtract_i[a];
    end
    assign two_writes[e] = (written & (written - 1'b1)) != '0;
    assign write_and_add[e] = SameEntry != 3 && written != '0 && added != '0;
    assign two_adds[e] = SameEntry == 0 && (added & (added - 1'b1)) != '0;
    assign two_directions[e] = Merges && lowered != '0 && lowered != added;
    assign count_and_other[e] = CountsInPlace && count_i[e] && (written != '0 || added != '0);
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      OneWrite_M: assert (two_writes == '0);
      WriteOrAdd_M: assert (write_and_add == '0);
      OneAdd_M: assert (two_adds == '0);
      OneDirection_M: assert (two_directions == '0);
      CountAlone_M: assert (count_and_other == '0);
    end
  end
`endif

endmodule
