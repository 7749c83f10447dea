import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// Navigation is state: a stack is an array, what is presented an optional, a destination a case.
@Suite struct NavigationTests {
    /// Something that is shown above the rest: its last value stays while it goes.
    enum Presentation: Sendable, Equatable {
        case dismissed, presented(String), dismissing(String)

        var value: String? {
            switch self {
            case .dismissed: nil
            case .presented(let value), .dismissing(let value): value
            }
        }
    }

    struct Detail: Sendable, Equatable { var count = 0 }

    enum Screen: Sendable, Equatable { case detail(Detail), settings }

    struct Tab: Sendable, Equatable {
        var stack: [Screen] = []
        var sheet = Presentation.dismissed
    }

    enum Event: Sendable {
        case push(Screen), pop
        case present(String), dismiss, dismissed
        case detail(Int, Int)
    }

    static let navigation = Reducer<Tab, Event> { tab, event in
        switch event {
        case .push(let screen): tab.stack.append(screen)
        case .pop: _ = tab.stack.popLast()
        case .present(let value): tab.sheet = .presented(value)
        case .dismiss: if case .presented(let value) = tab.sheet { tab.sheet = .dismissing(value) }
        case .dismissed: tab.sheet = .dismissed
        case .detail: break
        }
    }

    static let screens = Elements(
        indexedIn: \Tab.stack,
        event: CasePath<Event, (Int, Int)>(embed: { .detail($0.0, $0.1) }) {
            if case .detail(let place, let number) = $0 { (place, number) } else { nil }
        })

    static let detail = Scope<Screen, Int, Detail?, Int>(
        state: CasePath(embed: Screen.detail) { if case .detail(let detail) = $0 { detail } else { nil } },
        event: .identity())

    private func tab(_ detail: Feature<Detail, Int> = .identity) -> (System<Tab, Event>, TestScheduler) {
        let scheduler = TestScheduler()
        let feature =
            Feature(reducer: Self.navigation) <> detail.lifted(by: Self.detail).lifted(byEach: Self.screens)
        return (System(initialState: Tab(), scheduler: scheduler, feature: feature), scheduler)
    }

    @Test("SR-45: push and pop; on an empty stack pop does nothing") func stack() {
        let (tab, scheduler) = tab()
        for event in [Event.pop, .push(.settings), .push(.detail(Detail())), .pop] { tab.sendEvent(event) }
        scheduler.run()
        #expect(tab.state.stack == [.settings])
        for _ in 0..<3 { tab.sendEvent(.pop) }
        scheduler.run()
        #expect(tab.state.stack == [])
    }

    @Test("SR-45: what is dismissed keeps its last value until it is gone; only the dismissal is sent")
    func presentation() {
        let (tab, scheduler) = tab()
        let sheet = tab.settled.map(\.sheet.value)
        let item = sheet.item { [weak tab] in tab?.sendEvent(.dismiss) }
        tab.sendEvent(.present("cart"))
        scheduler.run()
        item.value = "another"
        #expect(item.value == "cart")
        item.value = nil
        scheduler.run()
        #expect(tab.state.sheet == .dismissing("cart") && item.value == "cart")
        tab.sendEvent(.dismissed)
        scheduler.run()
        #expect(item.value == nil)
    }

    @Test("SR-45: a screen of the stack has its own state and work, which ends when it is popped")
    func screens() {
        let works = Log<String>()
        let ticking = Feedback<Detail, Int>.just(
            effects: Effect<Int> { effect in
                works.add("started")
                effect.onCancel { works.add("cancelled") }
                effect.scheduler.schedule(after: .seconds(1)) { effect.send(10) }
            })
        let (tab, scheduler) = tab(
            Feature(reducer: Reducer { detail, number in detail.count += number }, feedbacks: [ticking]))
        let second = tab.scoped(by: Self.screens.scope(of: 1).appending(Self.detail))
        for event in [Event.push(.settings), .push(.detail(Detail()))] { tab.sendEvent(event) }
        scheduler.advance()
        second.sendEvent(5)
        scheduler.advance(by: .seconds(1))
        let read: Detail? = second.state
        #expect(read == Detail(count: 15))
        tab.sendEvent(.pop)
        scheduler.run()
        #expect(works.entries == ["started", "cancelled"] && second.state == nil)
    }
}
