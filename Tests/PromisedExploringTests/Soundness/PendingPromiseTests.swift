import Promise
import PromisedExploring
import PromisedSystem
import TestSupport
import Testing

/// A promise that a resolver settles remembers its outcome, whoever has settled it.
@Suite struct PendingPromiseTests {
    private typealias Build = @Sendable (World<Int>) -> System<Int, String>

    private struct Refused: Error, Hashable {}

    /// The events "a" and "b" have an effect settle a promise of the world; "use" sends it.
    private static func build(
        _ settle: @escaping @Sendable (Resolver<String>, String) -> Void,
        use: @escaping @Sendable (Promise<String>) -> Promise<String>
    ) -> Build {
        { world in
            let (promise, resolver) = Promise<String>.pending()
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in state = Int(event) ?? state },
                feedbacks: [
                    .onEvent({ $0 == "a" || $0 == "b" ? $0 : nil }) { event in
                        Effect<String>.fireAndForget { settle(resolver, event) }
                    },
                    .onEvent({ $0 == "use" ? $0 : nil }) { _ in use(promise) },
                ])
        }
    }

    @Test("which effect has fulfilled it is part of a configuration, sent as it is and in a chain")
    func fulfilled() {
        for isChained in [false, true] {
            let found = expectSame(
                ["a", "b", "use"], depth: 5,
                Self.build({ $0.fulfill($1 == "a" ? "1" : "2") }, use: { isChained ? $0.map { $0 } : $0 }))
            #expect(
                Set(found.states) == [0, 1, 2], "\(isChained): \(found)")
            #expect(!found.gaps.contains { "\($0)".contains("awaited") }, "\(found.gaps)")
        }
    }

    @Test("two effects that fulfil it with the same value lead to the same configuration")
    func sameValue() {
        let build = Self.build({ resolver, _ in resolver.fulfill("1") }, use: { $0 })
        let found = expectSame(["a", "b", "use"], depth: 5, build)
        #expect(found.configurations == expectSame(["a", "use"], depth: 5, build).configurations)
    }

    /// The events "a" and "b" have an effect reject the first or the second of two promises of the world.
    private static func rejecting(use: @escaping @Sendable ([Promise<String>]) -> Promise<String>) -> Build {
        { world in
            let promises = [Promise<String>.pending(), Promise<String>.pending()]
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in state = Int(event) ?? state },
                feedbacks: [
                    .onEvent({ $0 == "a" || $0 == "b" ? $0 : nil }) { event in
                        Effect<String>.fireAndForget {
                            promises[event == "a" ? 0 : 1].resolver.reject(Refused())
                        }
                    },
                    .onEvent({ $0 == "use" ? $0 : nil }) { _ in use(promises.map(\.promise)) },
                ])
        }
    }

    @Test("so is its error, and a promise of two that is settled")
    func errors() {
        let build = Self.rejecting { $0[0].recover { _ in .value("1") } }
        let found = expectSame(["a", "b", "use"], depth: 4, build)
        #expect(Set(found.states) == [0, 1])
    }

    @Test("which of two promises is rejected, where both are awaited")
    func places() {
        let build = Self.rejecting { promises in
            Promise.race(
                zip(promises, ["1", "2"]).map { promise, text in promise.recover { _ in .value(text) } })
        }
        let found = expectSame(["a", "b", "use"], depth: 4, build)
        #expect(Set(found.states) == [0, 1, 2])
    }

    @Test("which of two promises has which of two values")
    func swapped() {
        let build: Build = { world in
            let pending = [Promise<String>.pending(), Promise<String>.pending()]
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in state = Int(event) ?? state },
                feedbacks: [
                    .onEvent({ $0 == "a" || $0 == "b" ? $0 : nil }) { event in
                        Effect<String>.fireAndForget {
                            for (one, value) in zip(pending, event == "a" ? ["1", "2"] : ["2", "1"]) {
                                one.resolver.fulfill(value)
                            }
                        }
                    },
                    .onEvent({ $0 == "use" ? $0 : nil }) { _ in pending[0].promise },
                ])
        }
        let found = expectSame(["a", "b", "use"], depth: 4, build)
        #expect(Set(found.states) == [0, 1, 2])
        // Where they are used before they are settled, both values are met in any case.
        #expect(Explorer(events: ["a", "b"], build: build).explore(depth: 3).configurations == 3)
    }

    @Test(
        "a promise that was settled outside of the exploration is a gap, sent as it is and in a chain",
        arguments: [false, true])
    func outside(isChained: Bool) {
        let (promise, resolver) = Promise<String>.pending()
        resolver.fulfill("1")
        let used: @Sendable () -> Promise<String> = { isChained ? promise.map { $0 } : promise }
        let explorer = Explorer<Int, String>(events: ["use"]) { world in
            System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in state = Int(event) ?? state },
                feedbacks: [.onEvent({ $0 == "use" ? $0 : nil }) { _ in used() }])
        }
        let gaps = explorer.explore(depth: 3).gaps.map { "\($0)" }
        #expect(gaps.contains { $0.contains("a promise was awaited that had been settled") }, "\(gaps)")
    }

    @Test("a promise that an action of the world fulfils")
    func action() {
        let build: Build = { world in
            let (promise, resolver) = Promise<String>.pending()
            for number in ["1", "2"] { world.action(number) { resolver.fulfill(number) } }
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in state = Int(event) ?? state },
                feedbacks: [.onEvent({ $0 == "use" ? $0 : nil }) { _ in promise }])
        }
        let found = expectSame(["use"], depth: 4, build)
        #expect(Set(found.states) == [0, 1, 2])
    }

    @Test("one that is fulfilled where it is made is no gap: a callback that is called at once")
    func atOnce() {
        let explorer = Explorer<Int, String>(events: ["1", "2"]) { world in
            System(initialState: 0, scheduler: world.scheduler) { state, event in
                let (promise, resolver) = Promise<Int>.pending()
                resolver.fulfill((state + (Int(event) ?? 0)) % 3)
                return promise
            }
        }
        let found = explorer.explore(depth: 8, .init(audit: 1))
        #expect(found.isComplete && found.configurations == 3, "\(found) \(found.gaps)")
    }

    @Test(
        "a handler that middleware, an action or ended work has left on a pending promise is part of a configuration"
    )
    func handlers() {
        for place in ["middleware", "action", "effect"] {
            let build: Build = { world in
                let (promise, resolver) = Promise<String>.pending()
                let holder = Lock<System<Int, String>?>(nil)
                @Sendable func listen() {
                    _ = promise.done { _ in holder.withLock { $0 }?.sendEvent("hit") }
                }
                if place == "action" { world.action("listen", listen) }
                let system = System<Int, String>(
                    initialState: 0, scheduler: world.scheduler,
                    reducer: Reducer { state, event in if event == "hit" { state = 1 } },
                    feedbacks: [
                        .onEvent({ $0 == "go" ? $0 : nil }) { _ in
                            Effect<String>.fireAndForget { resolver.fulfill("x") }
                        },
                        .onEvent({ $0 == "listen" && place == "effect" ? $0 : nil }) { _ in
                            Effect<String>.fireAndForget { listen() }
                        },
                    ],
                    middleware: Middleware(before: { event, _ in
                        if event == "listen", place == "middleware" { listen() }
                        return .pass
                    }))
                holder.exchange(for: system)
                return system
            }
            let found = expectSame(place == "action" ? ["go"] : ["listen", "go"], depth: 4, build)
            #expect(Set(found.states) == [0, 1], "\(place)")
        }
    }

    @Test("a resolver that effects settle, of work that the builder has started")
    func startedByTheBuilder() {
        let build: Build = { world in
            let slot = Lock<Resolver<String>?>(nil)
            let shared = Promise<String> { slot.exchange(for: $0) }
            shared.start()
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in state = Int(event) ?? state },
                feedbacks: [
                    .onEvent({ $0 == "a" || $0 == "b" ? $0 : nil }) { event in
                        Effect<String>.fireAndForget {
                            slot.withLock { $0 }?.fulfill(event == "a" ? "1" : "2")
                        }
                    },
                    .onEvent({ $0 == "use" ? $0 : nil }, policy: .drop) { _ in shared },
                ])
        }
        let found = expectSame(["a", "b", "use"], depth: 4, build)
        #expect(Set(found.states) == [0, 1, 2])
    }

    /// Two errors with one text.
    private struct Failure: Error, Hashable, CustomStringConvertible {
        let code: Int
        var description: String { "failure" }
    }
    /// The same, as an object.
    private final class Fault: Error, CustomStringConvertible {
        let code: Int
        init(_ code: Int) { self.code = code }
        var description: String { "fault" }
    }

    @Test(
        "errors with one text are told apart, whether they can be compared or not", arguments: [false, true])
    func errorsAlike(isObject: Bool) {
        let build: Build = { world in
            let (promise, resolver) = Promise<String>.pending()
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in state = Int(event) ?? state },
                feedbacks: [
                    .onEvent({ $0.hasPrefix("fail") ? Int($0.suffix(1)) : nil }) { code in
                        Effect<String>.fireAndForget {
                            _ = isObject ? resolver.reject(Fault(code)) : resolver.reject(Failure(code: code))
                        }
                    },
                    .onEvent({ $0 == "use" ? $0 : nil }, policy: .drop) { _ in
                        promise.recover { error in
                            .value("\((error as? Failure)?.code ?? (error as? Fault)?.code ?? 0)")
                        }
                    },
                ])
        }
        let found = expectSame(["fail 1", "fail 2", "use"], depth: 4, build)
        #expect(Set(found.states).isSuperset(of: [1, 2]))
    }

    @Test("a gate of the builder without a value costs two configurations, open or closed")
    func gate() {
        let explorer = Explorer<Int, String>(events: ["add", "open"]) { world in
            let (gate, opener) = Promise<Void>.pending()
            world.wheneverSettled("the gate stays") { _ in withExtendedLifetime(gate) { true } }
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in if event == "add" { state = (state + 1) % 3 } },
                feedbacks: [
                    .onEvent({ $0 == "open" ? $0 : nil }) { _ in
                        Effect<String>.fireAndForget { opener.fulfill(()) }
                    }
                ])
        }
        let found = explorer.explore(depth: 12, .init(audit: 1))
        #expect(found.isComplete && found.configurations == 6, "\(found) \(found.gaps)")
    }
}
