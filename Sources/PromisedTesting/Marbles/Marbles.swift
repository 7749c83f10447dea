import Promise
public import PromisedSystem

/// A row of marbles: what a test does, or what it expects, at each tick of a scheduler's clock.
///
/// ```swift
/// import PromisedSystem
/// import PromisedTesting
///
/// let scheduler = TestScheduler()
/// let search = System<String, String>(
///     initialState: "", scheduler: scheduler, eventPolicy: { _ in .replace }
/// ) { _, text in
///     Promise.value("hits of \(text)").delay(.seconds(2)).stateWhenLoading("...")
/// }
/// scheduler.play(
///     .send("  typed: a-b---", to: search, ["a": "te", "b": "tea"]),
///     .expect("shown: l-l-h-", of: search.shown.map(\.state), ["l": "...", "h": "hits of tea"]))
/// ```
///
/// A character is one tick, one second unless ``TestScheduler/play(_:tick:fileID:filePath:line:column:)`` is told
/// otherwise. `-` is nothing, `(ab)` are several at one instant, which take one tick as well, `|` is the end, and `#` an
/// error. Every other character is one of yours: an event, or a value. Spaces take no time, and put rows under each
/// other. What stands before a colon is the row's name, by which failures call it.
public struct Marbles: Sendable {
    enum Part: Sendable {
        /// What is done for a mark; nil for one that means nothing.
        case input(@Sendable (MarbleRow.Mark, TestPlace) -> (@Sendable () -> Void)?)
        case expected(Listening)
    }

    /// How it is heard what comes.
    struct Listening: Sendable {
        typealias Tell = @Sendable (_ marks: [MarbleRow.Mark], _ text: String) -> Void

        /// Whether a mark stands for something that can come.
        let knows: @Sendable (MarbleRow.Mark) -> Bool
        /// Listens until what it returns is cancelled.
        let begin: @Sendable (TestScheduler, @escaping Tell) -> SubscriptionToken?
    }

    let text: String
    let part: Part

    // MARK: What is done

    /// Does something at each tick that has a character.
    ///
    /// - Parameters:
    ///   - row: When.
    ///   - values: What the characters stand for.
    ///   - body: Runs on the scheduler.
    public static func perform<Value: Sendable>(
        _ row: String, _ values: [Character: Value], _ body: @escaping @Sendable (Value) -> Void
    ) -> Marbles {
        Marbles(
            text: row,
            part: .input { mark, _ in
                guard case .value(let character) = mark, let value = values[character] else { return nil }
                return { body(value) }
            })
    }

    /// Sends events to a system; `|` stops it.
    ///
    /// - Parameters:
    ///   - row: When.
    ///   - system: On the scheduler that plays.
    ///   - events: What the characters stand for.
    public static func send<State, Event>(
        _ row: String, to system: System<State, Event>, _ events: [Character: Event],
        file: StaticString = #fileID, line: UInt = #line
    ) -> Marbles {
        send(row, to: system, file: file, line: line) { events[$0] }
    }

    /// Sends events to a system; `|` stops it.
    ///
    /// - Parameters:
    ///   - row: When.
    ///   - system: On the scheduler that plays.
    ///   - event: What a character stands for; nil for one that is a mistake.
    public static func send<State, Event>(
        _ row: String, to system: System<State, Event>, file: StaticString = #fileID, line: UInt = #line,
        _ event: @escaping @Sendable (Character) -> Event?
    ) -> Marbles {
        Marbles(
            text: row,
            part: .input { mark, _ in
                switch mark {
                case .value(let character):
                    guard let event = event(character) else { return nil }
                    return { system.sendEvent(event, file: file, line: line) }
                case .end: return { system.stop() }
                case .error: return nil
                }
            })
    }

    /// Settles the calls of a stub, at each tick the oldest that is open; `#` rejects it.
    ///
    /// - Parameters:
    ///   - row: When.
    ///   - stub: Whose calls.
    ///   - values: The answers that the characters stand for.
    ///   - interim: The interim values that other characters stand for.
    ///   - error: What `#` stands for.
    public static func settle<Input, Value>(
        _ row: String, _ stub: Stub<Input, Value>, _ values: [Character: Value],
        interim: [Character: Value] = [:], error: any Error = MarbleError()
    ) -> Marbles {
        Marbles(
            text: row,
            part: .input { mark, place in
                switch mark {
                case .value(let character):
                    if let value = values[character] {
                        return { stub.settle(.fulfilled, .oldest, place) { $0.fulfill(value) } }
                    }
                    guard let value = interim[character] else { return nil }
                    return { stub.settle(nil, .oldest, place) { $0.report(value) } }
                case .error: return { stub.settle(.rejected, .oldest, place) { $0.reject(error) } }
                case .end: return nil
                }
            })
    }
}

/// The error that `#` stands for in a row of marbles, if no other is named.
public struct MarbleError: Error, Sendable, Hashable {
    /// The error.
    public init() {}
}
