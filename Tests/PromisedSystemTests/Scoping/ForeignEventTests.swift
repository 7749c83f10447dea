import PromisedSystem
import PromisedTesting
import Testing

/// An event that is not a part's, and leaves the part's state unchanged, is ignored by the part's feedbacks.
@Suite struct ForeignEventTests {
    struct Part: Sendable, Equatable, Identifiable {
        let id = 7
        var wanted = "tea"
        var inner = Inner()
    }

    struct Inner: Sendable, Equatable { var wanted = "milk" }

    struct Whole: Sendable {
        var part = Part()
        var optional: Part? = Part()
        var rows = [Part()]
        var sibling = 0
    }

    enum Event: Sendable { case part(PartEvent), sibling, change(String) }

    enum PartEvent: Sendable { case look, want(String) }

    private static let event = CasePath(embed: Event.part) {
        if case .part(let event) = $0 { event } else { nil }
    }
    private static let rowEvent = CasePath<Event, (Int, PartEvent)>(embed: { .part($0.1) }) {
        if case .part(let event) = $0 { (7, event) } else { nil }
    }

    /// The part is `want`ed by its own reducer, and changed by the whole's.
    private static let reducer = Reducer<Whole, Event> { whole, event in
        switch event {
        case .part(.look): break
        case .part(.want(let what)), .change(let what):
            whole.part.wanted = what
            whole.part.inner.wanted = what
            whole.optional?.wanted = what
            whole.rows[0].wanted = what
        case .sibling: whole.sibling += 1
        }
    }

    private typealias Works = Log<String>

    /// Work that never ends: `+what` when it starts.
    private static func work<Event>(_ what: String, _ works: Works) -> Effect<Event> {
        Effect { _ in works.add("+\(what)") }
    }

    private static func forms(_ works: Works) -> [(name: String, feedback: Feedback<Part, PartEvent>)] {
        [
            ("lensing", .lensing(state: { $0.wanted }) { work($0, works) }),
            ("withLatest", .withLatest(state: { $0.wanted }) { work($0, works) }),
            ("merging", .merging(state: { $0.wanted }) { work($0, works) }),
            (
                "effects",
                Feedback(effects: { part, event in event == nil ? work(part.wanted, works) : .never })
            ),
            (
                "requests",
                Feedback(requests: { soFar, part in
                    [
                        EffectRequest("work", revision: soFar.first?.revision == 1 ? 2 : 1) {
                            work(part.wanted, works)
                        }
                    ]
                })
            ),
        ]
    }

    private typealias Lift = @Sendable (Feedback<Part, PartEvent>) -> Feedback<Whole, Event>

    private static let lifts: [(name: String, lift: Lift)] = [
        ("scope", { $0.lifted(by: Scope(state: \.part, event: event)) }),
        ("optional", { $0.lifted(by: Scope(state: \.optional, event: event)) }),
        ("element", { $0.lifted(byEach: Elements(in: \.rows, event: rowEvent)) }),
        ("place", { $0.lifted(byEach: Elements(indexedIn: \.rows, event: rowPlace)) }),
        (
            "twice",
            {
                $0.lifted(by: Scope<Part, PartEvent, Part, PartEvent>.identity())
                    .lifted(by: Scope(state: \.part, event: event))
            }
        ),
        ("feature", { Feature(feedbacks: [$0]).lifted(by: Scope(state: \.part, event: event)).feedbacks[0] }),
    ]

    private static let rowPlace = CasePath<Event, (Int, PartEvent)>(embed: { .part($0.1) }) {
        if case .part(let event) = $0 { (0, event) } else { nil }
    }

    private func eachForm(
        _ check: (_ name: String, System<Whole, Event>, _ works: Log<String>) -> Void
    ) {
        for (liftName, lift) in Self.lifts {
            for index in 0..<5 {
                let works = Log<String>()
                let (name, feedback) = Self.forms(works)[index]
                let system = System(
                    initialState: Whole(), scheduler: .immediate, reducer: Self.reducer,
                    feedbacks: [lift(feedback)])
                check("\(name) by \(liftName)", system, works)
            }
        }
    }

