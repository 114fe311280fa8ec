#!/bin/sh
# check_commit.sh CMAKE WRITE_COMMIT WORK: the commit of a checkout is known, with its changes, and rewritten only when
# it is another; that of a repository around a copy is not taken for it.
set -eu
cmake="$1" script="$2" work="$3"
rm -rf "$work"
mkdir -p "$work/checkout/copy"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
in_checkout() { git -C "$work/checkout" -c user.name=test -c user.email=test@localhost "$@"; }
commit_of() {
  "$cmake" -DROOT="$1" -DOUT="$work/commit.cpp" -P "$script"
  sed -n 's/.*return "\(.*\)".*/\1/p' "$work/commit.cpp"
}
expect() { [ "$1" = "$2" ] || { echo "found '$1', expected '$2'" >&2; exit 1; }; }

in_checkout init -q
echo one > "$work/checkout/file"
in_checkout add file
in_checkout commit -q -m one
hash="$(in_checkout rev-parse --short=12 HEAD)"
expect "$(commit_of "$work/checkout")" "$hash"
touch -d '2001-01-01' "$work/commit.cpp"
expect "$(commit_of "$work/checkout")" "$hash"
expect "$(date -r "$work/commit.cpp" +%Y)" 2001
echo two > "$work/checkout/file"
expect "$(commit_of "$work/checkout")" "$hash-dirty"
expect "$(commit_of "$work/checkout/copy")" unknown
