import PromisedSystem

extension Middleware where State == ProductPage.State, Event == ProductPage.Event {
    /// Says what is about to take a while.
    ///
    /// It is said before the turn and not after it, as the records of the loop are: somebody who waits for a load
    /// that does not end has been told of it.
    static func progress(of source: String, to talk: @escaping @Sendable (String) -> Void) -> Middleware {
        Middleware(before: { event, _ in
            if event == .load { talk("Loading \(source)…".visible) }
            return .pass
        })
    }
}
