#!/usr/bin/env bash
# Installs what the tests need and this machine lacks: Debian packages, the npm modules of the interop and
# browser tests, and the compilers that rules are built with. What is there is not installed again.
set -euo pipefail
cd "$(dirname "$0")/.."

need=()
have() { command -v "$1" >/dev/null 2>&1; }

have go || { echo "setup: Go 1.26 or newer is needed and is not on PATH: install it from your distribution or go.dev, then run again." >&2; exit 1; }
have gcc || need+=(gcc libc6-dev) # the race detector links with it
have node || need+=(nodejs)
have npm || need+=(npm)
have clang || have clang-14 || need+=(clang)
have wasm-ld || have wasm-ld-14 || need+=(lld)
for rustc in "${RUSTC:-rustc}" /usr/bin/rustc; do
  have "$rustc" && ls "$("$rustc" --print sysroot)"/lib/rustlib/wasm32-unknown-unknown/lib/libcore-*.rlib >/dev/null 2>&1 && rust=1
done
[ -n "${rust:-}" ] || need+=(rustc libstd-rust-dev-wasm32)
have redis-server || need+=(redis-server) # of the tests of the store for several machines
[ -n "${CHROMIUM:-}" ] || have chromium || need+=(chromium fonts-dejavu-core) # of the browser tests

if [ ${#need[@]} -gt 0 ]; then
  echo "setup: installing Debian packages: ${need[*]}"
  sudo=""; [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${need[@]}" >/dev/null
else
  echo "setup: every Debian package is here"
fi

for folder in test/interop test/browser sdk/rules/assemblyscript; do
  modules=$folder/node_modules/.package-lock.json
  if [ -f "$modules" ] && [ "$modules" -nt "$folder/package-lock.json" ]; then
    echo "setup: the npm modules of $folder are here"
  else
    echo "setup: installing the npm modules of $folder"
    (cd "$folder" && npm ci --no-audit --no-fund --silent)
  fi
done
