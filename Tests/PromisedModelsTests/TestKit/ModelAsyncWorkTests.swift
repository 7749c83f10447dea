import Promise
import PromisedModels
import PromisedModelsTesting
import PromisedTesting
import TestSupport
import Testing

/// Tasks of models that leave the scheduler come back at a time that no test knows.
@Suite(.tags(.sharedState)) struct ModelAsyncWorkTests {
    struct Total: PreferenceKey {
        static let defaultValue = 0
        static func reduce(_ value: inout Int, with next: Int) { value += next }
    }

    struct Loader: Model {
        struct State: Equatable { var count = 0 }
        enum Event: Equatable { case loaded(Int) }
        let context: ModelContext<Loader>

        func load() {
            task {
                let number = await Task.detached { 3 }.value
                context.state.count = number
                send(.loaded(number))
                setPreference(Total.self, number)
            } catch: { _ in
            }
        }
    }

    /// Assertions of which each may be the first one after the work.
    enum Assertion: String, CaseIterable, Sendable {
        case store, state, property, event, preference, end

        func make(_ test: TestStore<Loader>) {
            switch self {
            case .store: test.assert { $0.count = 3 }
            case .state: test.model.assert { $0.count = 3 }
            case .property: test.model.assert(\.count, 3)
            case .event: test.model.receive(.loaded(3))
            case .preference: test.model.assertPreference(Total.self, 3)
            case .end: test.finish()
            }
        }
    }

    private static func store() -> TestStore<Loader> {
        let test = TestStore<Loader>(initialState: .init())
        test.scheduler.asyncWorkLimit = .seconds(60)
        test.model.perform { $0.load() }
        return test
    }

    @Test("an assertion waits for a task that has left the scheduler", arguments: Assertion.allCases)
    func waits(first: Assertion) async {
        let texts = await onThread {
            failures {
                for _ in 0..<20 {
                    let test = Self.store()
                    if first == .end { test.exhaustivity = .effects }
                    first.make(test)
                    guard first != .end else { continue }
                    if ![.store, .state, .property].contains(first) { test.assert { $0.count = 3 } }
                    for rest in [Assertion.event, .preference] where rest != first { rest.make(test) }
                    test.finish()
                }
            }
        }
        #expect(texts == [])
    }

    @Test("afterAsyncWork does so without blocking a thread")
    func suspends() async {
        let test = Self.store()
        await test.afterAsyncWork(within: .seconds(60)) {
            test.model.receive(.loaded(3))
            test.assert { $0.count = 3 }
        }
        test.model.assertPreference(Total.self, 3)
        test.finish()
    }

    @Test("an assertion that waits in vain accounts for nothing twice, and names the work")
    func inVain() async {
        let texts = await onThread {
            failures {
                let (open, settle) = Promise<Int>.pending()
                let test = TestStore<Waiter>(initialState: .init())
                test.scheduler.asyncWorkLimit = .milliseconds(1)
                test.model.perform { $0.wait(open) }
                test.model.assert { $0.count = 2 }
                settle.fulfill(1)
                test.model.assert { $0.count = 1 }
                test.finish()
            }
        }
        #expect(texts.count == 1)
        #expect(texts.first?.contains("Async work is open, made at") == true)
        #expect(texts.first?.contains("seconds in real time in vain") == true)
    }

    /// What is accounted for by an assertion that would fail the second time.
    enum Account: CaseIterable { case store, model, shared, event, preference }

    struct Pair: Model {
        struct State: Equatable { var left = Loader.State() }
        let context: ModelContext<Pair>
        static let children: [Child<Pair>] = [.one(\.left, Loader.self)]
        var left: Loader { child(\.left) }
        var right: Loader { dependency(Right.self) }
    }

    enum Right: DependencyKey {
        static var liveValue: Loader { Loader(initialState: .init()) }
    }

    @Test(
        "a try accounts for nothing, neither in the store nor in a shared model", arguments: Account.allCases)
    func tries(account: Account) async {
        let test = TestStore<Pair>(initialState: .init()) { $0[Right.self] = Loader(initialState: .init()) }
        let (left, right) = (test.model.child { $0.left }, test.model.child { $0.right })
        test.exhaustivity = []
        left.perform { $0.context.state.count += 1 }
        right.perform { $0.context.state.count += 1 }
        left.perform { $0.send(.loaded(1)) }
        right.perform { $0.setPreference(Total.self, 1) }
        test.exhaustivity = .on
        await test.afterAsyncWork {
            if account == .store { test.assert { $0.left.count += 1 } }
            if account == .model { left.assert { $0.count += 1 } }
            if account == .shared { right.assert { $0.count += 1 } }
            if account == .event { left.receive(.loaded(1)) }
            if account == .preference { right.assertPreference(Total.self, 1) }
        }
        if account != .store, account != .model { left.assert { $0.count += 1 } }
        if account != .shared { right.assert { $0.count += 1 } }
        if account != .event { left.receive(.loaded(1)) }
        if account != .preference { right.assertPreference(Total.self, 1) }
        test.finish()
    }

    struct Waiter: Model {
        struct State: Equatable { var count = 0 }
        let context: ModelContext<Waiter>

        func wait(_ open: Promise<Int>) {
            task {
                context.state.count = try await open.value
            } catch: { _ in
            }
        }
    }
}
