public import Promise
public import PromisedSystem

extension Marbles {
    /// Expects what a source tells; `|` is its end.
    ///
    /// - Parameters:
    ///   - row: When, up to the end of the longest row that is played.
    ///   - source: Such as `system.settled`, or `system.shown.map(\.state)`.
    ///   - replayCurrent: Whether the present value counts, at the first tick.
    ///   - values: What the characters stand for.
    public static func expect<Value: Equatable>(
        _ row: String, of source: Source<Value>, replayCurrent: Bool = false, _ values: [Character: Value]
    ) -> Marbles {
        expect(row, knows(values), listening(to: source, replayCurrent, marks(values)))
    }

    /// Expects what a source tells; `|` is its end.
    ///
    /// - Parameters:
    ///   - row: When, up to the end of the longest row that is played.
    ///   - source: Such as `system.shown`.
    ///   - replayCurrent: Whether the present value counts, at the first tick.
    ///   - character: What stands for a value: for a value that prints as one character that, unless said.
    public static func expect<Value>(
        _ row: String, of source: Source<Value>, replayCurrent: Bool = false,
        _ character: @escaping @Sendable (Value) -> Character? = { Self.itself($0) }
    ) -> Marbles {
        expect(row, { _ in true }, listening(to: source, replayCurrent, marks(character)))
    }

    /// Expects what a promise tells, which starts at the first tick: interim values, then a value and `|`, as in
    /// `-i--(v|)`, or `#`, also if it is cancelled.
    ///
    /// - Parameters:
    ///   - row: When, up to the end of the longest row that is played.
    ///   - promise: One that has not been started, if its own work is to be seen.
    ///   - values: What the characters stand for.
    ///   - error: What stands for an error.
    public static func expect<Value: Equatable>(
        _ row: String, of promise: Promise<Value>, _ values: [Character: Value],
        error: @escaping @Sendable (any Error) -> Character = { _ in "#" }
    ) -> Marbles {
        // An error may have a character of its own.
        expect(row, { _ in true }, listening(to: promise, marks(values), error))
    }

    /// Expects what a promise tells, which starts at the first tick: interim values, then a value and `|`, as in
    /// `-i--(v|)`, or `#`, also if it is cancelled.
    ///
    /// - Parameters:
    ///   - row: When, up to the end of the longest row that is played.
    ///   - promise: One that has not been started, if its own work is to be seen.
    ///   - error: What stands for an error.
    ///   - character: What stands for a value: for a value that prints as one character that, unless said.
    public static func expect<Value>(
        _ row: String, of promise: Promise<Value>,
        error: @escaping @Sendable (any Error) -> Character = { _ in "#" },
        _ character: @escaping @Sendable (Value) -> Character? = { Self.itself($0) }
    ) -> Marbles {
        expect(row, { _ in true }, listening(to: promise, marks(character), error))
    }

    /// Expects the turns of a system, each at its end.
    ///
    /// - Parameters:
    ///   - row: When, up to the end of the longest row that is played.
    ///   - system: On the scheduler that plays.
    ///   - character: What stands for a turn.
    public static func expect<State, Event>(
        _ row: String, ofTurnsOf system: System<State, Event>,
        _ character: @escaping @Sendable (LoopRecord<State, Event>) -> Character?
    ) -> Marbles {
        expect(row, { _ in true }) { _, tell in
            system.onLoop { tell(marks(character)($0), "the turn of \($0.event): \($0.outcome)") }
        }
    }

    /// The character that a value prints as; nil if it prints as several.
    @usableFromInline
    static func itself<Value>(_ value: Value) -> Character? {
        let text = "\(value)"
        return text.count == 1 ? text.first : nil
    }
}

// MARK: - Listening

extension Marbles {
    private typealias Marks<Value> = @Sendable (Value) -> [MarbleRow.Mark]

    private static func expect(
        _ row: String, _ knows: @escaping @Sendable (MarbleRow.Mark) -> Bool,
        _ begin: @escaping @Sendable (TestScheduler, @escaping Listening.Tell) -> SubscriptionToken?
    ) -> Marbles {
        Marbles(text: row, part: .expected(Listening(knows: knows, begin: begin)))
    }

    private static func knows<Value: Sendable>(
        _ values: [Character: Value]
    ) -> @Sendable (MarbleRow.Mark) -> Bool {
        { mark in if case .value(let character) = mark { values[character] != nil } else { true } }
    }

    /// Several characters may stand for the same.
    private static func marks<Value: Equatable & Sendable>(_ values: [Character: Value]) -> Marks<Value> {
        { value in values.filter { $0.value == value }.keys.sorted().map(MarbleRow.Mark.value) }
    }

    private static func marks<Value>(_ character: @escaping @Sendable (Value) -> Character?) -> Marks<Value> {
        { value in
            guard let character = character(value), !MarbleRow.reserved.contains(character) else { return [] }
            return [.value(character)]
        }
    }

    private static func listening<Value>(
        to source: Source<Value>, _ replayCurrent: Bool, _ marks: @escaping Marks<Value>
    ) -> @Sendable (TestScheduler, @escaping Listening.Tell) -> SubscriptionToken? {
        { _, tell in
            source.attach(replayCurrent, { tell(marks($0), "\($0)") }, { tell([.end], "the end") })
        }
    }

    private static func listening<Value>(
        to promise: Promise<Value>, _ marks: @escaping Marks<Value>,
        _ character: @escaping @Sendable (any Error) -> Character
    ) -> @Sendable (TestScheduler, @escaping Listening.Tell) -> SubscriptionToken? {
        { scheduler, tell in
            scheduler.runAsCurrent {
                _ = promise.onInterim { tell(marks($0), "\($0)") }.onResult { result in
                    switch result {
                    case .success(let value):
                        tell(marks(value), "\(value)")
                        tell([.end], "the end")
                    case .failure(let error): tell([MarbleRow.Mark(character(error))], "\(error)")
                    }
                }
            }
            return nil
        }
    }
}
