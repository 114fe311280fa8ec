#!/bin/sh
# Writes Bender.yml and heddle.core (FuseSoC) from files.txt. With --check it writes nothing and fails when one of them
# is not what it would write, or when files.txt is not the list of the .sv and .vlt files below its filesets' folders.
set -eu
cd "$(dirname "$0")"

files() { sed -n "s/^$1 //p" files.txt; }
filesets() { sed -n 's/^\([a-z]*\) .*/\1/p' files.txt | grep -v '^waivers$' | awk '!seen[$0]++'; }
version=$(sed -n 's/^project(heddle VERSION \([0-9.]*\).*/\1/p' ../CMakeLists.txt)

bender() {
  echo "# Written by make_lists.sh from files.txt."
  echo "package:"
  echo "  name: heddle"
  echo "  authors:"
  echo "    - the Heddle contributors"
  echo "sources:"
  for fileset in $(filesets); do
    echo "  # $fileset"
    files "$fileset" | sed 's/^/  - /'
  done
}

core() {
  echo "CAPI=2:"
  echo "# Written by make_lists.sh from files.txt."
  echo "name: heddle:rtl:heddle:$version"
  echo "description: SystemVerilog twins of Heddle's priced parts and schedulers"
  echo "filesets:"
  for fileset in $(filesets); do
    echo "  $fileset:"
    echo "    files:"
    files "$fileset" | sed 's/^/      - /'
    echo "    file_type: systemVerilogSource"
  done
  echo "  waivers:"
  echo "    files:"
  files waivers | sed 's/^/      - /'
  echo "    file_type: vlt"
  echo "targets:"
  echo "  default:"
  echo "    filesets:"
  for fileset in $(filesets); do echo "      - $fileset"; done
  echo '      - "tool_verilator ? (waivers)"'
}

if [ "${1:-}" != "--check" ]; then
  bender >Bender.yml
  core >heddle.core
  exit 0
fi

status=0
listed=$(mktemp)
present=$(mktemp)
written=$(mktemp)
trap 'rm -f "$listed" "$present" "$written"' EXIT
sed -n 's/^[a-z]* //p' files.txt | sort >"$listed"
for folder in $(filesets); do find "$folder" -name '*.sv' -o -name '*.vlt'; done | sort >"$present"
if ! cmp -s "$listed" "$present"; then
  echo "rtl/files.txt: found other files than there are (< listed, > present):" >&2
  diff "$listed" "$present" >&2 || true
  status=1
fi
for list in Bender.yml heddle.core; do
  case $list in
    Bender.yml) bender >"$written" ;;
    *) core >"$written" ;;
  esac
  if ! cmp -s "$written" "$list"; then
    echo "rtl/$list: found another list than rtl/files.txt gives, run rtl/make_lists.sh" >&2
    status=1
  fi
done
exit $status
