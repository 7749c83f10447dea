/// A recorded session in a file: which systems it has, and their states at any turn.
///
/// ```swift
/// func look(at path: String) throws {
///     let recording = try Recording(contentsOf: path)
///     print(recording.turns, recording.systems.map(\.name))
///     for problem in try recording.problems() { print(problem) }
/// }
/// ```
///
/// The file is read in pieces, as far as its turns are requested, and stays open until the recording is released. A
/// file that is still being written can be read, without later appends. No content makes reading crash or exceed
/// ``Limits``: whole lines are read, and ``problems(limit:)`` names the others.
public struct Recording: Sendable {
    /// Bounds on the memory that reading takes.
    public struct Limits: Sendable, Hashable {
        /// The length of a line in bytes. Longer ones are skipped.
        public var lineBytes: Int
        /// The number of values (numbers, texts, lists, objects) of a line, and of all states between two full ones.
        /// Each takes up to about 100 bytes.
        public var values: Int

        /// Creates limits.
        ///
        /// - Parameters:
        ///   - lineBytes: The length of a line in bytes, 64 MiB by default. Longer ones are skipped.
        ///   - values: The number of values of a line, and of all states between two full ones.
        public init(lineBytes: Int = 64 << 20, values: Int = 4_000_000) {
            (self.lineBytes, self.values) = (lineBytes, values)
        }
    }

    /// The content of the first line.
    public let header: RecordingHeader
    /// The recorded turns. 0 is the time before the first turn; a recording of the last turns only begins
    /// with a later one. The beginning of a session that was appended counts as a turn.
    public let turns: ClosedRange<Int>
    /// The systems: those of the beginning, those that ended later, and those that exist at the end. Of very many that
    /// have ended, the last ones.
    public let systems: [RecordedSystem]

    package let file: RecordingFile
    package let limits: Limits

    /// Opens a recording.
    ///
    /// - Complexity: Independent of the size of the file: its first and last lines are read.
    ///
    /// - Parameters:
    ///   - path: The path of the file; a relative one belongs to the process's working directory.
    ///   - limits: Bounds on the memory that reading takes.
    /// - Throws: A ``RecordingError`` if the file cannot be read, is no recording, or is one of a newer format.
    public init(contentsOf path: String, limits: Limits = Limits()) throws(RecordingError) {
        try self.init(RecordingFile(path), limits: limits)
    }

    package init(_ file: RecordingFile, limits: Limits = Limits()) throws(RecordingError) {
        var beginning: [RecordedFact] = []
        try file.forEachFact(from: 0, limits) { fact in
            beginning.append(fact)
            return beginning.count < 2
        }
        header = try RecordingHeader(beginning.first, path: file.path)
        (self.file, self.limits) = (file, limits)
        let first = beginning.last?.kind == .key ? beginning.last?.turn ?? 0 : 0
        let start = try RecordingSegment(file, from: 0, covering: first, limits)
        let end = try Self.segment(file, at: .max, limits)
        turns = first...max(first, end.lastTurn)
        systems = (start.systems + end.ended + end.systems).reduce(into: []) { systems, system in
            if !systems.contains(where: { $0.name == system.name }) { systems.append(system) }
        }
    }

    /// The lines that cannot be read, in order.
    ///
    /// - Complexity: Reads the whole file.
    ///
    /// - Parameter limit: How many are listed at most.
    /// - Throws: A ``RecordingError`` if the file cannot be read any more.
    public func problems(limit: Int = 1_000) throws(RecordingError) -> [RecordingProblem] {
        var (problems, states): ([RecordingProblem], [Int: RecordedState]) = ([], [:])
        try file.forEachFact(from: 0, limits) { fact in
            if let reason = Self.apply(fact, to: &states) {
                problems.append(.init(path: file.path, line: fact.line, reason: reason))
            }
            return problems.count < limit
        }
        return problems
    }

    /// The fault of the fact, if there is one.
    private static func apply(_ fact: RecordedFact, to states: inout [Int: RecordedState]) -> String? {
        if fact.kind == .recording { states = [:] }
        let number = fact["s"]?.int
        for system in fact.systems.map(\.number) where states[system] == nil {
            states[system] = .absent(fact)
        }
        for system in Array(states.keys) { states[system]?.apply(fact, system: system) }
        switch fact.kind {
        case .damaged: return fact.reason
        case .unknown: return "its kind, '\(fact["kind"]?.string ?? "")', is unknown"
        case .turn, .begin, .shown, .write, .system:
            guard let state = number.flatMap({ states[$0] }) else { return "its system is unknown" }
            if case .unknown(fact.line, let reason) = state, fact["c"] != .null { return reason }
        default: break
        }
        return nil
    }
}

// MARK: Reading parts

extension Recording {
    /// The segment that has the states at a turn.
    package func segment(at turn: Int) throws(RecordingError) -> RecordingSegment {
        try Self.segment(file, at: turn, limits)
    }

    private static func segment(
        _ file: RecordingFile, at turn: Int, _ limits: Limits
    ) throws(RecordingError) -> RecordingSegment {
        var (end, nearest) = (try file.end(ofTurn: turn), nil as RecordingSegment?)
        while let start = try file.segmentStart(before: end, turn: turn) {
            let segment = try RecordingSegment(file, from: start, covering: turn, limits)
            if segment.isSound { return segment }
            nearest = nearest ?? segment
            end = start
        }
        if let nearest { return nearest }
        return try RecordingSegment(file, from: 0, covering: turn, limits)
    }

    /// The system of a name. Reads the whole file if it existed neither at the beginning nor at the end.
    ///
    /// - Parameter isUsable: A condition; if it is false, the system was recorded as text.
    func system(
        _ name: String, where isUsable: KeyPath<RecordedSystem, Bool>? = nil
    ) throws(RecordingError) -> RecordedSystem {
        var (found, known) = (systems.first { $0.name == name }, Set(systems.map(\.name)))
        if found == nil {
            try file.forEachFact(from: 0, limits, where: { $0 == .system || $0 == .key }) { fact in
                found = fact.systems.first { $0.name == name }
                known.formUnion(fact.systems.map(\.name))
                return found == nil
            }
        }
        guard let found else {
            throw .unknownSystem(path: file.path, name: name, known: known.sorted())
        }
        if let isUsable, !found[keyPath: isUsable] {
            let type = found.canBePlayedBack ? found.event : found.state
            throw .textOnly(path: file.path, name: name, state: type)
        }
        return found
    }

    /// Calls `body` with each fact from the first line of a turn on, until it returns false. Damaged lines are facts of
    /// the kind `damaged`.
    ///
    /// - Complexity: Lines before are counted, and not read.
    package func forEachFact(
        from turn: Int = 0, _ body: (RecordedFact) throws(RecordingError) -> Bool
    ) throws(RecordingError) {
        let start = turn > 0 ? try file.end(ofTurn: turn - 1) : 0
        let before = try file.lineNumber(at: start) - 1
        try file.forEachFact(from: start, limits) { (fact) throws(RecordingError) in
            try body(.init(turn: fact.turn, fact.kind, fact.fields, line: before + fact.line))
        }
    }
}
