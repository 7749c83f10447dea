import PromisedModels

/// Plays a short session, and prints the screen.
@main
enum CounterList {
    static func main() async throws {
        let scheduler = QueueScheduler.serial("counters")
        let store = Store<AppModel>(initialState: .init(), scheduler: scheduler) { $0.uuid = .incrementing }
        for line in try await session(store.model) { print(line) }
    }

    /// The screen after each step of a session.
    static func session(_ app: AppModel) async throws -> [String] {
        let view = TerminalView(model: app)
        var shown: [String] = []
        app.addButtonTapped()
        app.addButtonTapped()
        try await app.waitUntil(app.counters.count == 2)
        let counters = app.counters.map(\.counter)
        for _ in 0..<2 { counters[0].incrementTapped() }
        counters[1].decrementTapped()
        shown.append(view.text)
        counters[0].factButtonTapped()
        try await app.waitUntil(app.factPrompt != nil)
        shown.append(view.text)
        app.factPrompt?.dismissTapped()
        try await app.waitUntil(app.factPrompt == nil)
        counters[1].factButtonTapped()
        try await app.waitUntil(counters[1].alert != nil)
        shown.append(view.text)
        app.counters[1].removeButtonTapped()
        try await app.waitUntil(app.counters.count == 1)
        shown.append(view.text)
        return shown
    }
}
