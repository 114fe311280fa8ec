// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// a x b / c, truncated, with one adder (hw::RatioUnit): shift-and-add multiplication, then restoring division, a
/// bit a step. A quotient that does not fit saturates, and so does division by 0.
///
/// Latency: an operation that starts in cycle t has its result in result_o from t + Steps * CyclesPerStep on,
/// Steps = 2 * MultiplierWidth + FactorWidth; until then ready_o is 0 and nothing may start. The operands are
/// held by the unit.
module heddle_ratio_unit #(
  /// Bits of the first factor, 1 to 32.
  parameter int unsigned FactorWidth = 32,
  /// Bits of the second factor, 1 to 32.
  parameter int unsigned MultiplierWidth = 16,
  /// Bits of the divisor, 1 to 32.
  parameter int unsigned DivisorWidth = 32,
  /// Bits of the result, 1 to 64.
  parameter int unsigned ResultWidth = 16,
  /// Cycles of a step, from 1 on: the adder has so long.
  parameter int unsigned CyclesPerStep = 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Starts an operation; only while ready_o.
  input  logic start_i,
  output logic ready_o,
  input  logic [FactorWidth-1:0] factor_i,
  input  logic [MultiplierWidth-1:0] multiplier_i,
  input  logic [DivisorWidth-1:0] divisor_i,
  /// Of the last operation; holds until the next one starts.
  output logic [ResultWidth-1:0] result_o
);

  localparam int unsigned ProductWidth = FactorWidth + MultiplierWidth;
  localparam int unsigned Steps = MultiplierWidth + ProductWidth;
  localparam int unsigned StepWidth = $clog2(Steps);
  localparam int unsigned AdderWidth = ((FactorWidth > DivisorWidth) ? FactorWidth : DivisorWidth) + 1;

  /// Steps that are done of the operation under way; 0 when there is none.
  logic [StepWidth-1:0] step_q;
  /// The multiplier leaves to the right while the product comes from the left; then the product leaves to the left
  /// while the quotient comes from the right.
  logic [ProductWidth-1:0] product_d, product_q;
  logic [DivisorWidth-1:0] remainder_d, remainder_q;  // less than the divisor
  logic [FactorWidth-1:0] factor_q;
  logic [DivisorWidth-1:0] divisor_q;
  logic multiplying;
  logic step_ends;

  assign ready_o = (step_q == '0);
  assign multiplying = (32'(step_q) < MultiplierWidth);

  // The first step adds to nothing and is taken with the operands, so that its cycles are added to the second's.
  if (CyclesPerStep > 1) begin : gen_wait
    localparam int unsigned WaitWidth = $clog2(2 * CyclesPerStep - 1);
    logic [WaitWidth-1:0] wait_q;
    assign step_ends = (wait_q == '0);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) wait_q <= '0;
      else if (start_i) wait_q <= WaitWidth'(2 * CyclesPerStep - 2);
      else wait_q <= step_ends ? WaitWidth'(CyclesPerStep - 1) : wait_q - 1'b1;
    end
  end else begin : gen_no_wait
    assign step_ends = 1'b1;
  end

  logic [DivisorWidth:0] shifted;  // remainder with the next bit of the product
  logic [FactorWidth-1:0] taken;  // of the factor, by a bit of the multiplier
  logic [AdderWidth-1:0] left, right;
  logic [AdderWidth:0] sum;
  logic fits;  // the divisor, into the remainder

  assign shifted = {remainder_q, product_q[ProductWidth-1]};
  assign left = multiplying ? {{(AdderWidth - FactorWidth) {1'b0}}, product_q[ProductWidth-1:MultiplierWidth]}
                            : {{(AdderWidth - DivisorWidth - 1) {1'b0}}, shifted};
  assign taken = factor_q & {FactorWidth{product_q[0]}};
  assign right = multiplying ? {{(AdderWidth - FactorWidth) {1'b0}}, taken}
                             : ~{{(AdderWidth - DivisorWidth) {1'b0}}, divisor_q};
  assign sum = {1'b0, left} + {1'b0, right} + {{AdderWidth{1'b0}}, !multiplying};
  assign fits = sum[AdderWidth];

  logic [ProductWidth:0] first_product, next_product;  // of a step of multiplication, before the shift

  assign first_product = {1'b0, factor_i & {FactorWidth{multiplier_i[0]}}, multiplier_i};
  assign next_product = {sum[FactorWidth:0], product_q[MultiplierWidth-1:0]};
  always_comb begin
    if (start_i) begin
      product_d = first_product[ProductWidth:1];
      remainder_d = '0;
    end else if (multiplying) begin
      product_d = next_product[ProductWidth:1];
      remainder_d = remainder_q;
    end else begin
      product_d = {product_q[ProductWidth-2:0], fits};
      remainder_d = fits ? sum[DivisorWidth-1:0] : shifted[DivisorWidth-1:0];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step_q <= '0;
      product_q <= '0;
      remainder_q <= '0;
      factor_q <= '0;
      divisor_q <= '0;
    end else if (start_i || (!ready_o && step_ends)) begin
      product_q <= product_d;
      remainder_q <= remainder_d;
      step_q <= (32'(step_q) == Steps - 1) ? '0 : step_q + 1'b1;
      if (start_i) begin
        factor_q <= factor_i;
        divisor_q <= divisor_i;
      end
    end
  end

  if (ResultWidth < ProductWidth) begin : gen_cut
    logic too_large;
    assign too_large = |product_q[ProductWidth-1:ResultWidth];
    assign result_o = too_large ? '1 : product_q[ResultWidth-1:0];
  end else begin : gen_whole
    // All ones are no quotient but the division by 0.
    assign result_o = (&product_q) ? '1 : ResultWidth'(product_q);
  end

  if (FactorWidth < 1 || FactorWidth > 32 || MultiplierWidth < 1 || MultiplierWidth > 32 || DivisorWidth < 1 ||
      DivisorWidth > 32) begin : gen_illegal_operands
    $error("heddle_ratio_unit: expected FactorWidth, MultiplierWidth and DivisorWidth from 1 to 32");
  end
  if (ResultWidth < 1 || ResultWidth > 64) begin : gen_illegal_result
    $error("heddle_ratio_unit: expected ResultWidth from 1 to 64");
  end
  if (CyclesPerStep < 1) begin : gen_illegal_cycles
    $error("heddle_ratio_unit: expected CyclesPerStep from 1 on");
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StartWhenReady_M: assert (!start_i || ready_o);
      StepInRange_A: assert (32'(step_q) < Steps);
      // A divisor other than 0 is more than what is left.
      RemainderIsZero_A: assert (!multiplying || ready_o || remainder_q == '0);
      RemainderIsLess_A: assert (multiplying || divisor_q == '0 || remainder_q < divisor_q);
    end
  end
`endif

endmodule
