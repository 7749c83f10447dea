import Dispatch
import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// `async` work that leaves the scheduler comes back at a time that no test knows.
@Suite(.tags(.sharedState)) struct AsyncWorkTests {
    struct State: Sendable, Equatable { var count = 0, other = 0 }
    struct Failed: Error, Equatable {}
    enum Event: Sendable, Equatable { case load, loaded(Int), fail, forget, slow }

    /// Ways of leaving the scheduler.
    enum Way: String, CaseIterable, Sendable {
        case mainActor, task, detached, continuation, blocking

        func number(after milliseconds: Int = 0) async throws -> Int {
            if milliseconds > 0 {
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                        continuation.resume()
                    }
                }
            }
            switch self {
            case .mainActor: return await MainActor.run { 3 }
            case .task: return await Task { 3 }.value
            case .detached: return await Task.detached { 3 }.value
            case .continuation:
                return await withCheckedContinuation { continuation in
                    DispatchQueue.global().async { continuation.resume(returning: 3) }
                }
            case .blocking: return try await Promise(on: QueueScheduler.serial("disk")) { 3 }.value
            }
        }
    }

    private static func test(
        _ exhaustivity: Exhaustivity = .on, _ number: @escaping @Sendable () async throws -> Int
    ) -> TestSystem<State, Event> {
        TestSystem(
            initialState: State(),
            feature: Feature(
                reducer: Reducer { state, event in
                    switch event {
                    case .loaded(let number): return .value(State(count: number, other: state.other))
                    case .slow: return Promise { State(count: try await number(), other: state.other + 1) }
                    case .load, .fail, .forget: return .value(state)
                    }
                },
                feedbacks: [
                    .onEvent({ $0 == .load ? true : nil }) { _ in
                        Effect<Event>.task { .loaded(try await number()) }
                    },
                    .onEvent({ $0 == .fail ? true : nil }) { _ in
                        Effect<Event>.task {
                            _ = try await number()
                            throw Failed()
                        }
                    },
                    .onEvent({ $0 == .forget ? true : nil }) { _ in
                        Effect<Event> { effect in
                            effect.finish(with: Promise<Void> { _ = try await number() })
                        }
                    },
                ]), exhaustivity: exhaustivity)
    }

    @Test("a receive waits for async work that has left the scheduler", arguments: Way.allCases)
    func receives(way: Way) async {
        let texts = await onThread {
            failures {
                for _ in 0..<20 {
                    let test = Self.test { try await way.number() }
                    test.scheduler.asyncWorkLimit = .seconds(60)
                    test.send(.load)
                    test.receive(.loaded(3)) { $0.count = 3 }
                    test.finish()
                }
            }
        }
        #expect(texts.isEmpty)
    }

    @Test("a test can await async work without blocking its thread", arguments: Way.allCases)
    func awaits(way: Way) async {
        for _ in 0..<20 {
            let test = Self.test { try await way.number() }
            test.send(.load)
            await test.afterAsyncWork(within: .seconds(60)) { test.receive(.loaded(3)) { $0.count = 3 } }
            test.finish()
        }
    }

    @Test("a test on the main actor can await work there") @MainActor func awaitsOnMainActor() async {
        let test = Self.test { await MainActor.run { 3 } }
        test.send(.load)
        await test.afterAsyncWork(within: .seconds(60)) {
            test.receive(.loaded(3)) { $0.count = 3 }
            test.finish()
        }
    }

    /// Every assertion, after the event whose work brings what it asserts.
    enum Assertion: String, CaseIterable, Sendable {
        case receive, receiveWhere, failure, failureType, failureWhere, state, part, send, finish, lower,
            released

        @Sendable func make(_ test: TestSystem<State, Event>) {
            switch self {
            case .receive:
                test.receive(.loaded(3)) { $0.count = 3 }
            case .receiveWhere: test.receive(where: { $0 == .loaded(3) }) { $0.count = 3 }
            case .failure: test.receiveFailure(Failed())
            case .failureType: test.receiveFailure(Failed.self)
            case .failureWhere: test.receiveFailure(where: { $0 is Failed })
            case .state: test.assert { $0 = State(count: 3, other: 1) }
            case .part:
                test.assert(\.count, 3)
                test.assert(\.other, 1)
            case .send: test.send(.slow) { $0 = State(count: 3, other: 1) }
            case .lower: test.assert { $0.count = 3 }
            case .finish, .released: break
            }
        }

        var event: Event? {
            switch self {
            case .receive, .receiveWhere: .load
            case .failure, .failureType, .failureWhere: .fail
            case .state, .part, .lower: .slow
            case .send: nil
            case .finish, .released: .forget
            }
        }
    }

    @Test("every assertion waits", arguments: Assertion.allCases)
    func waits(assertion: Assertion) async {
        let texts = await onThread {
            failures {
                let test = Self.test(assertion == .lower ? .off : .on) {
                    try await Way.detached.number(after: 30)
                }
                test.scheduler.asyncWorkLimit = .seconds(60)
                if let event = assertion.event { test.send(event) }
                assertion.make(test)
                if assertion != .released { test.finish() }
            }
        }
        #expect(texts.isEmpty)
    }

    @Test(
        "every assertion can be awaited",
        arguments: Assertion.allCases.filter { $0 != .send && $0 != .released })
    func awaited(assertion: Assertion) async {
        let texts = await TestReport.collect {
            let test = Self.test(assertion == .lower ? .off : .on) {
                try await Way.detached.number(after: 30)
            }
            if let event = assertion.event { test.send(event) }
            await test.afterAsyncWork(within: .seconds(60)) {
                assertion.make(test)
                test.finish()
            }
        }.map(\.message)
        #expect(texts.isEmpty)
    }

    @Test("what comes back while a try fails is not lost with it") func duringTry() async {
        let (gate, resolver) = Promise<Int>.pending()
        let texts = await TestReport.collect {
            let test = Self.test { try await gate.value }
            test.send(.load)
            await test.afterAsyncWork(within: .seconds(60)) {
                // The first try asserts nothing yet, and the work comes back in its middle.
                let isFirst = resolver.fulfill(3)
                if !isFirst { test.receive(.loaded(3)) { $0.count = 3 } }
                test.finish()
            }
        }.map(\.message)
        #expect(texts.isEmpty)
    }

    @Test("R27: a failure says for which work the test has waited, and how long") func waitedInVain() async {
        let (gate, resolver) = Promise<Int>.pending()
        let told = await onThread {
            failures {
                let test = Self.test { try await gate.value }
                test.scheduler.asyncWorkLimit = .milliseconds(10)
                test.send(.load)
                test.receive(.loaded(3))
                test.receiveFailure(Failed())
                test.assert(\.count, 3)
                test.assert { $0.count = 3 }
                test.finish()
            }
        }
        #expect(told.count == 5)
        for text in told {
            #expect(
                text.contains("\n\nAsync work is open, made at PromisedTestingTests/AsyncWorkTests.swift:")
                    && text.contains(". The test has waited 0.")
                    && text.hasSuffix(
                        """
                         seconds in real time in vain. It is on another executor, or waits for \
                        the clock or for the test. To wait without blocking a thread of Swift's pool or the main thread, \
                        use await test.afterAsyncWork { … }.
                        """),
                "\(text)")
        }
        resolver.fulfill(3)
    }

    @Test("R27: an awaited assertion fails once, when the time is over, and accounts for nothing in between")
    func awaitedInVain() async {
        let (gate, resolver) = Promise<Int>.pending()
        let lines = await TestReport.collect {
            let test = Self.test { try await gate.value }
            test.send(.load)
            test.send(.loaded(1))
            await test.afterAsyncWork(within: .milliseconds(10)) {
                test.assert { $0.count = 1 }
                test.receive(.loaded(3))
            }
            resolver.fulfill(3)
            test.advance()
            test.receive(.loaded(3)) { $0.count = 3 }
            test.finish()
        }
        #expect(lines.map { $0.message.prefix(39) } == ["Expected to receive loaded(3), but ther"])
    }

    @Test("where no async work is open, an assertion fails at once") func failsAtOnce() async {
        let stub = Stub<Int, Event>("load")
        let texts = await TestReport.collect {
            let test = TestSystem(
                initialState: 0,
                feature: Feature(
                    reducer: Reducer<Int, Event> { _, _ in },
                    feedbacks: [.onEvent({ $0 == .load ? 1 : nil }) { stub($0) }]))
            test.scheduler.asyncWorkLimit = .seconds(100_000)
            test.send(.load)
            test.receive(.loaded(1))
            await test.afterAsyncWork(within: .seconds(100_000)) { test.receive(.loaded(1)) }
            test.finish()
            stub.reject(CancellationError())
        }.map { $0.message.prefix(25) }
        #expect(
            texts
                == ["Expected to receive loade", "Expected to receive loade", "The work of the feedback m"]
                .map { $0.prefix(25) })
    }

    @Test("a passing test never waits for work that the test ends itself") func ownContinuation() {
        let (gate, resolver) = Promise<Int>.pending()
        let test = Self.test { try await gate.value }
        test.scheduler.asyncWorkLimit = .seconds(100_000)
        test.send(.load)
        test.send(.loaded(1)) { $0.count = 1 }
        test.assert(\.count, 1)
        resolver.fulfill(3)
        test.advance()
        test.receive(.loaded(3)) { $0.count = 3 }
        test.finish()
    }

    @Test(
        "finish of a scheduler waits for async work, and for work on another scheduler",
        arguments: [false, true])
    func scheduler(isBlocking: Bool) async {
        let texts = await onThread {
            failures {
                let scheduler = TestScheduler()
                scheduler.asyncWorkLimit = .seconds(60)
                if isBlocking {
                    let gate = DispatchSemaphore(value: 0)
                    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(30)) { gate.signal() }
                    Promise(on: QueueScheduler.serial("disk")) { gate.wait() }.start(on: scheduler)
                } else {
                    Promise { try await Way.detached.number(after: 30) }.start(on: scheduler)
                }
                scheduler.finish()
            }
        }
        #expect(texts.isEmpty)
    }
}
