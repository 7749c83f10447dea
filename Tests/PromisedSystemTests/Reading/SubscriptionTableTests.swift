import Promise
import PromisedSystem
import Testing

/// What every token and every source owes its holder: tables over all ways to subscribe.
@Suite struct SubscriptionTableTests {
    private let heard = Log<String>()

    private struct Weak {
        weak var system: PartsSystem?
        weak var ear: Ear?
    }

    private func ear(_ name: String, _ onHearing: @escaping @Sendable (Int) -> Void = { _ in }) -> Ear {
        Ear(name, heard, onHearing)
    }

    @Test(
        "SR-50: a token that outlives its system retains neither it nor the subscriber",
        arguments: SubscriptionKind.all)
    func outlives(kind: SubscriptionKind) {
        func subscribe() -> (SubscriptionToken, Weak) {
            let (system, ear) = (Parts.system(), ear("a"))
            let token = kind.subscribe(system, ear)
            system.sendEvent(1)
            return (token, Weak(system: system, ear: ear))
        }
        let (token, held) = subscribe()
        #expect(heard.entries.last == "a 1")
        #expect(held.system == nil && held.ear == nil)
        token.cancel()
    }

    @Test(
        "SR-50: a cancelled token that is kept retains nothing, while the system lives",
        arguments: SubscriptionKind.all)
    func cancelled(kind: SubscriptionKind) {
        let system = Parts.system()
        func subscribe() -> (SubscriptionToken, Weak) {
            let ear = ear("a")
            return (kind.subscribe(system, ear), Weak(ear: ear))
        }
        let (token, held) = subscribe()
        #expect(held.ear != nil || kind.testDescription == "method of an object")
        token.cancel()
        #expect(held.ear == nil && system.subscribers == 0)
        system.sendEvent(1)
        withExtendedLifetime(token) {}
    }

    @Test(
        "SA-05: a source that is held does not retain its system, and keeps the last value",
        arguments: SubscriptionKind.sources)
    func source(kind: SubscriptionKind) throws {
        let make = try #require(kind.source)
        func read() -> (Source<Int>, Weak) {
            let system = Parts.system()
            let source = make(system)
            system.sendEvent(1)
            return (source, Weak(system: system))
        }
        let (source, held) = read()
        #expect(held.system == nil && source.value == 1)
        let token = source.subscribe { [heard] in heard.add("late \($0)") }
        #expect(heard.entries == ["late 1"])
        token.cancel()
    }

    @Test(
        "SR-50: after a cancellation and a change, the same source serves a second round",
        arguments: SubscriptionKind.all)
    func secondRound(kind: SubscriptionKind) {
        let system = Parts.system()
        let source = kind.source?(system)
        for round in 1...3 {
            let ear = ear("\(round)")
            let token = source.map { $0.subscribe { ear.hear($0) } } ?? kind.subscribe(system, ear)
            _ = heard.take()
            system.sendEvent(round * 10)
            #expect(heard.take() == ["\(round) \(round * 10)"])
            token.cancel()
            system.sendEvent(round * 10 + 1)
            #expect(heard.take() == [])
            if let source { #expect(source.value == round * 10 + 1) }
        }
    }

    @Test(
        "SR-50: of three subscribers the middle one is cancelled, between two changes or while the first is notified",
        arguments: SubscriptionKind.all, [true, false])
    func middle(kind: SubscriptionKind, isDuringDelivery: Bool) {
        let system = Parts.system()
        let middle = Box<SubscriptionToken?>(nil)
        let first = ear("first") { number in if number == 1, isDuringDelivery { middle.value?.cancel() } }
        let (second, last) = (ear("second"), ear("last"))
        let source = kind.source?(system)
        let tokens = [first, second, last].map { ear in
            source.map { $0.subscribe { ear.hear($0) } } ?? kind.subscribe(system, ear)
        }
        middle.value = tokens[1]
        if !isDuringDelivery { tokens[1].cancel() }
        for number in 1...2 {
            _ = heard.take()
            system.sendEvent(number)
            #expect(heard.take() == ["first \(number)", "last \(number)"])
        }
        withExtendedLifetime((tokens, second)) {}
    }

    @Test(
        "SR-50: whatever the order in which an operator, its operator and their pair are cancelled, the others go on",
        arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]],
        SubscriptionKind.sources)
    func outsideIn(order: [Int], kind: SubscriptionKind) throws {
        let system = Parts.system()
        let make = try #require(kind.source)
        var inner: Source<Int>? = make(system)
        var outer = inner?.map { $0 + 100 }
        var pair = inner?.combined(with: try #require(outer)).map { $0.0 * 1000 + $0.1 }
        let sources = [inner, outer, pair].compactMap { $0 }
        var tokens = sources.enumerated().map { index, source in
            Optional(source.subscribe { [heard] in heard.add("\(index) \($0)") })
        }
        for (number, place) in order.enumerated() {
            tokens[place] = nil
            _ = heard.take()
            system.sendEvent(number + 1)
            let seen = Set(heard.take().map { $0.prefix(1) })
            #expect(seen == Set(order[(number + 1)...].map { "\($0)"[...] }))
        }
        #expect(sources.map(\.value) == [3, 103, 3103])
        (inner, outer, pair) = (nil, nil, nil)
        withExtendedLifetime((inner, outer, pair)) {}
    }

    @Test(
        "SR-50: nothing is subscribed any more when operators and tokens are released, the source first or last",
        arguments: SubscriptionKind.sources, [true, false])
    func releases(kind: SubscriptionKind, isSourceFirst: Bool) throws {
        let system = Parts.system()
        let make = try #require(kind.source)
        var source: Source<Int>? = make(system)
        var token = source?.subscribe { [heard] in heard.add("\($0)") }
        if isSourceFirst { source = nil } else { token = nil }
        _ = heard.take()
        system.sendEvent(1)
        #expect(heard.take() == (isSourceFirst ? ["1"] : []))
        withExtendedLifetime((source, token)) {}
        (source, token) = (nil, nil)
        #expect(system.subscribers == 0)
    }

    private typealias ObjectForm = @Sendable (PartsSystem, Ear) -> SubscriptionToken

    private static let objectForms: [(name: String, subscribe: ObjectForm)] = [
        ("value", { $0.scoped(to: \.number).settled.subscribe($1, Ear.hear) }),
        ("no argument", { $0.settled.subscribe($1, Ear.note) }),
        (
            "unwrapping",
            {
                $0.settled.map { Optional($0.number) }.subscribe(
                    $1, Ear.hear as @Sendable (Ear) -> @Sendable (Int) -> Void)
            }
        ),
        ("binding", { $0.addBinding($1, Ear.show) }),
        ("loop callback", { $0.addLoopCallback($1, Ear.show) }),
    ]

    @Test(
        "SA-07: a system and a token do not retain the object that subscribed, and call it no more",
        arguments: objectForms.indices)
    func objects(index: Int) {
        let system = Parts.system()
        let (name, subscribe) = Self.objectForms[index]
        func begin() -> (SubscriptionToken, Weak) {
            let ear = ear("a")
            let token = subscribe(system, ear)
            _ = heard.take()
            system.sendEvent(1)
            #expect(heard.take() == ["a 1"], "\(name)")
            return (token, Weak(ear: ear))
        }
        let (token, held) = begin()
        #expect(held.ear == nil, "\(name)")
        system.sendEvent(2)
        #expect(heard.entries == [])
        token.cancel()
    }
}
