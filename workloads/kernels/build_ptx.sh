#!/bin/sh
# Rebuilds the PTX of every kernel from its CUDA source with clang, without a CUDA toolkit.
#   build_ptx.sh           writes each NAME/NAME.ptx and says which changed
#   build_ptx.sh --check   writes nothing; exit status 1 when a file differs from what its source gives
# CLANG names another compiler than clang-14. Comments and blank lines don't count as differences.
set -eu

check=no
case "${1-}" in
  "") ;;
  --check) check=yes ;;
  *) echo "usage: $0 [--check]" >&2; exit 2 ;;
esac

clang="${CLANG:-clang-14}"
flags="-x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -Wno-unknown-cuda-version
  -O2 -ffp-contract=fast -Wall -Wextra -Werror -S -Xclang -target-feature -Xclang +ptx32"

command -v "$clang" >/dev/null || { echo "$0: $clang not found (Debian package clang-14)" >&2; exit 2; }
cd "$(dirname "$0")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

code() { sed -e 's://.*$::' -e 's/[[:space:]]*$//' -e '/^$/d' "$1"; }

differing=0
for source in */*.cu; do
  ptx="${source%.cu}.ptx"
  built="$work/built.ptx"
  # shellcheck disable=SC2086 # flags are many words
  set -- $flags "$source" -o
  echo "$clang $* $ptx"
  "$clang" "$@" "$built"
  if [ -f "$ptx" ] && code "$ptx" >"$work/old" && code "$built" >"$work/new" && cmp -s "$work/old" "$work/new"; then
    continue
  fi
  differing=$((differing + 1))
  if [ "$check" = yes ]; then
    echo "differs: $ptx"
  else
    cp "$built" "$ptx"
    chmod 644 "$ptx"
    echo "written: $ptx"
  fi
done
echo "$differing differing"
[ "$check" = no ] || [ "$differing" -eq 0 ]
