# Prints a source file with one edit: `awk -v place=DECLARATION -v find=FILE -v replace=FILE -f plant.awk SOURCE`.
#
# The text of the file `find` must occur exactly once in the declaration, or in the whole source if `place` is empty, and
# is replaced by the text of the file `replace`. What is wrong otherwise is printed on standard error, with status 1.
#
# A declaration is a function, initializer, subscript or computed property whose line contains `place` as whole words, or
# is `place`. It ends with the first line that closes it by indentation.

function contents(file,    line, text, separator) {
    while ((getline line < file) > 0) { text = text separator line; separator = "\n" }
    close(file)
    return text
}

function indentation(line) { match(line, /^ */); return RLENGTH }

function declares(line,    rest) {
    sub(/^ +/, "", line)
    if (line == place) return 1
    rest = line
    while (match(rest, /^(@[A-Za-z]+(\([^)]*\))?|public|package|private|fileprivate|static|final|mutating|nonmutating|override|convenience|consuming|nonisolated) +/))
        rest = substr(rest, RLENGTH + 1)
    if (rest !~ /^(func|init|deinit|subscript|var)([^A-Za-z0-9_]|$)/) return 0
    if (rest ~ /^var/ && rest !~ /^var [^={]*\{/) return 0
    return index(rest, place) == 1 && substr(rest, length(place) + 1, 1) !~ /[A-Za-z0-9_]/
}

# The number of the last line of the declaration that begins at line `first`.
function last_line(first,    depth, number, count) {
    if (lines[first] ~ /\{.*\}$/) return first
    depth = indentation(lines[first])
    for (number = first + 1; number <= NR; number++) {
        if (lines[number] == "" || indentation(lines[number]) > depth) continue
        if (substr(lines[number], depth + 1, 1) == "}") return number
        if (lines[number] !~ /^ *[){}]|^ *(->|where)/) return number - 1
    }
    return NR
}

function joined(first, last,    number, text) {
    for (number = first; number <= last; number++) text = text lines[number] "\n"
    return text
}

function fail(problem) { print problem > "/dev/stderr"; failed = 1; exit 1 }

{ lines[NR] = $0 }

END {
    if (failed) exit 1
    first = 1; last = NR
    if (place != "") {
        for (number = 1; number <= NR; number++) if (declares(lines[number])) { found++; first = number }
        if (found == 0) fail("there is no declaration \"" place "\"")
        if (found > 1) fail("there is more than one declaration \"" place "\"")
        last = last_line(first)
    }
    old = contents(find); new = contents(replace)
    text = joined(first, last)
    at = index(text, old)
    if (at == 0) fail("the declaration does not contain the text")
    if (index(substr(text, at + 1), old) > 0) fail("the declaration contains the text more than once")
    printf "%s%s%s%s%s", joined(1, first - 1), substr(text, 1, at - 1), new, substr(text, at + length(old)), joined(last + 1, NR)
}
