// The states of a warp (modules/counts/warp_state.h) in charts.
"use strict";

/** Colours of the states by name: reds and yellows for the scoreboard, greens for units, blues and greys for the rest. */
const kStateColours = {
  selected: "#0072b2", not_selected: "#7fb8da", held_by_policy: "#cc79a7", scoreboard_memory: "#d55e00",
  scoreboard_shared: "#e69f00", scoreboard_sfu: "#f0b860", scoreboard_alu: "#f0e442", pipeline_sp: "#004d3a",
  pipeline_sfu: "#009e73", pipeline_ldst_global: "#6fd0b4", pipeline_ldst_shared: "#a5e3d2",
  pipeline_ldst_constant: "#d3f2ea", pipeline_ldst_texture: "#8aa84f", fetch: "#6d6d6d", flush: "#3d3d3d", barrier: "#56b4e9", membar: "#8fcdf0",
  drain: "#9a9a9a", ended: "#c8c8c8",
};
