#!/bin/sh
# Installs the Debian packages that building Heddle needs and that are missing; prints what it runs.
# Arguments name further packages. Elsewhere than on Debian, or without the right to install, it names what is
# needed and fails.
set -eu

packages="g++ cmake ninja-build pkg-config libsystemc-dev libyaml-cpp-dev libboost-program-options-dev
libfmt-dev nlohmann-json3-dev libsqlite3-dev node-d3 libgtest-dev libgmock-dev $*"

missing=""
if command -v dpkg-query >/dev/null 2>&1; then
  for package in $packages; do
    status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
    [ "$status" = "install ok installed" ] || missing="$missing $package"
  done
else
  missing=" $packages"
fi
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
  echo "Heddle needs these packages (Debian 12 names), which can't be installed here by apt-get:" >&2
  echo " $missing" | tr '\n' ' ' >&2
  echo >&2
  exit 1
fi
if [ "$(id -u)" = 0 ]; then
  as_root=""
elif command -v sudo >/dev/null 2>&1; then
  as_root="sudo"
else
  echo "Heddle needs these Debian packages; install them as root (there is no sudo here):" >&2
  echo "  apt-get install -y$missing" >&2
  exit 1
fi
echo "+ $as_root apt-get update"
$as_root apt-get update -q
echo "+ $as_root apt-get install -y --no-install-recommends$missing"
# shellcheck disable=SC2086 # one word per package
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y --no-install-recommends $missing
