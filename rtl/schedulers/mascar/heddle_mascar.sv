// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

/// What MASCAR decides for all schedulers of an SM (docs/schedulers/mascar.md, qualifier `mascar`): whether the memory is
/// saturated, who owns it then, and which ready warps go first. The re-execution queue is the LD/ST unit's; here is
/// known which warps have accesses in it. Warp n is of scheduler n % NumSchedulers.
///
/// Latency: from ready_i, candidate_i and waiting_i to qualified_o in the same cycle; saturated_o follows the room by two
/// cycles; who is selected owns the memory from the next cycle on, if it still could. State: free entries and places, the
/// mode, who has accesses in the queue, the age matrix, the owner, whether there is one, and whether it is new.
/// Not free of starvation: a warp waits as long as others of its scheduler have what goes first.
module heddle_mascar #(
  /// Warp slots of the SM, 1 to 64, and its schedulers.
  parameter int unsigned NumWarps = 48,
  parameter int unsigned NumSchedulers = 2,
  /// MSHR entries and places of the miss queue, from 1 on; with so many free or fewer the memory is saturated.
  parameter int unsigned MshrEntries = 32,
  parameter int unsigned MissQueue = 8,
  parameter int unsigned FreeEntries = 1,
  parameter int unsigned FreeQueue = 1,
  localparam int unsigned EntriesWidth = $clog2(MshrEntries + 1),
  localparam int unsigned QueueWidth = $clog2(MissQueue + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  /// Warps that start in this cycle.
  input  logic [NumWarps-1:0] start_i,
  /// Warps that issue their exit. May depend on qualified_o.
  input  logic [NumWarps-1:0] finish_i,
  /// So many MSHR entries and places of the miss queue are free from the next cycle on.
  input  logic room_valid_i,
  input  logic [EntriesWidth-1:0] room_i,
  input  logic [QueueWidth-1:0] queue_room_i,
  /// Warps that had no access in the re-execution queue and have one from the next cycle on; whose last has left it.
  input  logic [NumWarps-1:0] queued_i,
  input  logic [NumWarps-1:0] drained_i,
  /// Warps whose next instruction accesses global or local memory; of these those that wait for nothing but its unit.
  input  logic [NumWarps-1:0] memory_i,
  input  logic [NumWarps-1:0] candidate_i,
  /// Warps that wait for their own data, at a barrier or membar.
  input  logic [NumWarps-1:0] waiting_i,
  /// Warps that may issue in this cycle if they qualify.
  input  logic [NumWarps-1:0] ready_i,
  /// Those of them that do: of each scheduler those of what goes first.
  output logic [NumWarps-1:0] qualified_o,
  /// The memory is saturated: only the owner's loads may send misses.
  output logic saturated_o,
  /// The owner, at most one warp.
  output logic [NumWarps-1:0] owner_o
);

  localparam int unsigned IdxWidth = (NumWarps > 1) ? $clog2(NumWarps) : 1;

  logic [EntriesWidth-1:0] entries_q;
  logic [QueueWidth-1:0] places_q;
  logic entries_enough, places_enough, saturated_d, saturated_q;
  logic [NumWarps-1:0] inside_q;  // who has accesses in the queue

  heddle_comparator #(
    .Width(EntriesWidth)
  ) i_entries (
    .a_i    (EntriesWidth'(FreeEntries)),
    .b_i    (entries_q),
    .less_o (entries_enough),
    .equal_o()
  );
  heddle_comparator #(
    .Width(QueueWidth)
  ) i_places (
    .a_i    (QueueWidth'(FreeQueue)),
    .b_i    (places_q),
    .less_o (places_enough),
    .equal_o()
  );
  assign saturated_d = !entries_enough || !places_enough;
  assign saturated_o = saturated_q;

  // The owner is selected among those that have something for the memory.
  logic [IdxWidth-1:0] owner_d, owner_q;
  logic valid_q, new_q;
  logic [NumWarps-1:0] line, could, present, oldest, chosen;
  logic take;
  for (genvar n = 0; n < NumWarps; n++) begin : gen_line
    assign line[n] = valid_q && owner_q == IdxWidth'(n);
  end
  assign could = candidate_i | (inside_q & present);
  // One that is new must still have something; later it stays until it waits for it.
  assign owner_o = line & (new_q ? could : (~waiting_i | inside_q));
  // Who is the oldest is found beside the question whether somebody is asked for.
  assign take = saturated_q && owner_o == '0;
  assign chosen = oldest & {NumWarps{take}};
  heddle_age_order #(
    .Entries(NumWarps)
  ) i_age (
    .clk_i,
    .rst_ni,
    .append_i  (start_i),
    .remove_i  (finish_i),
    .request_i (could),
    .passable_i('0),
    .select_o  (oldest),
    .passed_o  (),
    .present_o (present)
  );
  always_comb begin
    owner_d = '0;
    for (int unsigned n = 0; n < NumWarps; n++) owner_d |= {IdxWidth{oldest[n]}} & IdxWidth'(n);
  end

  // What goes first, of each scheduler.
  logic [NumWarps-1:0] free, others, owned;
  assign free = ready_i & memory_i & ~inside_q;
  assign others = ready_i & ~memory_i;
  assign owned = free & owner_o;
  for (genvar s = 0; s < NumSchedulers; s++) begin : gen_scheduler
    localparam int unsigned Own = (NumWarps - s + NumSchedulers - 1) / NumSchedulers;
    logic [Own-1:0] own_free, own_others, own_owned;
    logic other_first, take_others, take_owned;
    for (genvar i = 0; i < Own; i++) begin : gen_warp
      assign own_free[i] = free[i*NumSchedulers+s];
      assign own_others[i] = others[i*NumSchedulers+s];
      assign own_owned[i] = owned[i*NumSchedulers+s];
      assign qualified_o[i*NumSchedulers+s] = take_others ? own_others[i] : take_owned ? own_owned[i] : own_free[i];
    end
    assign other_first = saturated_q && own_others != '0;
    assign take_others = other_first || own_free == '0;
    assign take_owned = saturated_q && own_owned != '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      entries_q <= EntriesWidth'(MshrEntries);
      places_q <= QueueWidth'(MissQueue);
      saturated_q <= 1'b0;
      inside_q <= '0;
      owner_q <= '0;
      valid_q <= 1'b0;
      new_q <= 1'b0;
    end else begin
      if (room_valid_i) begin
        entries_q <= room_i;
        places_q <= queue_room_i;
      end
      saturated_q <= saturated_d;
      inside_q <= (inside_q & ~drained_i) | queued_i;
      if (take) owner_q <= owner_d;
      valid_q <= saturated_d && ((owner_o | chosen) & ~finish_i) != '0;
      new_q <= take;
    end
  end

  if (NumWarps < 1 || NumWarps > 64 || NumSchedulers < 1 || NumSchedulers > NumWarps) begin : gen_illegal_warps
    $error("heddle_mascar: expected NumWarps from 1 to 64, and NumSchedulers from 1 to that");
  end
  if (MshrEntries < 1 || FreeEntries >= MshrEntries || MissQueue < 1 || FreeQueue >= MissQueue) begin : gen_illegal_room
    $error("heddle_mascar: expected FreeEntries below MshrEntries and FreeQueue below MissQueue");
  end

`ifndef SYNTHESIS
  always_comb begin
    if (rst_ni) begin
      RoomInRange_M: assert final (!room_valid_i || (32'(room_i) <= MshrEntries && 32'(queue_room_i) <= MissQueue));
      CandidatesAreUnfinished_M: assert final ((candidate_i & ~present) == '0);
      CandidatesAccess_M: assert final ((candidate_i & ~memory_i) == '0);
      QualifiedIsReady_A: assert final ((qualified_o & ~ready_i) == '0);
      OwnerOnehot_A: assert final ((owner_o & (owner_o - 1'b1)) == '0);
      OwnerOfSaturatedMemory_A: assert final (owner_o == '0 || saturated_q);
      OwnerIsUnfinished_A: assert final ((owner_o & ~present) == '0);
      OwnerInRange_A: assert final (!valid_q || 32'(owner_q) < NumWarps);
      QueuedDoNotAccess_A: assert final ((qualified_o & memory_i & inside_q) == '0);
    end
  end
`ifdef FORMAL
  // Of two warps of one scheduler, whichever they are: who qualifies and what goes before it does not.
  (* anyconst *) logic [IdxWidth-1:0] first, second;
  logic same, first_memory, first_goes, second_memory;
  logic [NumWarps-1:0] of_scheduler;  // warps of the scheduler of both
  logic low_q;
  logic [NumWarps-1:0] selectable_q;
  logic owned_q, inside_expected_q;
  logic [NumWarps-1:0] unfinished_q;
  assign same = 32'(first) < NumWarps && 32'(second) < NumWarps && 32'(first) % NumSchedulers == 32'(second) % NumSchedulers;
  for (genvar n = 0; n < NumWarps; n++) begin : gen_of_scheduler
    assign of_scheduler[n] = n % NumSchedulers == 32'(second) % NumSchedulers;
  end
  assign first_memory = free[first];
  assign second_memory = free[second];
  assign first_goes = qualified_o[first];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      low_q <= 1'b0;
      selectable_q <= '0;
      owned_q <= 1'b0;
      inside_expected_q <= 1'b0;
      unfinished_q <= '0;
    end else begin
      inside_expected_q <= queued_i[first] || (inside_expected_q && !drained_i[first]);
      unfinished_q <= (unfinished_q & ~finish_i) | start_i;
      low_q <= 32'(entries_q) <= FreeEntries || 32'(places_q) <= FreeQueue;
      selectable_q <= could & {NumWarps{take}};
      owned_q <= owner_o != '0;
    end
  end
  initial assume (!rst_ni);
  always_comb begin
    if (rst_ni) begin
      if (32'(first) < NumWarps) InsideAsTold_A: assert (inside_q[first] == inside_expected_q);
      OrderedAreUnfinished_A: assert (present == unfinished_q);
      SaturatedByRoom_A: assert (saturated_q == low_q);
      // Memory first; when it is saturated, last, and the owner's before others'.
      if (same && !saturated_q) MemoryFirst_A: assert (!(first_goes && others[first] && second_memory));
      if (same && saturated_q) begin
        MemoryLast_A: assert (!(first_goes && first_memory && others[second]));
        OwnerFirst_A: assert (!(first_goes && first_memory && !owned[first] && owned[second]));
      end
      if (same) SomebodyGoes_A: assert (!(free[second] || others[second]) || (qualified_o & of_scheduler) != '0);
      // Of what goes first all go.
      if (same) AllOfAKindGo_A: assert (!(first_goes && others[first] && others[second]) || qualified_o[second]);
      // A new owner could use the memory when it was selected, and can.
      NewOwnerCould_A: assert (!(owner_o != '0 && new_q) || ((owner_o & selectable_q) != '0 && (owner_o & could) != '0));
      // An old one neither waits for its data nor changes.
      OldOwnerStays_A: assert (!(owner_o != '0 && !new_q) || owned_q);
      OldOwnerDoesNotWait_A: assert (new_q || (owner_o & waiting_i & ~inside_q) == '0);
      SelectedWhenNone_A: assert (!(saturated_q && owner_o == '0 && could != '0) || chosen != '0);
      NobodyElseIsSelected_A: assert (chosen == '0 || owner_o == '0);
    end
  end
`endif
`endif

endmodule
