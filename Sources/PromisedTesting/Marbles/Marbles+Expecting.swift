public import Promise
public import PromisedSystem

extension Marbles {
    /// Expects the values of a source; `|` stands for its end.
    ///
    /// - Parameters:
    ///   - row: The expected values. It is compared up to the end of the longest row played.
    ///   - source: The source to observe, such as `system.settled` or `system.shown.map(\.state)`.
    ///   - replayCurrent: Whether the current value is expected at the first tick.
    ///   - values: The values of the characters.
    public static func expect<Value: Equatable>(
        _ row: String, of source: Source<Value>, replayCurrent: Bool = false, _ values: [Character: Value]
    ) -> Marbles {
        expect(row, knows(values), listening(to: source, replayCurrent, marks(values)))
    }

    /// Expects the values of a source; `|` stands for its end.
    ///
    /// - Parameters:
    ///   - row: The expected values. It is compared up to the end of the longest row played.
    ///   - source: The source to observe, such as `system.shown`.
    ///   - replayCurrent: Whether the current value is expected at the first tick.
    ///   - character: Returns the character of a value. By default, the character that the value prints as, if it is
    ///     only one.
    public static func expect<Value>(
        _ row: String, of source: Source<Value>, replayCurrent: Bool = false,
        _ character: @escaping @Sendable (Value) -> Character? = { Self.itself($0) }
    ) -> Marbles {
        expect(row, { _ in true }, listening(to: source, replayCurrent, marks(character)))
    }

    /// Expects the results of a promise, which is started at the first tick: interim values, then a value and `|`, as
    /// in `-i--(v|)`, or `#` for an error or a cancellation.
    ///
    /// - Parameters:
    ///   - row: The expected results. It is compared up to the end of the longest row played.
    ///   - promise: The promise to observe; not started yet, if its own work is to run in virtual time.
    ///   - values: The values of the characters.
    ///   - error: Returns the character of an error.
    public static func expect<Value: Equatable>(
        _ row: String, of promise: Promise<Value>, _ values: [Character: Value],
        error: @escaping @Sendable (any Error) -> Character = { _ in "#" }
    ) -> Marbles {
        // Every mark is accepted, because `error` may return any character.
        expect(row, { _ in true }, listening(to: promise, marks(values), error))
    }

    /// Expects the results of a promise, which is started at the first tick: interim values, then a value and `|`, as
    /// in `-i--(v|)`, or `#` for an error or a cancellation.
    ///
    /// - Parameters:
    ///   - row: The expected results. It is compared up to the end of the longest row played.
    ///   - promise: The promise to observe; not started yet, if its own work is to run in virtual time.
    ///   - error: Returns the character of an error.
    ///   - character: Returns the character of a value. By default, the character that the value prints as, if it is
    ///     only one.
    public static func expect<Value>(
        _ row: String, of promise: Promise<Value>,
        error: @escaping @Sendable (any Error) -> Character = { _ in "#" },
        _ character: @escaping @Sendable (Value) -> Character? = { Self.itself($0) }
    ) -> Marbles {
        expect(row, { _ in true }, listening(to: promise, marks(character), error))
    }

    /// Expects the turns of a system. Each counts when it ends.
    ///
    /// - Parameters:
    ///   - row: The expected turns. It is compared up to the end of the longest row played.
    ///   - system: A system on the scheduler that plays the rows.
    ///   - character: Returns the character of a turn; nil if none stands for it, which fails the test.
    public static func expect<State, Event>(
        _ row: String, ofTurnsOf system: System<State, Event>,
        _ character: @escaping @Sendable (LoopRecord<State, Event>) -> Character?
    ) -> Marbles {
        expect(row, { _ in true }) { _, emit in
            system.onLoop { emit(marks(character)($0), "the turn of \($0.event): \($0.outcome)") }
        }
    }

    /// The character that a value prints as; nil if it prints as several.
    @usableFromInline
    static func itself<Value>(_ value: Value) -> Character? {
        let text = "\(value)"
        return text.count == 1 ? text.first : nil
    }
}

// MARK: - Observing

extension Marbles {
    private typealias Marks<Value> = @Sendable (Value) -> [MarbleRow.Mark]

    private static func expect(
        _ row: String, _ knows: @escaping @Sendable (MarbleRow.Mark) -> Bool,
        _ begin: @escaping @Sendable (TestScheduler, @escaping Listening.Emit) -> SubscriptionToken?
    ) -> Marbles {
        Marbles(text: row, part: .expected(Listening(knows: knows, begin: begin)))
    }

    private static func knows<Value: Sendable>(
        _ values: [Character: Value]
    ) -> @Sendable (MarbleRow.Mark) -> Bool {
        { mark in if case .value(let character) = mark { values[character] != nil } else { true } }
    }

    /// A value may have several characters.
    private static func marks<Value: Equatable & Sendable>(_ values: [Character: Value]) -> Marks<Value> {
        { value in values.filter { areAlike($0.value, value) }.keys.sorted().map(MarbleRow.Mark.value) }
    }

    private static func marks<Value>(_ character: @escaping @Sendable (Value) -> Character?) -> Marks<Value> {
        { value in
            guard let character = character(value), !MarbleRow.reserved.contains(character) else { return [] }
            return [.value(character)]
        }
    }

    private static func listening<Value>(
        to source: Source<Value>, _ replayCurrent: Bool, _ marks: @escaping Marks<Value>
    ) -> @Sendable (TestScheduler, @escaping Listening.Emit) -> SubscriptionToken? {
        { _, emit in
            source.attach(replayCurrent, { emit(marks($0), "\($0)") }, { emit([.end], "the end") })
        }
    }

    private static func listening<Value>(
        to promise: Promise<Value>, _ marks: @escaping Marks<Value>,
        _ character: @escaping @Sendable (any Error) -> Character
    ) -> @Sendable (TestScheduler, @escaping Listening.Emit) -> SubscriptionToken? {
        { scheduler, emit in
            scheduler.runAsCurrent {
                _ = promise.onInterim { emit(marks($0), "\($0)") }.onResult { result in
                    switch result {
                    case .success(let value):
                        emit(marks(value), "\(value)")
                        emit([.end], "the end")
                    case .failure(let error): emit([MarbleRow.Mark(character(error))], "\(error)")
                    }
                }
            }
            return nil
        }
    }
}
