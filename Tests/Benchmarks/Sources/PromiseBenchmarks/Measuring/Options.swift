import Foundation

/// The options of the command line.
struct Options {
    var only: Set<String> = []
    var isQuick = false
    var repeats = 9
    /// Only print the loops of a line.
    var loops: String?
    /// Only run a loop, for an external program that counts its instructions.
    var loop: (line: String, contender: Int, operations: Int)?

    static var help: String {
        let program = CommandLine.arguments.first.map { URL(filePath: $0).lastPathComponent } ?? "benchmarks"
        return """
            \(program) [--only a,b,…] [--quick] [--repeats N]
                --only      these lines of the table
                --quick     a tenth of the operations, three repeats
                --repeats   how often each is timed (9)

            For the script `instructions`:

            \(program) --loops LINE
                the loops of a line: number, name, and how many operations to count
            \(program) --loop LINE NUMBER OPERATIONS
                runs one of them and prints nothing
            """
    }

    /// Nil if help is requested, or the arguments are invalid.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        var repeats: Int?
        while let option = rest.popFirst() {
            switch option {
            case "--only":
                guard let lines = rest.popFirst() else { return nil }
                only = Set(lines.split(separator: ",").map(String.init))
            case "--quick": isQuick = true
            case "--repeats":
                guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else { return nil }
                repeats = number
            case "--loops":
                guard let line = rest.popFirst() else { return nil }
                loops = line
            case "--loop":
                guard let line = rest.popFirst(), let contender = rest.popFirst().flatMap({ Int($0) }),
                    let operations = rest.popFirst().flatMap({ Int($0) })
                else { return nil }
                loop = (line, contender, operations)
            default: return nil
            }
        }
        self.repeats = repeats ?? (isQuick ? 3 : 9)
    }

    /// Whether the line is selected; `e` selects all lines that begin with it.
    func wants(_ line: Line) -> Bool {
        only.isEmpty || only.contains(line.id) || only.contains(String(line.id.prefix(1)))
    }
}
