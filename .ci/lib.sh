# What the scripts of this folder share. Sourced by them, from bash.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Nothing here asks anybody anything; a closed standard input would give its number to the next open file.
exec </dev/null

# SwiftPM and the compiler keep caches at home. Where there is none, or it cannot be written to, they get one.
case "${HOME:-}" in
    /*) mkdir -p "$HOME/.cache" 2>/dev/null || unset HOME ;;
    *) unset HOME ;;
esac
export HOME="${HOME:-$PWD/.build/ci-home}"
mkdir -p "$HOME" .build

passed=()

# step NAME COMMAND…: a heading, the command, and the end of the script if it fails.
step() {
    local name=$1 start=$SECONDS
    shift
    printf '\n==== %s\n' "$name"
    if ! "$@"; then
        printf '\n==== FAILED: %s (%d s)\n' "$name" $((SECONDS - start)) >&2
        exit 1
    fi
    printf -- '---- %s: passed in %d s\n' "$name" $((SECONDS - start))
    passed+=("$name")
}

# quiet_build LOG COMMAND…: builds, and fails if a warning was printed.
quiet_build() {
    local log=$1
    shift
    "$@" 2>&1 | tee "$log" || return 1
    if grep -q 'warning:' "$log"; then
        echo 'A build prints no warning; this one printed:' >&2
        grep 'warning:' "$log" | sort -u >&2
        return 1
    fi
}

# tests LOG COMMAND…: runs tests, and fails if none ran.
tests() {
    local log=$1
    shift
    "$@" 2>&1 | tee "$log" || return 1
    if ! grep -Eq 'Test run with [1-9][0-9]* tests? in .* passed' "$log"; then
        echo "No closing line of a test run that passed: did any test run?" >&2
        return 1
    fi
}

finish() {
    local IFS=';'
    printf '\n==== PASSED in %d s:%s\n' "$SECONDS" "${passed[*]/#/ }"
}

# suites_tagged TAG: a pattern for the suites with this tag, to be passed to `--skip`: `swift test` does not know tags. A
# suite's file has its name, which a test checks.
suites_tagged() {
    grep -rlF ".tags(.$1" Tests --include='*Tests.swift' |
        sed -E 's|^Tests/([A-Za-z]+)/(.*/)?([A-Za-z]+)\.swift$|^\1\\.(.*/)?\3(/\|[(]\|$)|' | paste -s -d '|' -
}

# The modules that the package's products have, each after those that it imports.
modules() { sed -nE 's/^ *\.library\(name: "([A-Za-z]+)".*/\1/p' Package.swift; }

# find_modules OPTION…: where the modules are that `swift build` with these options has built, as `modules_folder`, and
# the flags with which a tool of the toolchain reads them, as `module_flags`.
find_modules() {
    local target
    modules_folder=$(swift build --show-bin-path "$@")/Modules
    target=$(swiftc -print-target-info | awk -F '"' '/"triple"/ && !found { found = $4 } END { print found }')
    module_flags=(-target "$target" -module-cache-path "$PWD/.build/module-cache")
}
