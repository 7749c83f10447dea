/// The states of a recorded system, turn by turn in both directions, or at any turn at once.
///
/// ```swift
/// struct Counter: Codable, Sendable { var count = 0 }
///
/// func play(_ recording: Recording) throws {
///     var playback = try recording.playback(of: "counter", Counter.self)
///     while try playback.step() { print(playback.turn, try playback.changes) }
///     try playback.seek(to: 1)
///     print(try playback.state.count)
/// }
/// ```
///
/// Nothing is run: no reducer, no effect. The state of a turn is the one before the next turn of the recording begins;
/// a turn of another system, which counts as well, does not change it.
///
/// A state is decoded as the type is now. Members that it has got since are filled in, and named by ``repairs``; see
/// there.
public struct Playback<State: Decodable & Sendable>: Sendable {
    /// The current turn.
    public private(set) var turn: Int
    /// The name of the system.
    public let system: String

    private let recording: Recording
    private var cursor: StateCursor

    init(_ recording: Recording, _ system: String) throws(RecordingError) {
        (self.recording, self.system, turn) = (recording, system, recording.turns.lowerBound)
        cursor = StateCursor(try recording.segment(at: turn), system)
        cursor.move(to: turn)
    }

    /// Moves to a turn.
    ///
    /// - Complexity: Independent of the number of turns, apart from a binary search in the file: from the last full
    ///   state
    ///   on, differences are applied.
    ///
    /// - Throws: A ``RecordingError`` if there is no such turn, or if the file cannot be read; then the playback stays
    ///   where it is.
    public mutating func seek(to turn: Int) throws(RecordingError) {
        guard recording.turns.contains(turn) else {
            throw .unknownTurn(path: recording.file.path, turn: turn, turns: recording.turns)
        }
        if !cursor.segment.turns.contains(turn) {
            cursor = StateCursor(try recording.segment(at: turn), system)
        }
        cursor.move(to: turn)
        self.turn = turn
    }

    /// Moves to the next turn of the recording.
    ///
    /// - Returns: False at the last turn, where it stays.
    /// - Throws: A ``RecordingError`` if the file cannot be read.
    @discardableResult public mutating func step() throws(RecordingError) -> Bool {
        guard turn < recording.turns.upperBound else { return false }
        try seek(to: turn + 1)
        return true
    }

    /// Moves to the turn before.
    ///
    /// - Returns: False at the first turn, where it stays.
    /// - Throws: A ``RecordingError`` if the file cannot be read.
    @discardableResult public mutating func stepBack() throws(RecordingError) -> Bool {
        guard turn > recording.turns.lowerBound else { return false }
        try seek(to: turn - 1)
        return true
    }

    /// The state at the current turn, decoded at each access.
    ///
    /// - Throws: A ``RecordingError`` if the state is not known there, which names the line, or is no `State`, which
    ///   names
    ///   the part.
    public var state: State { get throws(RecordingError) { try decoded().state } }

    /// The members that the recorded state does not have, a line for each, such as
    /// `cart.note: missing in the recording, filled in`.
    ///
    /// They were filled in as `nil`, `""`, `0`, `false`, an empty collection, or a structure of these; a case of an
    /// enum is never made up. Members that only the recorded state has are ignored.
    ///
    /// - Throws: What ``state`` throws.
    public var repairs: [String] { get throws(RecordingError) { try decoded().repairs } }

    /// The differences between the state at the turn before and the current one; none at the first turn.
    ///
    /// - Throws: What ``state`` throws, for either of the turns.
    public var changes: StateDiff {
        get throws(RecordingError) {
            var before = self
            let isThere = try before.stepBack()
            let state = try state
            return StateDiff(from: isThere ? try before.state : state, to: state)
        }
    }

    /// The state as recorded.
    package var recordedState: RecordedState { cursor.state }

    private func decoded() throws(RecordingError) -> (state: State, repairs: [String]) {
        let path = recording.file.path
        switch cursor.state {
        case .value(let value): return try recording.decode(value, at: turn)
        case .text: throw .textOnly(path: path, name: system, state: "its type")
        case .unknown(let line, let reason):
            let before = try recording.file.lineNumber(at: cursor.segment.start) - 1
            throw .unknownState(turn: turn, .init(path: path, line: before + line, reason: reason))
        }
    }
}

extension Recording {
    /// A state as a type of today, and the members that were filled in.
    func decode<State: Decodable>(
        _ value: JSONValue, at turn: Int
    ) throws(RecordingError) -> (state: State, repairs: [String]) {
        var repairs: [String] = []
        do {
            return (try value.decode(State.self, repairs: &repairs), repairs)
        } catch {
            throw .undecodable(
                path: file.path, turn: turn, type: "\(State.self)", reason: error.description)
        }
    }

    /// The states of a system, at first at the beginning.
    ///
    /// - Parameters:
    ///   - name: The name of the system, as it was given to the recorder.
    ///   - type: The type of its states.
    /// - Throws: A ``RecordingError`` if there is no such system, if its states were recorded as text, or if the file
    ///   cannot be read.
    public func playback<State>(
        of name: String, _ type: State.Type
    ) throws(RecordingError) -> Playback<State> {
        _ = try system(name, where: \.canBePlayedBack)
        return try Playback(self, name)
    }
}

/// A place in a segment, and the state of one system there.
struct StateCursor: Sendable {
    let segment: RecordingSegment
    /// The state at the turn; not known if the turn is one of those that are missing.
    var state: RecordedState {
        missing.map { .unknown(line: $0.line, reason: "facts before it are missing") } ?? known
    }
    private var known: RecordedState
    /// The line before which facts are missing, if the turn is one of them.
    private var missing: RecordedFact?
    private let system: Int
    /// How many facts of the segment are applied.
    private var index = 0
    /// Some of the states on the way, so that going back does not begin at the segment's start each time.
    private var earlier: [(index: Int, state: RecordedState)] = []

    /// Facts between two of the states that are remembered.
    private static let distance = 16
    /// Only states of so few bytes are remembered: a change to a larger one would copy much each time.
    private static let maximumSize = 100_000

    init(_ segment: RecordingSegment, _ name: String) {
        self.segment = segment
        // A number that no system has: then the state is unknown from the first line on.
        system = segment.systems.last { $0.name == name }?.number ?? -1
        known = .unknown(line: 1, reason: "the system is not recorded there")
        earlier = [(0, known)]
    }

    mutating func move(to turn: Int) {
        if index > 0, segment.facts[index - 1].turn > turn {
            let place = earlier.dropFirst().last { segment.facts[$0.index - 1].turn <= turn }
            (index, known) = place ?? earlier[0]
        }
        while index < segment.facts.count, segment.facts[index].turn <= turn {
            known.apply(segment.facts[index], system: system)
            index += 1
            if index >= earlier[earlier.count - 1].index + Self.distance, isSmall {
                earlier.append((index, known))
            }
        }
        let next = index < segment.facts.count ? segment.facts[index] : nil
        let isReached = index > 0 && segment.facts[index - 1].turn == turn
        missing = isReached ? nil : next.flatMap { $0.kind == .lost || $0.kind == .resume ? $0 : nil }
    }

    private var isSmall: Bool {
        if case .value(let value) = known {
            value.size(upTo: Self.maximumSize) <= Self.maximumSize
        } else {
            true
        }
    }
}
