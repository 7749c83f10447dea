import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// What a part of a system shows: settled and loading states.
@Suite struct ScopedStateTests {
    struct Row: Sendable, Equatable, Identifiable {
        let id: Int
        var text = "old"
    }

    struct Inner: Sendable, Equatable {
        var text = "old"
        var rows = [Row(id: 7)]
    }

    enum Screen: Sendable, Equatable { case empty, page(Inner) }

    struct Whole: Sendable, Equatable {
        var inner = Inner()
        var optional: Inner? = Inner()
        var screen = Screen.page(Inner())
        var rows = [Row(id: 7), Row(id: 8)]
        var named = ["seven": Row(id: 7)]

        /// A whole in which every part has this text.
        func with(_ text: String) -> Whole {
            let inner = Inner(text: text, rows: [Row(id: 7, text: text)])
            return Whole(
                inner: inner, optional: inner, screen: .page(inner),
                rows: [Row(id: 7, text: text), Row(id: 8)],
                named: ["seven": Row(id: 7, text: text)])
        }
    }

    enum Event: Sendable { case load, other }

    private static func load<Local: Sendable>() -> CasePath<Event, Local> {
        CasePath(embed: { _ in .load }, extract: { _ in nil })
    }

    private static let page = Scope<Screen, Event, Inner?, Event>(
        state: CasePath(embed: Screen.page) { if case .page(let inner) = $0 { inner } else { nil } },
        event: .identity())

    private let scheduler = TestScheduler()

    /// Loads for a second, and shows a loading state meanwhile.
    private var system: System<Whole, Event> {
        System(initialState: Whole(), scheduler: scheduler) { whole, event in
            guard case .load = event else { return .value(whole) }
            return Promise.value(whole.with("new")).delay(.seconds(1)).stateWhenLoading(whole.with("loading"))
        }
    }

    private static let texts = ["old", "loading …", "new"]

    /// Sends to a part, and returns what that has shown.
    private func shown<Local>(
        _ part: ScopedSystem<Local, Event>, _ text: @escaping @Sendable (Local) -> String?
    ) -> [String] {
        let log = Log<String>()
        let token = part.shown.subscribe { shown in
            log.add((text(shown.state) ?? "nothing") + (shown.isLoading ? " …" : ""))
        }
        scheduler.advance()
        part.sendEvent(.load)
        scheduler.advance()
        #expect(part.shown.value.isLoading && text(part.shown.value.state) == "loading")
        #expect(text(part.state) == "old")
        scheduler.run()
        token.cancel()
        return log.entries
    }

    @Test("PK-10, FS-37: a part shows loading states through a key path") func property() {
        let scope = Scope<Whole, Event, Inner, Event>(state: \.inner, event: .identity())
        #expect(shown(system.scoped(by: scope)) { $0.text } == Self.texts)
        #expect(shown(system.scoped(to: \.inner, event: { $0 })) { $0.text } == Self.texts)
        #expect(shown(system.scoped()) { $0.inner.text } == Self.texts)
    }

    @Test("PK-10, FS-37: a part shows loading states through a case, also of an appended scope") func ofCase()
    {
        let screen = Scope<Whole, Event, Screen, Event>(state: \.screen, event: .identity())
        #expect(shown(system.scoped(by: screen.appending(Self.page))) { $0?.text } == Self.texts)
        #expect(shown(system.scoped(by: screen).scoped(by: Self.page)) { $0?.text } == Self.texts)
    }

    @Test("PK-10, FS-37: a part shows loading states through an optional") func optional() {
        let optional = Scope<Whole, Event, Inner?, Event>(state: \.optional, event: .identity())
        let text = Scope<Inner, Event, String, Event>(state: \.text, event: .identity())
        #expect(shown(system.scoped(by: optional)) { $0?.text } == Self.texts)
        #expect(shown(system.scoped(by: optional.appending(text))) { $0 } == Self.texts)
        #expect(shown(system.scoped(by: optional).scoped(by: text.optional)) { $0 } == Self.texts)
    }

    @Test("PK-10, FS-37: an element shows loading states, by identity, place and key, and in a part")
    func elements() {
        let byID = Scope<Whole, Event, Row?, Event>(id: 7, in: \.rows, event: Self.only(7))
        let byPlace = Scope<Whole, Event, Row?, Event>(index: 0, in: \.rows, event: Self.only(0))
        let byKey = Scope<Whole, Event, Row?, Event>(key: "seven", in: \.named, event: Self.only("seven"))
        for scope in [byID, byPlace, byKey] {
            #expect(shown(system.scoped(by: scope)) { $0?.text } == Self.texts)
        }
        let inner = Scope<Whole, Event, Inner, Event>(state: \.inner, event: .identity())
        let row = Scope<Inner, Event, Row?, Event>(id: 7, in: \.rows, event: Self.only(7))
        #expect(shown(system.scoped(by: inner.appending(row))) { $0?.text } == Self.texts)
        #expect(shown(system.scoped(by: inner).scoped(by: row)) { $0?.text } == Self.texts)
    }

