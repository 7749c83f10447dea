import Promise
import PromisedExploring
import PromisedSystem
import PromisedTesting

/// A search as you type, which begins after the user has signed in and opened the search. It has a fault: an answer is
/// shown whatever the query is by then.
struct SearchPage: Sendable {
    struct Page: Codable, Hashable, Sendable {
        var user: String?, isOpen = false, query = "", found: [String] = [], note = ""
    }

    enum Step: Codable, Hashable, Sendable {
        case signIn(String), signedIn(String), open, type(String), found([String]), failed, wait, waited
    }

    struct Offline: Error, Codable, Hashable {}

    let signIn = Endpoint<String, String>("signIn") { name in
        Promise.value(name.uppercased()).delay(.milliseconds(3))
    }
    let find = Endpoint<String, [String]>("find", failing: Offline.self) { query in
        query == "" ? Promise(error: Offline()) : Promise.value([query + "!"]).delay(.milliseconds(5))
    }

    func system(
        on scheduler: some SerialScheduler, from state: Page = Page(),
        _ configuration: System<Page, Step>.Configuration = .init()
    ) -> System<Page, Step> {
        System(
            initialState: state, scheduler: scheduler,
            reducer: Reducer { page, event in
                switch event {
                case .signedIn(let user): page.user = user
                case .open: page.isOpen = page.user != nil
                case .type(let text) where page.isOpen: (page.query, page.found) = (text, [])
                case .found(let texts): page.found = texts
                case .failed: page.note = "failed"
                case .waited: page.note = "waited"
                case .signIn, .type, .wait: break
                }
            },
            feedbacks: [
                .onEvent({ event -> String? in if case .signIn(let name) = event { name } else { nil } }) {
                    name in
                    Effect.promise(signIn(name).map { .signedIn($0) })
                },
                // A query does not replace the one before: that is the fault.
                .onEvent(withState: { event, page -> String? in
                    if case .type(let text) = event, page.isOpen { text } else { nil }
                }) { query in
                    Effect.promise(find(query).map { .found($0) }.recover { _ in .value(.failed) })
                },
                .onEvent({ event -> Bool? in event == .wait ? true : nil }) { _ in
                    Effect.promise(Promise.value(.waited).delay(.milliseconds(50)))
                },
            ], configuration: configuration)
    }
}
