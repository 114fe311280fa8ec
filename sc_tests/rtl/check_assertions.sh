#!/bin/sh
# Assertions of combinational logic are deferred, `assert final`: in simulators that order events, inputs that change at
# one time arrive one after the other, and between them an immediate one fails that always holds when all is settled.
# What only proofs read, in formal/ and below `ifdef FORMAL, has no such moments.
#   check_assertions.sh [RTL]
set -eu
cd "${1:-"$(dirname "$0")/../../rtl"}"
find . -name '*.sv' ! -path './formal/*' | sort | xargs awk '
  FNR == 1 { depth = 0; comb = 0 }
  /^`ifn?def/ { formal[++depth] = $2 == "FORMAL"; skips[depth] = formal[depth] && $1 == "`ifdef"; next }
  /^`else/ { if (formal[depth]) skips[depth] = !skips[depth]; next }
  /^`endif/ { --depth; next }
  { for (d = 1; d <= depth; ++d) if (skips[d]) next }
  /^ *always_comb/ { match($0, /^ */); margin = RLENGTH; comb = 1 }
  comb && /assert \(/ { print FILENAME ":" FNR ": expected assert final, found " $0; ++found }
  comb && /^ *end/ { match($0, /^ */); if (RLENGTH == margin) comb = 0 }
  comb && /^ *always_comb/ && /;$/ { comb = 0 }
  END { exit found != 0 }
'
