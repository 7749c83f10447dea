import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// A part of a state whose place another one takes: the work for the first ends, and that for the second begins.
@Suite struct ReplacedPartTests {
    struct Draft: Sendable, Equatable, Identifiable {
        let id: Int
        var isActive = true
        var got: [String] = []
    }

    enum DraftEvent: Sendable { case go, got(String) }

    enum Route: Sendable, Equatable { case none, draft(Draft) }

    struct Whole: Sendable {
        var plain = Draft(id: 1)
        var optional: Draft?
        var sheet = Presentation<Draft>.dismissed
        var route = Route.none
        var slots: [String: Draft] = [:]
        var rows: [Draft] = []
    }

    enum Event: Sendable { case put(Draft), none, draft(DraftEvent) }

    static let draft = CasePath(embed: Event.draft) { if case .draft(let event) = $0 { event } else { nil } }
    static let inSlot = CasePath<Event, (String, DraftEvent)>(embed: { .draft($0.1) }) { event in
        if case .draft(let event) = event { ("slot", event) } else { nil }
    }

    /// A way in which the whole has a draft.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let lift: @Sendable (Feature<Draft, DraftEvent>) -> Feature<Whole, Event>
        let put: @Sendable (inout Whole, Draft) -> Void
        let get: @Sendable (Whole) -> Draft?
    }

    static let places = [
        Place(
            testDescription: "a property", lift: { $0.lifted(by: Scope(state: \Whole.plain, event: draft)) },
            put: { $0.plain = $1 }, get: { $0.plain }),
        Place(
            testDescription: "an optional",
            lift: { $0.lifted(by: Scope(state: \Whole.optional, event: draft)) },
            put: { $0.optional = $1 }, get: { $0.optional }),
        Place(
            testDescription: "a presentation",
            lift: {
                let sheet = Scope<Whole, Event, Presentation<Draft>, DraftEvent>(
                    state: \.sheet, event: draft)
                return $0.lifted(by: sheet.appending(Scope(state: .presented(), event: .identity())))
            }, put: { $0.sheet = .presented($1) }, get: { $0.sheet.item }),
        Place(
            testDescription: "a case of an enum",
            lift: {
                let route = Scope<Whole, Event, Route, DraftEvent>(state: \.route, event: draft)
                let inside = CasePath(embed: Route.draft) {
                    if case .draft(let draft) = $0 { draft } else { nil }
                }
                return $0.lifted(by: route.appending(Scope(state: inside, event: .identity())))
            }, put: { $0.route = .draft($1) },
            get: { if case .draft(let draft) = $0.route { draft } else { nil } }),
        Place(
            testDescription: "a value of a dictionary",
            lift: { $0.lifted(byEach: Elements(keyedIn: \Whole.slots, event: inSlot)) },
            put: { $0.slots["slot"] = $1 }, get: { $0.slots["slot"] }),
        Place(
            testDescription: "an element at an index",
            lift: {
                let first = CasePath<Event, (Int, DraftEvent)>(embed: { .draft($0.1) }) { event in
                    if case .draft(let event) = event { (0, event) } else { nil }
                }
                return $0.lifted(by: Scope(index: 0, in: \Whole.rows, event: first))
            }, put: { $0.rows = [$1] }, get: { $0.rows.first }),
    ]

    /// A way in which a draft starts work.
    struct Form: Sendable, CustomTestStringConvertible {
        typealias Work = @Sendable (Draft) -> Effect<DraftEvent>

        let testDescription: String
        /// Whether a draft that comes has its work without an event.
        let startsAlone: Bool
        let feedback: @Sendable (@escaping Work) -> Feedback<Draft, DraftEvent>
    }

    static let forms = [
        Form(testDescription: "onEvent", startsAlone: false) { work in
            .onEvent(
                withState: { if case .go = $0 { $1 } else { nil } }, key: { _ in "draft" }, effects: work)
        },
        Form(testDescription: "latest", startsAlone: true) { work in
            .latest(state: { $0.isActive ? Draft(id: $0.id) : nil }, effects: work)
        },
        Form(testDescription: "whenBecomesTrue", startsAlone: true) {
            .whenBecomesTrue(state: \.isActive, effects: $0)
        },
        Form(testDescription: "whilePresent", startsAlone: true) { work in
            .whilePresent(state: { $0.isActive ? $0 : nil }, effects: work)
        },
        Form(testDescription: "skippingRepeated", startsAlone: true) {
            .skippingRepeated(state: \.isActive, effects: $0)
        },
        Form(testDescription: "react", startsAlone: true) { work in
            .react(requests: { $0.isActive ? ["a": true] : [:] }) { (_: String, _: Bool) in work(Draft(id: 0))
            }
        },
        Form(testDescription: "requests", startsAlone: true) { work in
            Feedback { _, draft in draft.isActive ? [EffectRequest("a") { work(draft) }] : [] }
        },
    ]

    /// Its work says `+` when it starts, `-` when it is cancelled, and takes a second.
    private static func system(
        _ place: Place, _ form: Form, _ works: Log<String>, _ scheduler: TestScheduler
    ) -> System<Whole, Event> {
        let feature = Feature(
            reducer: Reducer<Draft, DraftEvent> { draft, event in
                if case .got(let what) = event { draft.got.append(what) }
            },
            feedbacks: [
                form.feedback { draft in
                    Effect { effect in
                        works.add("+")
                        effect.onCancel { works.add("-") }
                        effect.scheduler.schedule(after: .seconds(1)) { effect.finish(sending: .got("work")) }
                    }
                }
            ])
        let putting = Reducer<Whole, Event> { whole, event in
            if case .put(let draft) = event { place.put(&whole, draft) }
        }
        let whole = place.lift(feature)
        return System(
            initialState: Whole(), scheduler: scheduler, reducer: putting <> whole.reducer,
            feedbacks: whole.feedbacks)
    }

    @Test("work does not outlive the part that it is for", arguments: places, forms)
    func replaced(_ place: Place, _ form: Form) {
        let (works, scheduler) = (Log<String>(), TestScheduler())
        let system = Self.system(place, form, works, scheduler)
        system.sendEvent(.put(Draft(id: 1)))
        if !form.startsAlone { system.sendEvent(.draft(.go)) }
        scheduler.advance()
        _ = works.take()
        system.sendEvent(.put(Draft(id: 2)))
        scheduler.advance()
        #expect(works.take() == (form.startsAlone ? ["-", "+"] : ["-"]))
        scheduler.advance(by: .seconds(2))
        // What the second one has is its own.
        #expect(place.get(system.state)?.got == (form.startsAlone ? ["work"] : []))
    }

    @Test("a part that changes and keeps its id keeps its work", arguments: places, forms)
    func changed(_ place: Place, _ form: Form) {
        let (works, scheduler) = (Log<String>(), TestScheduler())
        let system = Self.system(place, form, works, scheduler)
        system.sendEvent(.put(Draft(id: 1)))
        if !form.startsAlone { system.sendEvent(.draft(.go)) }
        scheduler.advance()
        _ = works.take()
        system.sendEvent(.put(Draft(id: 1, got: ["before"])))
        scheduler.advance()
        #expect(works.take() == [])
        scheduler.advance(by: .seconds(2))
        #expect(place.get(system.state)?.got == ["before", "work"])
    }

    @Test("the event that puts another part in its place starts no work for that", arguments: places)
    func replacedByItsEvent(_ place: Place) {
        let (works, scheduler) = (Log<String>(), TestScheduler())
        let feature = Feature(
            reducer: Reducer<Draft, DraftEvent> { _, _ in },
            feedbacks: [
                .onEvent(withState: { if case .go = $0 { $1.id } else { nil } }) { id in
                    Effect<DraftEvent>.fireAndForget { works.add("\(id)") }
                }
            ])
        let putting = Reducer<Whole, Event> { whole, event in
            switch event {
            case .put(let draft): place.put(&whole, draft)
            case .draft(.go) where place.get(whole)?.id == 1: place.put(&whole, Draft(id: 2))
            case .draft, .none: break
            }
        }
        let whole = place.lift(feature)
        let system = System(
            initialState: Whole(), scheduler: scheduler, reducer: whole.reducer <> putting,
            feedbacks: whole.feedbacks)
        system.sendEvent(.put(Draft(id: 1)))
        system.sendEvent(.draft(.go))
        scheduler.advance()
        #expect(works.take() == [])
        // The next event is for the part that is there.
        system.sendEvent(.draft(.go))
        scheduler.advance()
        #expect(works.take() == ["2"])
    }

    @Test("an event that the work has sent for the first part does not reach the second", arguments: places)
    func withdrawn(_ place: Place) {
        let scheduler = TestScheduler()
        let feature = Feature(
            reducer: Reducer<Draft, DraftEvent> { draft, event in
                if case .got(let what) = event { draft.got.append(what) }
            },
            feedbacks: [
                .onEvent({ if case .go = $0 { true } else { nil } }) { _ in
                    Effect { effect in
                        effect.scheduler.schedule(after: .seconds(1)) { effect.finish(sending: .got("late")) }
                    }
                }
            ])
        let whole = place.lift(feature)
        let putting = Reducer<Whole, Event> { (state: Whole, event: Event) -> Promise<Whole> in
            guard case .put(let draft) = event else { return .value(state) }
            var next = state
            place.put(&next, draft)
            // The event of the work waits for this transition.
            return draft.id == 2 ? Promise.value(next).delay(.seconds(5)) : .value(next)
        }
        let system = System(
            initialState: Whole(), scheduler: scheduler, reducer: putting <> whole.reducer,
            feedbacks: whole.feedbacks)
        system.sendEvent(.put(Draft(id: 1)))
        system.sendEvent(.draft(.go))
        scheduler.advance()
        system.sendEvent(.put(Draft(id: 2)))
        scheduler.advance(by: .seconds(9))
        #expect(place.get(system.state) == Draft(id: 2))
    }

    @Test(
        "a handle of a part is over when another one takes its place, or after it was gone",
        arguments: [true, false])
    func handle(isGone: Bool) throws {
        let system = System<Whole, Event>(
            initialState: Whole(optional: Draft(id: 1)), scheduler: .immediate,
            reducer: Reducer<Whole, Event> { whole, event in
                switch event {
                case .put(let draft): whole.optional = draft
                case .none: whole.optional = nil
                case .draft(.got(let what)): whole.optional?.got.append(what)
                case .draft(.go): break
                }
            })
        let scoped = system.scoped(by: Scope(state: \.optional, event: Self.draft))
        let first = try #require(scoped.unwrapped())
        let following = scoped.unwrapped(or: Draft(id: 0))
        first.sendEvent(.got("a"))
        if isGone {
            system.sendEvent(.none)
            system.sendEvent(.put(Draft(id: 1)))
        } else {
            system.sendEvent(.put(Draft(id: 2)))
        }
        first.sendEvent(.got("b"))
        #expect(system.state.optional?.got == [])
        #expect(first.state.got == ["a"])
        following.sendEvent(.got("c"))
        #expect(following.state.got == ["c"])
        let second = try #require(scoped.unwrapped())
        second.sendEvent(.got("d"))
        #expect(second.state.got == ["c", "d"])
        #expect(first.state.got == ["a"])
    }
}
