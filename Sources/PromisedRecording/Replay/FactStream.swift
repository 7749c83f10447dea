/// The facts of a recording, read one after the other, of which only a few are in memory.
struct FactStream: Sendable {
    private let file: RecordingFile
    private let limits: Recording.Limits
    private var reader: FactReader
    private var facts: ArraySlice<RecordedFact> = []
    private var (offset, lines) = (0, 0)
    private var isAtEnd = false

    /// How many lines, and bytes, are read at once.
    private static let (lineCount, byteCount) = (2_000, 1 << 20)

    init(_ recording: Recording) {
        (file, limits) = (recording.file, recording.limits)
        reader = FactReader(limits, sharing: nil) { _ in true }
    }

    /// The next fact; nil at the end.
    mutating func next() throws(RecordingError) -> RecordedFact? {
        while facts.isEmpty, !isAtEnd { try read() }
        return facts.popFirst()
    }

    private mutating func read() throws(RecordingError) {
        let (start, before) = (offset, lines)
        var (new, count): ([RecordedFact], Int) = ([], 0)
        new.reserveCapacity(Self.lineCount)
        func add(_ fact: RecordedFact) -> Bool {
            new.append(fact)
            return true
        }
        isAtEnd = true
        try file.forEachLine(from: start, keeping: limits.lineBytes) { (line) throws(RecordingError) in
            var line = line
            line.number += before
            _ = try reader.read(line, add)
            (offset, lines, count) = (line.offset + line.length + 1, line.number, count + 1)
            isAtEnd = count < Self.lineCount && offset - start < Self.byteCount
            return isAtEnd
        }
        if isAtEnd { _ = try reader.settle(nextTurn: nil, add) }
        facts = new[...]
    }
}

/// The facts of one system, and those that say that some are missing or that give full states, read one after the other,
/// with its state.
struct SystemStream: Sendable {
    private var stream: FactStream
    private let name: String
    private var number = -1
    /// The state after the last fact.
    private(set) var state = RecordedState.unknown(line: 0, reason: "")

    init(_ recording: Recording, _ name: String) { (stream, self.name) = (FactStream(recording), name) }

    /// Whether facts are missing there, or another session begins, or the system is under control of time travel.
    func isGap(_ fact: RecordedFact) -> Bool { fact.isGap(of: number) }
    /// Whether work of the system is in flight, at a line with full states.
    func hasOpenWork(at fact: RecordedFact) -> Bool { fact.hasOpenWork(of: number) }
    /// Whether the system can be run again from a line with full states.
    func canStart(at fact: RecordedFact) -> Bool { fact.canStart(number) }

    /// The next fact; nil at the end.
    mutating func next() throws(RecordingError) -> RecordedFact? {
        while let fact = try stream.next() {
            // Another session has other numbers.
            if fact.kind == .recording { number = -1 }
            number = fact.number(of: name) ?? number
            state.apply(fact, system: number)
            if fact["s"]?.int == number || fact.isGap || fact.kind == .key { return fact }
        }
        return nil
    }
}
