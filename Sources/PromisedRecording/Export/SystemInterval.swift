internal import Promise
public import PromisedSystem

/// A turn or a call of a system, from its beginning to its end.
public struct SystemInterval: Sendable, Hashable, CustomStringConvertible {
    /// The turn or the call.
    public enum Kind: String, Sendable, Hashable {
        /// The turn of an event, with its transition.
        case turn
        /// A call of an endpoint, by a transition or an effect.
        case call
    }

    /// The turn or the call.
    public let kind: Kind
    /// The event, or the name of the endpoint and its input; control characters are escaped.
    public let name: String

    /// The kind and the name.
    public var description: String { "\(kind) \(name)" }
}

extension System {
    /// Calls closures when turns, and calls of endpoints, begin and end, from now on: for the lanes of a profiler.
    ///
    /// ```swift
    /// import PromisedRecording
    ///
    /// let counter = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
    /// counter.onInterval { interval in
    ///     print("\(interval) begins")
    ///     return { print("\(interval) ends") }
    /// }
    /// counter.sendEvent(2)
    /// // turn 2 begins
    /// // turn 2 ends
    /// ```
    ///
    /// It has no effect on a system that is recorded or explored, or that has such closures already. As while a system is
    /// recorded, each answer of an endpoint is delivered as work of its own.
    ///
    /// - Parameter begin: Called when something begins: for a turn on the scheduler, for a call on the thread that makes
    ///   it. It returns a closure that is called once when that has ended, been cancelled, or when the system is
    ///   released.
    @inlinable
    public func onInterval(_ begin: @escaping @Sendable (SystemInterval) -> @Sendable () -> Void) {
        attach { scheduler in
            let notes = IntervalNotes(begin)
            return notes.makeProbe(RecordedWork(notes, on: scheduler))
        }
    }
}

/// Notes where the intervals of a system begin and end.
@usableFromInline
final class IntervalNotes: FactReceiver {
    private struct IntervalKey: Hashable {
        let kind: SystemInterval.Kind
        let number: Int
    }

    private let begin: @Sendable (SystemInterval) -> @Sendable () -> Void
    private let ends = Lock<[IntervalKey: @Sendable () -> Void]>([:])
    private let pendingTurn = Lock(0)

    @usableFromInline
    init(_ begin: @escaping @Sendable (SystemInterval) -> @Sendable () -> Void) { self.begin = begin }

    deinit { for end in ends.withLock({ $0.values }) { end() } }

    private func begin(_ kind: SystemInterval.Kind, _ number: Int, _ name: String) {
        let end = begin(SystemInterval(kind: kind, name: name.escapedForTerminal))
        ends.withLock { $0[IntervalKey(kind: kind, number: number)] = end }
    }

    private func end(_ kind: SystemInterval.Kind, _ number: Int) {
        ends.withLock { $0.removeValue(forKey: IntervalKey(kind: kind, number: number)) }?()
    }

    @usableFromInline var hasReplacements: Bool { true }
    @usableFromInline func addBegin(
        _ turn: Int, _ number: UInt32, _ event: (any Sendable)?, _ start: Duration?
    ) { begin(.turn, turn, event.map { ValueText(event: $0).description } ?? "") }
    @usableFromInline func addEnd(
        _ turn: Int, _ number: UInt32, _ outcome: String, _ error: (any Error)?, isUnhandled: Bool
    ) { end(.turn, turn) }

    @usableFromInline func addWork(_ kind: RecordedFact.Kind, _ fields: FactFields) {
        guard case .number(let number)? = fields.first(where: { $0.key == "id" })?.value else { return }
        switch kind {
        case .call:
            var (name, input) = ("", "")
            for case (let key, let value) in fields {
                if key == "name", case .text(let text) = value { name = text }
                if key == "in", case .value(let value) = value { input = ValueText(value).description }
            }
            begin(.call, number, "\(name)(\(input))")
        case .answer where !fields.contains { $0.key == "interim" }: end(.call, number)
        default: break
        }
    }

    @usableFromInline func addPending(_ turn: Int) { pendingTurn.exchange(for: turn) }
    @usableFromInline var transition: String { "turn \(pendingTurn.withLock { $0 })" }

    @usableFromInline func addStart(_ state: any StateBox, after turn: Int) {}
    @usableFromInline func addEvent(_ event: SentEvent) {}
    @usableFromInline func addMiddleware() {}
    @usableFromInline func addCommit(_ state: any StateBox) {}
    @usableFromInline func addShown(_ state: any StateBox, isReverted: Bool) {}
    @usableFromInline func addFailure(_ error: any Error, _ origin: Origin) {}
    @usableFromInline var name: String { "" }
    @usableFromInline func addWrite(
        _ event: any Sendable, _ origin: Origin, _ owner: String?, _ state: any StateBox
    ) {}
    @usableFromInline func addPost(_ event: any Sendable, _ sender: EventPlace, _ owner: String?) {}
    @usableFromInline func add(_ kind: RecordedFact.Kind, _ fields: FactFields) {}
}
