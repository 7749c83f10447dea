import PromisedExploring
import PromisedSystem
import Testing

/// A list that loads its next page when it is scrolled to the end.
enum Paging {
    struct Request: Hashable, Sendable {
        var query: String
        var page: Int
    }

    struct State: Hashable, Sendable {
        var query = ""
        /// The loaded pages, each named by its query and its number.
        var pages: [String] = []
        var isLoading = false

        var request: Request? { isLoading ? Request(query: query, page: pages.count + 1) : nil }
    }

    enum Event: Hashable, Sendable {
        case search(String), scrollToEnd, loaded(String), failed
    }

    struct Offline: Error {}

    static let reducer = Reducer<State, Event> { state, event in
        switch event {
        case .search(let query): state = State(query: query, isLoading: true)
        case .scrollToEnd: if (1...2).contains(state.pages.count) { state.isLoading = true }
        case .loaded(let page):
            state.pages.append(page)
            state.isLoading = false
        case .failed: state.isLoading = false
        }
    }

    /// Planted: a new search replaces a search, but not the request of a further page. Mended: there is one request,
    /// and it follows from the state.
    static func loading(
        isMended: Bool, _ load: @escaping @Sendable (Request) -> Promise<Event>
    ) -> [Feedback<State, Event>] {
        if isMended { return [.latest(state: { $0.request }, effects: load)] }
        return [
            .latest(state: { $0.pages.isEmpty ? $0.request : nil }, effects: load),
            .onEvent(
                withState: { event, state in
                    event == .scrollToEnd && !state.pages.isEmpty ? state.request : nil
                }, policy: .drop, effects: load),
        ]
    }

    static func explorer(isMended: Bool) -> Explorer<State, Event> {
        Explorer(events: [.search("a"), .search("b"), .scrollToEnd]) { world in
            world.always("the pages are those of the query, in order, each once") { state in
                state.pages == state.pages.indices.map { "\(state.query)\($0 + 1)" }
            }
            return System(
                initialState: State(), scheduler: world.scheduler, reducer: reducer,
                feedbacks: loading(isMended: isMended) { request in
                    let page = "\(request.query)\(request.page)"
                    return world.call(
                        "load \(page)", .value(Event.loaded(page), named: "page"), .error(Offline())
                    )
                    .mapErrorRecover { _ in .failed }
                })
        }
    }
}

// After the paginated repository search of RxFeedback.
@Suite struct PagingTests {
    @Test("a page that was asked for before a refresh is appended: found in 5 steps")
    func planted() throws {
        let found = try #require(Paging.explorer(isMended: false).explore(depth: 6).counterexample)
        #expect(
            found.steps == [
                .send(.search("a")), .answer("load a1", "page"), .send(.scrollToEnd), .send(.search("a")),
                .answer("load a2", "page"),
            ])
    }

    @Test("one request at a time, for the query and the next page: complete")
    func mended() {
        let exploration = Paging.explorer(isMended: true).check(depth: 30)
        #expect(exploration.gaps == [])
    }
}
