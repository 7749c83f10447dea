# Runs the tests for one fault and says what they noticed. `run` sources this; it has set `tests`, the test binary.

# filter MODULES SUITES: the tests of these modules, and of these suites unless SUITES is empty.
filter() {
    if [ -n "$2" ]; then echo "^$1Tests\\.(.*/)?($2)(/|[(]|\$)"; else echo "^$1Tests\\."; fi
}

# The modules whose tests are to notice a fault in this file.
modules_for() {
    case $1 in
        Sources/PromisedModels/* | Sources/PromisedModelsTesting/*) echo PromisedModels ;;
        # Both modules stand on them.
        Sources/PromisedSystem/Containers/* | Sources/PromisedSystem/Reading/EventBinding*) echo 'Promised(Models|System)' ;;
        *) echo 'Promise(dSystem|dSources|dRecording|dTesting|dExploring)?' ;;
    esac
}

# run_tests LOG MODULES SUITES SECONDS: the status is that of the tests, or one of `timeout` when they hang.
run_tests() {
    # `SourceTextTests` would report faults that are not in effect.
    local asked=(--filter "$(filter "$2" "$3")" --skip SourceTextTests)
    if [[ $3 != *DepthTests* ]]; then asked+=(--skip DepthTests); fi
    # Not by `swift test`, which discards the output of a run that is killed. In a shell of its own, which says nothing
    # about a crash.
    (timeout -k 5 "$4" "$tests" --testing-library swift-testing "${asked[@]}" >"$1" 2>&1; exit $?) 2>/dev/null
}

hung() { (($1 == 124 || $1 == 137)); }

ran() { grep -Eq 'Test run with [1-9][0-9]* tests? in ' "$1"; }

# failed_tests LOG: the tests that found something, one a line, with their files.
failed_tests() {
    sed -nE 's/^.*✘ Test (".*"|[^ "]+\(\)) recorded an issue.* at ([A-Za-z0-9_+]+)\.swift:[0-9]+:[0-9]+.*/\2: \1/p' "$1" |
        awk '!seen[$0]++'
}

# interrupted_tests LOG: the tests that had begun and not ended, when the run was cut off.
interrupted_tests() {
    awk '/^[^ ]+ Test ".*" started\.$/ { sub(/^[^ ]+ Test /, ""); sub(/ started\.$/, ""); running[$0] = 1 }
         /^[^ ]+ Test ".*" (with [0-9]+ test cases? )?(passed|failed) after / {
             sub(/^[^ ]+ Test /, ""); sub(/ (with [0-9]+ test cases? )?(passed|failed) after .*/, "")
             delete running[$0] }
         END { for (name in running) print name }' "$1" | sort | sed -n 1,3p | paste -s -d '|' | sed 's/"|"/", "/g'
}

# noticed NAME LOG STATUS: says which tests noticed the fault.
noticed() {
    local failed count how=
    if hung "$3"; then
        how="a hang, in $(interrupted_tests "$2")"
    elif ! ran "$2"; then
        how="a crash, in $(interrupted_tests "$2")"
    fi
    failed=$(failed_tests "$2")
    count=$(grep -c . <<<"$failed" || true)
    printf 'noticed    %s: %s%s\n' "$1" "$how" "$( ((count == 0)) || printf '%s%d failed' "${how:+; }" "$count")"
    ((count == 0)) || head -n 3 <<<"$failed" | sed 's/^/               /'
}

# ends_without_fault LOG MODULES SUITES SECONDS: whether the tests end in time without a fault, so that a hang is its doing.
ends_without_fault() {
    local status=0
    (unset PLANTED_FAULT; run_tests "$1.without" "$2" "$3" "$4") || status=$?
    ! hung "$status"
}

# judge NAME LOG MODULES SUITES SECONDS: runs the tests and says whether they noticed the fault. A fault that they did not
# notice is tried again, up to five times, because it may be a race.
judge() {
    local status
    for _ in 1 2 3 4 5; do
        status=0
        run_tests "$2" "$3" "$4" "$5" || status=$?
        if ((status != 0)) && ! grep -q 'Test run with 0 tests in ' "$2"; then
            if hung "$status" && [ -z "$(failed_tests "$2")" ] && ! ends_without_fault "$2" "$3" "$4" "$5"; then
                printf 'NEEDS UPDATING  %s: without it, its tests do not end in %d s here\n' "$1" "$5"
            elif ran "$2" || grep -q 'started\.$' "$2"; then
                noticed "$1" "$2" "$status"
            else
                printf 'NEEDS UPDATING  %s: the tests did not run: %s\n' "$1" "$(tail -n 3 "$2")"
            fi
            return
        fi
        if ! ran "$2"; then
            printf 'NEEDS UPDATING  %s: no test ran. Does "%s" name suites that there are?\n' "$1" "$4"
            return
        fi
    done
    printf 'UNNOTICED  %s\n' "$1"
}
