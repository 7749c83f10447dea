import Promise
public import PromisedSystem

/// A row of marbles: what a test performs, or what it expects, at each tick of a scheduler's clock.
///
/// ```swift
/// import PromisedSystem
/// import PromisedTesting
///
/// let scheduler = TestScheduler()
/// let search = System<String, String>(
///     initialState: "", scheduler: scheduler, configuration: .init(eventPolicy: { _ in .replace })
/// ) { _, text in
///     Promise.value("hits of \(text)").delay(.seconds(2)).stateWhenLoading("...")
/// }
/// scheduler.play(
///     .send("  typed: a-b---", to: search, ["a": "te", "b": "tea"]),
///     .expect("shown: l-l-h-", of: search.shown.map(\.state), ["l": "...", "h": "hits of tea"]))
/// ```
///
/// A character is one tick, which lasts one second unless ``TestScheduler/play(_:tick:fileID:filePath:line:column:)``
/// gets another `tick`. `-` is a tick without anything, `(ab)` are several marks at one instant and take one tick as
/// well, `|` is the end, and `#` is an error. Every other character stands for an event or a value of yours. Spaces
/// take no time; they align rows. The text before a colon is the name of the row in failures.
public struct Marbles: Sendable {
    enum Segment: Sendable {
        /// Returns the action for a mark; nil if the test gives the mark no meaning.
        case input(@Sendable (MarbleRow.Mark, TestPlace) -> (@Sendable () -> Void)?)
        case expected(Listening)
    }

    /// How to observe the emissions.
    struct Listening: Sendable {
        typealias Emit = @Sendable (_ marks: [MarbleRow.Mark], _ text: String) -> Void

        /// Whether a mark stands for something that can be emitted.
        let knows: @Sendable (MarbleRow.Mark) -> Bool
        /// Observes until the returned token is cancelled.
        let begin: @Sendable (TestScheduler, @escaping Emit) -> SubscriptionToken?
    }

    let text: String
    let part: Segment

    // MARK: Inputs

    /// Performs an action at each tick that has a character.
    ///
    /// - Parameters:
    ///   - row: The ticks at which to perform it.
    ///   - values: The values of the characters.
    ///   - body: Invoked with the value, on the scheduler.
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
    ///   - row: The ticks at which to send them.
    ///   - system: A system on the scheduler that plays the rows.
    ///   - events: The events of the characters.
    public static func send<State, Event>(
        _ row: String, to system: System<State, Event>, _ events: [Character: Event],
        file: StaticString = #fileID, line: UInt = #line
    ) -> Marbles {
        send(row, to: system, file: file, line: line) { events[$0] }
    }

    /// Sends events to a system; `|` stops it.
    ///
    /// - Parameters:
    ///   - row: The ticks at which to send them.
    ///   - system: A system on the scheduler that plays the rows.
    ///   - event: Returns the event of a character; nil fails the test.
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

    /// Settles the calls of a stub: each mark settles the oldest open call, `#` rejects it.
    ///
    /// - Parameters:
    ///   - row: The ticks at which to settle calls.
    ///   - stub: The stub whose calls are settled.
    ///   - values: The values with which characters fulfill a call.
    ///   - interim: The interim values that other characters report; the call stays open.
    ///   - error: The error with which `#` rejects a call.
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

/// The error that `#` in a row of marbles stands for by default.
public struct MarbleError: Error, Sendable, Hashable {
    /// Creates the error.
    public init() {}
}
