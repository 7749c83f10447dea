extension Middleware {
    /// Translates events of one feature into events of another: for each matching event, sends a second one, which is
    /// processed directly after the turn of the first.
    ///
    /// Its position among the middleware matters: as the last, it sees only events that all other middleware passed
    /// on. The second event is sent even if the transition of the first one fails.
    ///
    /// ```swift
    /// enum Event { case signedIn(String), load(of: String) }
    ///
    /// let loading = Middleware<[String], Event>.route(
    ///     { if case .signedIn(let name) = $0 { name } else { nil } }, when: \.isEmpty, to: { .load(of: $0) })
    /// let shop = System(
    ///     initialState: [], scheduler: .immediate,
    ///     reducer: Reducer<[String], Event> { log, event in log.append("\(event)") }, middleware: loading)
    /// shop.sendEvent(.signedIn("Ada"))
    /// print(shop.state)
    /// ```
    ///
    /// - Parameters:
    ///   - output: Extracts the value to pass on; returns nil for events that don't match.
    ///   - condition: Whether to send the second event, given the state before the first.
    ///   - input: Creates the second event from the extracted value.
    public static func route<Output: Sendable>(
        _ output: @escaping @Sendable (Event) -> Output?,
        when condition: @escaping @Sendable (State) -> Bool = { _ in true },
        to input: @escaping @Sendable (Output) -> Event, file: StaticString = #fileID, line: UInt = #line
    ) -> Middleware {
        Middleware(before: { event, system in
            if let output = output(event), condition(system.state) {
                system.sendEvent(input(output), file: file, line: line)
            }
            return .pass
        })
    }
}