    private static func only<ID: Sendable>(_ id: ID) -> CasePath<Event, (ID, Event)> {
        CasePath(embed: { $0.1 }, extract: { (id, $0) })
    }

    @Test("PK-10, FS-37: a part that is not Equatable shows every state") func notEquatable() {
        struct Plain: Sendable { var text: String }
        let scope = Scope<Whole, Event, Plain, Event>(
            get: { Plain(text: $0.inner.text) }, modify: { _, _ in }, extract: { $0 }, embed: { $0 })
        let system = system
        let part = system.scoped(by: scope)
        let log = Log<String>()
        let token = part.shown.subscribe { log.add($0.state.text) }
        system.sendEvent(.other)
        scheduler.advance()
        #expect(log.entries == ["old", "old"])
        token.cancel()
        #expect(shown(part) { $0.text } == Self.texts)
    }

    @Test("FS-37: a part's subscribers receive its shown states when they have become unequal, and no others")
    func onlyWhatChanged() {
        let system = system
        let log = Log<Shown<Inner>>()
        let part = system.scoped(to: \.inner)
        let token = part.shown.subscribe { log.add($0) }
        system.sendEvent(.other)
        scheduler.run()
        let old = Inner(), new = Whole().with("new").inner
        #expect(log.take() == [.settled(old)])
        system.sendEvent(.load)
        scheduler.run()
        #expect(log.entries == [.loading(Whole().with("loading").inner), .settled(new)])
        token.cancel()
    }

    @Test("PK-10: a transition that fails reverts the loading state of a part") func fails() {
        let scheduler = scheduler
        let system = System<Whole, Event>(initialState: Whole(), scheduler: scheduler) { whole, _ in
            Promise<Whole>(error: TestError("no")).delay(.seconds(1)).stateWhenLoading(whole.with("loading"))
        }
        system.onError { _ in }
        let log = Log<String>()
        let part = system.scoped(to: \.inner.text)
        let token = part.shown.subscribe { log.add($0.state) }
        system.sendEvent(.load)
        scheduler.run()
        #expect(log.entries == ["old", "loading", "old"])
        token.cancel()
    }

    @Test("SA-61: two expressions of a part's shown states are one source, different from its settled states")
    func same() {
        let system = system
        let scope = Scope<Whole, Event, Inner, Event>(state: \.inner, event: .identity())
        #expect(system.scoped(by: scope).shown == system.scoped(by: scope).shown)
        #expect(system.scoped(by: scope).shown == system.scoped(to: \.inner).shown)
        #expect(
            system.scoped(to: \.inner.text).shown == system.scoped(to: \.inner).scoped(to: \.text).shown
        )
        #expect(system.scoped(to: \.inner.text).shown != system.scoped(to: \.inner.rows[0].text).shown)
    }

    @Test("PK-10: a constant and a mock show their states") func standIns() {
        #expect(ScopedSystem<Int, Int>.constant(4).shown.value == .settled(4))
        let mock = ScopedSystem<Int, Int>.mock(4) { $0 += $1 }
        mock.sendEvent(5)
        #expect(mock.shown.value == .settled(9))
        #expect(mock.scoped(to: \.description).shown.value == .settled("9"))
    }

    @Test("FS-37: code that cannot send can read a part through its source") func ignoringInput() {
        let system = System<Whole, String>(
            initialState: Whole(), scheduler: .immediate, reducer: Reducer { $0.inner.text = $1 })
        let part: ScopedSystem<String, Never> = system.scoped(to: \.inner.text)
        let same: ScopedSystem<String, Never> = system.scoped().scoped(to: \.inner.text, event: { $0 })
            .ignoringInput
        let log = Log<String>()
        let token = part.settled.subscribe { log.add($0) }
        system.sendEvent("by the root")
        system.scoped(to: \.inner, event: { (text: String) in "local \(text)" }).sendEvent("event")
        #expect(log.entries == ["old", "by the root", "local event"])
        #expect(same.settled == part.settled && same.shown.value == .settled("local event"))
        token.cancel()
    }
}
