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

# Suites that have nothing for the thread sanitizer to see: those that run other processes, and those that check on one
# thread how deep a chain may be, which laws hold or what an exploration finds.
without_shared_memory=(
    --skip '^DocumentationTests\.'
    --skip '^ProductPageTests\.(.*Run|HelpAndUsage|Help|Completions|StandardInput|FileSource|WebSource|WebRead)Tests'
    --skip '^ProductPageTests\.(Cart(Crash|Disk|Processes)|AnalyticsFile|Terminal|TerminalEnd)Tests'
    --skip '^ProductPageTests\.(Interruption|OutputStream)Tests'
    --skip 'DepthTests'
    --skip 'Wide(Value|State)Tests'
    --skip 'LawTests'
    --skip 'FeatureTreeTests'
    --skip '^PromisedExploringTests\.(Attachment|BruteForce|Merging|Configuration|Explorer|Diagram|Step)Tests'
    --skip '^ProductPageTests\.ExplorationTests'
)

# The suites of the libraries that use several threads, or state that threads share.
shared='AsyncBridge|Binding|BlockingWork|BusyScheduler|Cancellation|CombiningRace|DeliveryOrder|DrainOwnership'
shared+='|EffectEnd|EffectRace|EffectThread|ElementReader|EndsOnce|FreshObject|HistoryRace|InPlace'
shared+='|LastReference|Lifetime|LoopRecord|MainDelivery|MainQueueWatch|Observation|OutcomeTable|Queue|QueueScheduler'
shared+='|Race|ReaderRace|Renderer|Reporting|Scheduler|Serial|Source|StartRace|Store|TestReport|Thread|UnhandledError'
shared+='|Updates|WeakTable'
shared+='|ModelThread|RandomEdit|State|Lifetime|Misuse|Successor'
shared+='|StateSource|BuiltSource|ManySubscribers|Action|Cache|Release|Restoring|Fetches|FetchSource'
shared_files="(struct|extension) ($shared)Tests "
shared="^Promise(dSystem|dSources|dModels|dTesting)?Tests\\.(.*/)?($shared)Tests(/|[(]|\$)"
