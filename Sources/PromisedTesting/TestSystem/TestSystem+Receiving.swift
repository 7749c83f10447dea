import Promise
import PromisedSystem

extension TestSystem {
    /// Asserts that an event was sent by something other than the test: an effect, middleware, a binding.
    ///
    /// Events may be received in any order, each once; with ``receivesInOrder``, in the order of their turns.
    ///
    /// - Parameters:
    ///   - event: The expected event.
    ///   - changes: Mutates the state before the event into the one that the event led to; nil to assert that later.
    public func receive(
        _ event: Event, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column, _ changes: ((inout State) -> Void)? = nil
    ) where Event: Equatable {
        let place = TestPlace(fileID, filePath, line, column)
        let name = ValueText(event: event).description
        check(place) { receive(name, place, { areAlike($0, event) }, changes) }
    }

    /// Asserts that an event that satisfies a predicate was sent by something other than the test.
    ///
    /// - Parameters:
    ///   - predicate: Whether an event is the expected one. The first such event that was not received yet is.
    ///   - changes: Mutates the state before the event into the one that the event led to; nil to assert that later.
    public func receive(
        where predicate: (Event) -> Bool, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, _ changes: ((inout State) -> Void)? = nil
    ) {
        let place = TestPlace(fileID, filePath, line, column)
        check(place) { receive("an event that the closure accepts", place, predicate, changes) }
    }

    private func receive(
        _ name: String, _ place: TestPlace, _ predicate: (Event) -> Bool, _ changes: ((inout State) -> Void)?
    ) {
        let open = eventLog.withLock { $0.openEvents() }
        guard let found = open.first(where: { predicate($0.event) }) else {
            return fail(Self.notReceived(name, open) + openWorkNote, place)
        }
        let earlier = open.prefix { $0.place < found.place }
        if receivesInOrder, !earlier.isEmpty {
            fail(
                """
                Expected to receive \(name) next, but this came before it:

                \(Self.list(earlier))

                Receive it first, or leave receivesInOrder false, so that any order is accepted.
                """, place)
        }
        eventLog.withLock { $0.entries[found.place].isAccountedFor = true }
        if let changes { assertState(from: found.place, inOneTurn: true, place, after: name, changes) }
    }

    private typealias Open = (
        place: Int, event: Event, origin: Origin, disposition: EventLog<State, Event>.Disposition
    )

    private static func list(_ events: some Sequence<Open>) -> String {
        events.map { "    \(ValueText(event: $0.event)), sent at \($0.origin)" }.joined(separator: "\n")
    }

    private static func notReceived(_ name: String, _ open: [Open]) -> String {
        guard !open.isEmpty else {
            return """
                Expected to receive \(name), but there is no event left to receive.

                What sends it may need time: move the clock with advance(by:) first. That does not affect what runs on \
                another scheduler or sleeps: replace it with a Stub.
                """
        }
        return """
            Expected to receive \(name), but these came:

            \(list(open))
            """
    }
}
