#!/bin/sh
# check_deb.sh BUILD WORK: what `make package` left in BUILD runs on any x86-64, from the folder that it is unpacked in,
# and says what it needs.
set -eu
build="$1" work="$2"
unset HEDDLE_HOME
rm -rf "$work"
mkdir -p "$work"
fail() { echo "$*" >&2; exit 1; }

package="$(ls "$build"/heddle_*_amd64.deb)"
dpkg-deb -I "$package"
depends="$(dpkg-deb -f "$package" Depends)"
for library in libc6 libstdc++6 libsystemc libyaml-cpp libfmt libboost-program-options libsqlite3; do
  case "$depends" in *"$library"*) ;; *) fail "$package does not depend on $library: $depends" ;; esac
done

# Instructions with a VEX prefix (AVX and later) are in the lane handlers for AVX2 alone, which execution picks at start
# where there is AVX2.
objdump -d --no-show-raw-insn "$build/bin/heddle" > "$work/code"
awk '/^[0-9a-f]+ <.*>:$/ { function_name = $2 }
     $2 ~ /^v[a-z]/ && $2 !~ /^ver[rw]/ { if (function_name ~ /lanes_avx2/) ++inside; else { ++outside; print function_name, $0 } }
     END { print inside + 0, "AVX instructions in the lane handlers,", outside + 0, "outside"; exit !(inside > 0 && outside == 0) }' \
  "$work/code" > "$work/avx" || { tail "$work/avx"; fail "code that does not run on any x86-64"; }
tail -1 "$work/avx"

dpkg-deb -x "$package" "$work/root"
for file in usr/bin/heddle usr/include/heddle/tlm/memory_port.h usr/share/heddle/configs/gtx480.yaml \
            usr/share/heddle/workloads/kernels/atax/atax.ptx usr/share/doc/heddle/copyright \
            usr/share/man/man1/heddle.1 usr/share/man/man1/heddle-compare.1 \
            usr/share/bash-completion/completions/heddle usr/share/zsh/vendor-completions/_heddle; do
  [ -f "$work/root/$file" ] || fail "$package has no $file"
done
"$work/root/usr/bin/heddle" --version
"$work/root/usr/bin/heddle" run vector_add --config pro --param n=4096 --out "$work/run"
