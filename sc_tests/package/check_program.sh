#!/bin/sh
# check_program.sh INSTALLED BUILT SOURCES WORK: the installed program looks names up beside itself, not in the sources,
# and does what the built one does.
set -eu
installed="$1" built="$2" sources="$3" work="$4"
unset HEDDLE_HOME
rm -rf "$work"
mkdir -p "$work"
share="$(dirname "$installed")/../share/heddle"

fail() { echo "$*" >&2; exit 1; }

[ "$("$installed" --version)" = "$("$built" --version)" ] || fail "versions differ"
if grep -qF "$sources" "$installed"; then fail "the program names the folder of the sources, $sources"; fi

"$installed" list workloads --format csv | sed 1d | cut -d, -f1 > "$work/installed"
"$built" list workloads --format csv | sed 1d | cut -d, -f1 > "$work/built"
diff "$work/built" "$work/installed" || fail "other workloads than in the build tree"
while read -r workload; do
  "$installed" check "$share/workloads/kernels/$workload/$workload.yaml" > /dev/null
done < "$work/installed"

for file in man/man1/heddle.1 man/man1/heddle-compare.1 bash-completion/completions/heddle 'zsh/*/_heddle'; do
  [ -s "$(echo "$share"/../$file)" ] || fail "there is no share/$file"
done

"$installed" cost --scheduler pro > "$work/installed"
"$built" cost --scheduler pro > "$work/built"
diff "$work/built" "$work/installed" || fail "other costs than in the build tree: no technologies?"

"$installed" run vector_add --config pro --param n=4096 --quiet --out "$work/run_installed"
"$built" run vector_add --config pro --param n=4096 --quiet --out "$work/run_built"
cmp "$work/run_built/stats.json" "$work/run_installed/stats.json"

# What only the installed tree has is found, and what HEDDLE_HOME has instead of it.
mkdir -p "$work/home/configs"
"$installed" config show --set core.sms=3 > "$work/home/configs/only_there.yaml"
if "$installed" config show --config only_there > /dev/null 2>&1; then fail "only_there was found without HEDDLE_HOME"; fi
HEDDLE_HOME="$work/home" "$installed" config show --config only_there | grep -q 'sms: 3' || fail "HEDDLE_HOME was not followed"
cp "$work/home/configs/only_there.yaml" "$share/configs/only_there.yaml"
"$installed" config show --config only_there | grep -q 'sms: 3' || fail "share/heddle beside the program was not followed"
rm "$share/configs/only_there.yaml"
