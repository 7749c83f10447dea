import Foundation

/// A program that measures a table of lines.
struct Benchmarks {
    let lines: [Line]
    /// Which time is measured, as printed under the table.
    let clocks: String

    func main() {
        guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
            print(Options.help)
            exit(2)
        }
        if let id = options.loops { return tellLoops(id) }
        if let loop = options.loop { return run(loop) }
        checkThatAllocationsAreCounted()
        let lines = lines.filter(options.wants)
        var table = Table()
        for line in lines {
            FileHandle.standardError.write(Data("\(line.id) \(line.what)\n".utf8))
            table.add(line.measure(repeats: options.repeats, quick: options.isQuick))
        }
        print(table.text)
        print(
            """

            Times are the median and the least of \(options.repeats) repeats in which all take turns, for each
            operation: \(clocks). "times faster" is the median of the repeats' ratios,
            and the ratio of the fastest repeats; what is to be reached is held against the median.

            """)
        for line in lines { if let note = line.note { print("- \(line.id): \(note)") } }
    }

    private func line(_ id: String) -> Line {
        guard let line = lines.first(where: { $0.id == id }) else { fatalError("There is no line \(id).") }
        return line
    }

    private func tellLoops(_ id: String) {
        let line = line(id)
        for (number, contender) in line.contenders.enumerated() {
            print("\(number)\t\(contender.name)\t\(max(line.operations / 100, line.smallest))")
        }
    }

    private func run(_ loop: (line: String, contender: Int, operations: Int)) {
        _ = line(loop.line).contenders[loop.contender].run(loop.operations)
    }
}
