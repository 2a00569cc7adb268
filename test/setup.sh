#!/usr/bin/env bash
# Installs what the tests need and this machine lacks: Debian packages and the
# npm modules of the interop test and the AssemblyScript plugin. What is there
# is not installed again.
set -euo pipefail
cd "$(dirname "$0")/.."

need=()
lacks() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'install ok installed' || need+=("$1"); }
have() { command -v "$1" >/dev/null 2>&1; }

have go || { echo "setup: Go 1.26 or newer is needed and is not on PATH: install it from your distribution or go.dev, then run again."; exit 1; }
have gcc || lacks gcc
have node && have npm || { lacks nodejs; lacks npm; }
# The toolchain of the shipped plugins; plugins/toolchain.txt names the versions.
for p in rustc libstd-rust-dev-wasm32 clang lld lld-14; do lacks "$p"; done

if [ ${#need[@]} -gt 0 ]; then
  echo "setup: installing Debian packages: ${need[*]}"
  sudo=""; [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${need[@]}" >/dev/null
else
  echo "setup: every Debian package is here"
fi

for dir in test/interop plugins/score; do
  [ -f "$dir/package-lock.json" ] || continue
  if [ -f "$dir/node_modules/.package-lock.json" ] && [ "$dir/node_modules/.package-lock.json" -nt "$dir/package-lock.json" ]; then
    echo "setup: npm modules of $dir are here"
  else
    echo "setup: installing npm modules of $dir"
    (cd "$dir" && npm ci --no-audit --no-fund --silent)
  fi
done
