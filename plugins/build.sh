#!/usr/bin/env bash
# Builds the shipped rule plugins, the probes of the SDKs, and the bad plugin of the system tests, from source.
#
#   plugins/build.sh           into plugins/built, sdk/rules/probe/built and test/system/testdata/saboteur
#   plugins/build.sh --check   into a temporary folder, and compares with those byte for byte
#
# Installs what is missing (Debian packages, the AssemblyScript compiler), and says so first.
# Only the compilers that plugins/toolchain.txt names are used.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd -P)
cd "$root"

check=
case "${1-}" in
  "") ;;
  --check) check=1 ;;
  *) echo "usage: plugins/build.sh [--check]" >&2; exit 2 ;;
esac

# Debian's rustc has the wasm32 library beside it; another one on PATH may not.
RUSTC=${RUSTC:-/usr/bin/rustc}
CLANG=${CLANG:-clang-14}
WASM_LD=${WASM_LD:-wasm-ld-14}
AS=sdk/rules/assemblyscript

packages=()
[ -x "$RUSTC" ] || packages+=(rustc)
[ -d "$("$RUSTC" --print sysroot 2>/dev/null)/lib/rustlib/wasm32-unknown-unknown" ] || packages+=(libstd-rust-dev-wasm32)
command -v "$CLANG" >/dev/null || packages+=(clang-14)
command -v "$WASM_LD" >/dev/null || packages+=(lld-14)
command -v npm >/dev/null || packages+=(npm nodejs)
if [ ${#packages[@]} -gt 0 ]; then
  echo "plugins: installing Debian packages: ${packages[*]}"
  sudo=; [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
fi
asc=$AS/node_modules/assemblyscript
wanted() { sed -n "s/^$1 //p" plugins/toolchain.txt; }
installed_asc() { sed -n 's/^ *"version": "\(.*\)",*$/\1/p' "$asc/package.json" 2>/dev/null | head -n 1; }
if [ "$(installed_asc)" != "$(wanted assemblyscript)" ]; then
  echo "plugins: installing AssemblyScript $(wanted assemblyscript) into $AS/node_modules"
  (cd "$AS" && npm ci --no-audit --no-fund --silent)
fi

export GOTOOLCHAIN=local GOFLAGS= GOEXPERIMENT= GOWASM= CGO_ENABLED=0
version() {
  case $1 in
    go) go env GOVERSION | sed 's/^go//' ;;
    rustc) "$RUSTC" --version | cut -d ' ' -f 2 ;;
    clang) "$CLANG" -dumpversion ;;
    wasm-ld) "$WASM_LD" --version | grep -o '[0-9][0-9.]*' | head -n 1 ;;
    assemblyscript) installed_asc ;;
  esac
}
bad=
for tool in go rustc clang wasm-ld assemblyscript; do
  have=$(version $tool)
  [ "$have" = "$(wanted $tool)" ] && continue
  echo "plugins: $tool here is ${have:-missing}, plugins/toolchain.txt names $(wanted $tool)" >&2
  bad=1
done
if [ -n "$bad" ]; then
  echo "plugins: other compilers may give other bytes. Install the named versions, or set RUSTC, CLANG and WASM_LD to" \
    "them; to move to the ones here, change plugins/toolchain.txt, run \`make plugins\` and commit the result." >&2
  exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

go build -trimpath -buildvcs=false -o "$work/pack" ./plugins/pack

# Whatever the folder, the paths inside (of panics) are relative to the root.
rust() {
  "$RUSTC" --edition 2021 --target wasm32-unknown-unknown -C opt-level=3 -C panic=abort -C lto=fat -C codegen-units=1 \
    -C strip=symbols -C metadata=venued -C link-arg=-zstack-size=524288 --remap-path-prefix "$root"=. -D warnings "$@"
}

build_rules() { rust --crate-type rlib --crate-name venued_rules sdk/rules/rust/src/lib.rs -o "$work/libvenued_rules.rlib"; }

# Each takes a source without its ending and the name to build it as.
build_rust() { rust --crate-type cdylib --crate-name "${2##*/}" --extern "venued_rules=$work/libvenued_rules.rlib" "$1.rs" -o "$work/$2.wasm"; }

# Compiled and linked apart: as one step clang would run whatever wasm-opt it finds.
build_c() {
  "$CLANG" --target=wasm32 -std=c11 -O2 -ffreestanding -fno-builtin -Wall -Wextra -Werror -Isdk/rules/c -c "$1.c" -o "$work/$2.o"
  "$WASM_LD" --no-entry --strip-all -z stack-size=65536 "$work/$2.o" -o "$work/$2.wasm"
}

build_go() { GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -trimpath -buildvcs=false -ldflags='-s -w -buildid=' -o "$work/$2.wasm" "./${1%/*}"; }

build_as() {
  node "$asc/bin/asc.js" "$1.ts" --baseDir . -O3 --runtime stub --exportStart _initialize \
    --use abort=$AS/assembly/abort/abort --outFile "$work/$2.wasm"
}

different=
# plugin LANGUAGE SOURCE FOLDER NAME: builds, packs, and reports or compares FOLDER/NAME.wasm.
plugin() {
  local language=$1 source=$2 folder=$3 name=$4 to=$3
  [ -z "$check" ] || to=$work/check/$folder
  mkdir -p "$to" "$work/$folder"
  "build_$language" "$source" "$folder/$name"
  "$work/pack" -manifest "${source%/*}/manifest.json" -o "$to/$name.wasm" "$work/$folder/$name.wasm"
  if [ -z "$check" ]; then
    echo "plugins: $folder/$name.wasm, $(stat -c %s "$to/$name.wasm") bytes"
  elif cmp "$to/$name.wasm" "$folder/$name.wasm"; then
    echo "plugins: $folder/$name.wasm is as committed"
  else
    different=1
  fi
}

build_rules
plugin rust plugins/grab/grab plugins/built grab
plugin rust plugins/door/door plugins/built door
plugin c plugins/bell/bell plugins/built bell
plugin go plugins/greeter/main plugins/built greeter
plugin as plugins/score/score plugins/built score
plugin rust plugins/seat/seat plugins/built seat
plugin rust plugins/scoreboard/scoreboard plugins/built scoreboard
plugin c plugins/teleporter/teleporter plugins/built teleporter
plugin c plugins/queue/queue plugins/built queue
plugin as plugins/pen/pen plugins/built pen
plugin c sdk/rules/c/examples/lift/lift plugins/built lift
plugin rust sdk/rules/probe/probe sdk/rules/probe/built rust
plugin c sdk/rules/probe/probe sdk/rules/probe/built c
plugin as sdk/rules/probe/probe sdk/rules/probe/built assemblyscript
plugin c test/system/testdata/saboteur/saboteur test/system/testdata/saboteur saboteur

if [ -n "$different" ]; then
  echo "plugins: what is committed does not come from the sources here: run \`make plugins\` and commit the result" >&2
  exit 1
fi