    @Test("FS-38: ten events of a sibling start and restart nothing, in any form, however it is lifted")
    func sibling() {
        eachForm { name, system, works in
            for _ in 1...10 { system.sendEvent(.sibling) }
            #expect(works.entries == ["+tea"], "\(name)")
        }
    }

    @Test("FS-38: a part's own event has the same effect as unlifted, although it leaves the state unchanged")
    func own() {
        eachForm { name, system, works in
            system.sendEvent(.sibling)
            system.sendEvent(.part(.look))
            #expect(works.entries == ["+tea", "+tea"], "\(name)")
            system.sendEvent(.part(.want("milk")))
            #expect(works.entries == ["+tea", "+tea", "+milk"], "\(name)")
        }
    }

    @Test("FS-38: a foreign event that changes the part is seen by its feedbacks")
    func changed() {
        eachForm { name, system, works in
            system.sendEvent(.sibling)
            system.sendEvent(.change("milk"))
            system.sendEvent(.sibling)
            #expect(works.entries == ["+tea", "+milk"], "\(name)")
        }
    }

    @Test("FS-38: an event of the outer part is foreign to an inner part that it leaves unchanged")
    func inner() {
        let works = Log<String>()
        let inner = Feedback<Inner, Int>.lensing(state: { $0.wanted }) { Self.work($0, works) }
        let part = inner.lifted(
            by: Scope<Part, PartEvent, Inner, Int>(
                state: \.inner, event: CasePath(embed: { _ in .look }, extract: { _ in nil })))
        let system = System(
            initialState: Whole(), scheduler: .immediate, reducer: Self.reducer,
            feedbacks: [part.lifted(by: Scope(state: \.part, event: Self.event))])
        for event in [Event.part(.look), .sibling, .part(.look)] { system.sendEvent(event) }
        #expect(works.entries == ["+milk"])
        system.sendEvent(.part(.want("bread")))
        #expect(works.entries == ["+milk", "+bread"])
    }

    @Test("FS-38: every event counts as a change of a part that is not Equatable")
    func notEquatable() {
        struct Plain: Sendable { var wanted = "tea" }
        struct Outer: Sendable { var plain = Plain(), sibling = 0 }
        let works = Log<String>()
        let scope = Scope<Outer, Int, Plain, Int>(
            state: \.plain, event: CasePath(embed: { _ in 0 }, extract: { _ in nil }))
        let outer = System(
            initialState: Outer(), scheduler: .immediate, reducer: Reducer<Outer, Int> { $0.sibling += $1 },
            feedbacks: [
                Feedback<Plain, Int>.lensing(state: { $0.wanted }) { Self.work($0, works) }.lifted(by: scope),
                // A feedback that compares its own input is not affected.
                Feedback<Plain, Int>.lensingSkippingRepeated(state: { $0.wanted }) {
                    Self.work("\($0) once", works)
                }.lifted(by: scope),
            ])
        outer.sendEvent(1)
        #expect(works.entries == ["+tea", "+tea once", "+tea"])
    }

    @Test("FS-38: an optional part that comes back with an equal state has its work restarted")
    func comesBack() {
        let works = Log<String>()
        let lensing = Feedback<Part, PartEvent>.lensing(state: { $0.wanted }) { Self.work($0, works) }
        let system = System(
            initialState: Whole(), scheduler: .immediate,
            reducer: Reducer<Whole, Bool> { whole, isThere in
                whole.optional = isThere ? Part() : nil
                whole.rows = isThere ? [Part()] : []
            },
            feedbacks: [
                lensing.lifted(
                    by: Scope<Whole, Bool, Part?, PartEvent>(
                        state: \.optional, event: CasePath(embed: { _ in true }, extract: { _ in nil }))),
                lensing.lifted(
                    byEach: Elements<Whole, Bool, Int, Part, PartEvent>(
                        in: \.rows, event: CasePath(embed: { _ in true }, extract: { _ in nil }))),
            ])
        for isThere in [true, false, true] { system.sendEvent(isThere) }
        #expect(works.entries == ["+tea", "+tea", "+tea", "+tea"])
    }
}
