import Promise
import PromisedSystem

extension TestSystem {
    /// Asserts that an event came that something else than the test has sent: an effect, middleware, a binding.
    ///
    /// Events may be received in any order, each once.
    ///
    /// - Parameters:
    ///   - event: Which event.
    ///   - changes: Makes the state before the one that it has led to that one, if that is to be asserted here.
    public func receive(
        _ event: Event, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column, _ changes: ((inout State) -> Void)? = nil
    ) where Event: Equatable {
        let name = ValueText(event: event).description
        receive(name, TestPlace(fileID, filePath, line, column), { $0 == event }, changes)
    }

    /// Asserts that an event came that is meant.
    ///
    /// - Parameters:
    ///   - isMeant: Which event.
    ///   - changes: Makes the state before the one that it has led to that one, if that is to be asserted here.
    public func receive(
        where isMeant: (Event) -> Bool, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, _ changes: ((inout State) -> Void)? = nil
    ) {
        receive(
            "an event that the closure accepts", TestPlace(fileID, filePath, line, column), isMeant, changes)
    }

    private func receive(
        _ name: String, _ place: TestPlace, _ isMeant: (Event) -> Bool, _ changes: ((inout State) -> Void)?
    ) {
        let open = happenings.withLock { $0.openEvents() }
        guard let found = open.first(where: { isMeant($0.event) }) else {
            return fail(Self.notReceived(name, open), place)
        }
        happenings.withLock { $0.entries[found.place].isAccountedFor = true }
        if let changes { assertState(from: found.place, inOneTurn: true, place, after: name, changes) }
    }

    private static func notReceived(
        _ name: String,
        _ open: [(place: Int, event: Event, origin: Origin, disposition: EventLog<State, Event>.Disposition)]
    ) -> String {
        guard !open.isEmpty else {
            return """
                Expected to receive \(name), but no event came that was not received yet.

                What sends it may need time: move the clock with advance(by:) first. That does not move what runs on \
                another scheduler or sleeps: put a Stub in its place.
                """
        }
        return """
            Expected to receive \(name), but these came:

            \(open.map { "    \(ValueText(event: $0.event)), sent at \($0.origin)" }.joined(separator: "\n"))
            """
    }
}
