public import PromisedSystem

/// A search while the user types.
public enum Search: Sendable {
    /// What the user sees.
    public struct State: Hashable, Sendable {
        /// The typed text.
        public var text = ""
        /// The words that were found for the text; empty while they are requested.
        public var hits: [String] = []
        /// Why the last request failed.
        public var failure: String?
        /// What is requested now, if anything.
        var request: Request?

        /// An empty field.
        public init() {}

        /// Whether hits are to come: the user may still be typing.
        public var isSearching: Bool { request != nil }
    }

    /// A text, and how long the user may type on before it is requested.
    struct Request: Hashable, Sendable {
        let text: String
        var pause = Duration.zero
    }

    /// What can happen.
    public enum Event: Hashable, Sendable {
        /// The user has changed the text, or wants to try again.
        case typed(String), retried
        /// The request has ended.
        case found([String]), failed(String)
    }

    static let reducer = Reducer<State, Event> { search, event in
        switch event {
        case .typed(let text):
            (search.text, search.hits, search.failure) = (text, [], nil)
            search.request = text.isEmpty ? nil : Request(text: text, pause: .milliseconds(300))
        case .retried:
            if search.failure != nil { (search.request, search.failure) = (Request(text: search.text), nil) }
        case .found(let hits): (search.hits, search.request) = (hits, nil)
        case .failed(let reason): (search.failure, search.request) = (reason, nil)
        }
    }

    /// Requests the hits 300 ms after the last letter, and at once when the user tries again. The next letter
    /// cancels the request.
    static func finding(_ client: Client) -> Feedback<State, Event> {
        .latest(state: \.request) { request in
            client.find(request.text).timeout(.seconds(10)).delayStart(request.pause)
                .map { .found($0) }.mapErrorRecover { .failed("\($0)") }
        }
    }

    /// The reducer and its work.
    public static func feature(_ client: Client) -> Feature<State, Event> {
        Feature(reducer: reducer, feedbacks: [finding(client)])
    }
}
