extension Middleware {
    /// Sends an event of one part for an event of another, directly behind that one's turn.
    ///
    /// It looks where it stands among the middleware: as the last it is asked of the events that all others let pass.
    /// What comes of the turn makes no difference to it.
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
    ///   - output: What the event says to the other part; nil for an event that is not meant.
    ///   - condition: Whether it is sent, by the state before the event.
    ///   - input: The event to send.
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
