// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// Plays golden vectors to the twin and compares what it puts out in every clock cycle: +vectors=FILE, vectors.txt
/// when not given. +waves=FILE writes a VCD of everything inside.
///
/// A line of the file is a clock cycle after reset: the core cycle of the run that it is from, then each input and
/// each expected output, hexadecimal, a bit per warp slot. Lines that begin with # come first and are not read. Core
/// cycles that are not there changed nothing.
///
/// Ends with "PASS" when all lines are as expected; else the first difference, or an assertion of the twin, is fatal.
module heddle_vectors_tb;
  import heddle_vectors_pkg::*;

  logic clk, rst_n;
  logic [NumInputs*W-1:0] in;
  logic [NumOutputs*W-1:0] out;

  heddle_vectors_dut i_dut (
    .clk_i (clk),
    .rst_ni(rst_n),
    .in_i  (in),
    .out_o (out)
  );

  string path, waves, header;
  int file, character, taken;
  longint unsigned cycle, cycles;
  logic [NumOutputs*W-1:0] expected;
  logic [W-1:0] word;

  initial begin
    if (!$value$plusargs("vectors=%s", path)) path = "vectors.txt";
    if ($value$plusargs("waves=%s", waves)) begin
      $dumpfile(waves);
      $dumpvars(0, i_dut);
    end
    file = $fopen(path, "r");
    if (file == 0) $fatal(1, "%s: can't be read: +vectors=FILE names golden vectors", path);
    clk = 1'b0;
    rst_n = 1'b0;
    in = '0;
    cycles = 0;
    #1 clk = 1'b1;
    #1 clk = 1'b0;
    rst_n = 1'b1;
    character = $fgetc(file);
    while (character == "#") begin
      taken = $fgets(header, file);
      character = $fgetc(file);
    end
    taken = $ungetc(character, file);
    while ($fscanf(file, "%d", cycle) == 1) begin
      for (int unsigned i = 0; i < NumInputs; i++) begin
        taken = $fscanf(file, "%h", word);
        if (taken != 1) $fatal(1, "%s: core cycle %0d: expected a value of %s", path, cycle, input_name(i));
        in[i*W+:W] = word;
      end
      for (int unsigned i = 0; i < NumOutputs; i++) begin
        taken = $fscanf(file, "%h", word);
        if (taken != 1) $fatal(1, "%s: core cycle %0d: expected a value of %s", path, cycle, output_name(i));
        expected[i*W+:W] = word;
      end
      #1;
      for (int unsigned i = 0; i < NumOutputs; i++) begin
        if (out[i*W+:W] !== expected[i*W+:W]) begin
          $fatal(1, "%s: core cycle %0d: %s: expected %h, found %h", path, cycle, output_name(i), expected[i*W+:W],
                 out[i*W+:W]);
        end
      end
      clk = 1'b1;
      #1 clk = 1'b0;
      cycles++;
    end
    if ($feof(file) == 0) $fatal(1, "%s: after core cycle %0d: expected the number of a core cycle", path, cycle);
    if (cycles == 0) $fatal(1, "%s: there is no vector in it", path);
    $display("PASS: %0d clock cycles of %s are as expected", cycles, path);
    $finish;
  end

endmodule
