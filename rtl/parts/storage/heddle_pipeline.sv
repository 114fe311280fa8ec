// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Ranks of flip-flops without enables (hw::Pipeline): nothing stops on its way.
///
/// Latency: what comes in leaves Stages cycles later, one a cycle.
module heddle_pipeline #(
  /// Bits of a rank, 1 to 1024.
  parameter int unsigned Width = 32,
  /// Ranks, 1 to 1024.
  parameter int unsigned Stages = 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);

  /// Rank s from bit s * Width on; rank 0 is the youngest.
  logic [Stages*Width-1:0] ranks_q;

  if (Stages > 1) begin : gen_ranks
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) ranks_q <= '0;
      else ranks_q <= {ranks_q[(Stages-1)*Width-1:0], data_i};
    end
  end else begin : gen_rank
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) ranks_q <= '0;
      else ranks_q <= data_i;
    end
  end
  assign data_o = ranks_q[(Stages-1)*Width+:Width];

  if (Width < 1 || Width > 1024) begin : gen_illegal_width
    $error("heddle_pipeline: expected Width from 1 to 1024");
  end
  if (Stages < 1 || Stages > 1024) begin : gen_illegal_stages
    $error("heddle_pipeline: expected Stages from 1 to 1024");
  end

endmodule
