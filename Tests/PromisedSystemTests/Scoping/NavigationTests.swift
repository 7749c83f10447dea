import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// Navigation as state: a stack is an array, a presented screen an optional, a destination a case.
@Suite struct NavigationTests {
    struct Detail: Sendable, Equatable { var count = 0 }

    enum Screen: Sendable, Equatable { case detail(Detail), settings }

    struct Tab: Sendable, Equatable {
        var stack: [Screen] = []
        var sheet = Presentation<String>.dismissed
        var isPrivate: Bool?
        var selection = 0
    }

    enum Event: Sendable {
        case stack(StackEvent<Screen>)
        case sheet(PresentationEvent<String>)
        case item(ItemEvent<Bool>)
        case selection(Int)
        case detail(Int, Int)
    }

    static let navigation: Reducer<Tab, Event> = .combined(
        .stack(in: Scope(state: \.stack, event: stackEvent)),
        .presentation(in: Scope(state: \.sheet, event: sheetEvent)),
        .item(in: Scope(state: \.isPrivate, event: itemEvent)),
        .selection(in: Scope(state: \.selection, event: selectionEvent)))

    static let stackEvent = CasePath(embed: Event.stack) {
        if case .stack(let event) = $0 { event } else { nil }
    }
    static let sheetEvent = CasePath(embed: Event.sheet) {
        if case .sheet(let event) = $0 { event } else { nil }
    }
    static let itemEvent = CasePath(embed: Event.item) {
        if case .item(let event) = $0 { event } else { nil }
    }
    static let selectionEvent = CasePath(embed: Event.selection) {
        if case .selection(let tab) = $0 { tab } else { nil }
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

    @Test("SR-45: push and pop change the stack; pop on an empty stack is a no-op") func stack() {
        let (tab, scheduler) = tab()
        for event in [StackEvent<Screen>.pop, .push(.settings), .push(.detail(Detail())), .pop] {
            tab.sendEvent(.stack(event))
        }
        scheduler.run()
        #expect(tab.state.stack == [.settings])
        for _ in 0..<3 { tab.sendEvent(.stack(.pop)) }
        scheduler.run()
        #expect(tab.state.stack == [])
    }

    @Test("SR-45: a stack is popped to a depth, and set as a whole") func depths() {
        let (tab, scheduler) = tab()
        tab.sendEvent(.stack(.set([.settings, .detail(Detail()), .settings])))
        for (event, count) in [
            (StackEvent<Screen>.popTo(count: 5), 3), (.popTo(count: 1), 1), (.popTo(count: -1), 0),
        ] {
            tab.sendEvent(.stack(event))
            scheduler.run()
            #expect(tab.state.stack.count == count)
        }
    }

    @Test("SR-45: an item is shown, replaced and dismissed; a selection is the last one selected")
    func others() {
        let (tab, scheduler) = tab()
        for (event, item) in [
            (ItemEvent<Bool>.dismiss, nil), (.show(true), true), (.show(false), false), (.dismiss, nil),
        ] as [(ItemEvent<Bool>, Bool?)] {
            tab.sendEvent(.item(event))
            scheduler.run()
            #expect(tab.state.isPrivate == item)
        }
        for selected in [2, 1] { tab.sendEvent(.selection(selected)) }
        scheduler.run()
        #expect(tab.state.selection == 1)
    }

    @Test("SR-45: a presentation has three stages, and every event is handled in each") func stages()
        throws
    {
        let reducer = Reducer<Presentation<String>, PresentationEvent<String>>.presentation()
        let stages = [Presentation.dismissed, .presented("a"), .dismissing("a")]
        func next(_ event: PresentationEvent<String>) throws -> [Presentation<String>?] {
            try stages.map { try reducer($0, event).result?.get() }
        }
        #expect(try next(.present("b")) == [.presented("b"), .presented("b"), .presented("b")])
        #expect(try next(.dismiss) == [.dismissed, .dismissing("a"), .dismissing("a")])
        #expect(try next(.dismissed) == [.dismissed, .presented("a"), .dismissed])
        #expect(stages.map(\.item) == [nil, "a", nil] && stages.map(\.drawn) == [nil, "a", "a"])
    }

    @Test("SR-45: a feature of a presented value runs while that is presented") func presentedFeature() {
        let shouting = Reducer<String, Int> { text, times in text += String(repeating: "!", count: times) }
        let sheet = Scope<Presentation<String>, Int, String?, Int>(state: .presented(), event: .identity())
        let reducer = shouting.lifted(by: sheet)
        let system = System(
            initialState: Presentation.presented("a"), scheduler: .immediate, reducer: reducer)
        system.sendEvent(2)
        #expect(system.state == .presented("a!!"))
        for stage in [Presentation<String>.dismissed, .dismissing("a")] {
            let system = System(initialState: stage, scheduler: .immediate, reducer: reducer)
            system.sendEvent(2)
            #expect(system.state == stage)
            #expect(system.scoped(by: sheet).state == nil)
        }
    }

    @Test("SR-45: a dismissed value is drawn until it has disappeared; only the dismissal is sent")
    func presentation() {
        let (tab, scheduler) = tab()
        let sheet = tab.settled.map(\.sheet.drawn)
        let item = sheet.item { [weak tab] in tab?.sendEvent(.sheet(.dismiss)) }
        tab.sendEvent(.sheet(.present("cart")))
        scheduler.run()
        item.value = "another"
        #expect(item.value == "cart")
        item.value = nil
        scheduler.run()
        #expect(tab.state.sheet == .dismissing("cart") && item.value == "cart")
        tab.sendEvent(.sheet(.dismissed))
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
        for event in [StackEvent<Screen>.push(.settings), .push(.detail(Detail()))] {
            tab.sendEvent(.stack(event))
        }
        scheduler.advance()
        second.sendEvent(5)
        scheduler.advance(by: .seconds(1))
        let read: Detail? = second.state
        #expect(read == Detail(count: 15))
        tab.sendEvent(.stack(.pop))
        scheduler.run()
        #expect(works.entries == ["started", "cancelled"] && second.state == nil)
    }
}
