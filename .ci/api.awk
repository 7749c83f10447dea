# The declarations of a module, one a line: the types that contain it, a colon, and the declaration. Reads what
# `swift synthesize-interface` prints.

{ sub(/^ +/, "") }
/^$|^\/\/|^import / { next }

# An attribute may stand on a line of its own.
/^@[A-Za-z]+(\(.*\))?$/ { attributes = attributes $0 " "; next }

$0 == "}" { depth -= 1; next }

{
    opens = sub(/ \{$/, "")
    declaration = attributes $0
    attributes = ""
    sub(/public /, "", declaration)
    sub(/@inlinable /, "", declaration)
    # An extension is the place of its members; by itself it declares conformances at most.
    if (declaration !~ /^extension [^ ]+( where .*)?$/) print (depth ? path[depth] ": " : "") declaration
}

opens {
    name = declaration
    # Its name stands after the last keyword, before generic parameters and protocols.
    sub(/^(.* )?(struct|class|enum|protocol|extension|actor) /, "", name)
    constraints = ""
    if (declaration ~ /^extension .* where /) {
        constraints = declaration
        sub(/.* where /, " where ", constraints)
    }
    sub(/[ <:].*/, "", name)
    depth += 1
    path[depth] = (depth > 1 ? path[depth - 1] "." : "") name constraints
}
