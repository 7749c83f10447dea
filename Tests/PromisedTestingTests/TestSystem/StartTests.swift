import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// What a system does before the test sends its first event must be asserted like everything else.
@Suite struct StartTests {
    enum Event: Sendable, Equatable { case loaded(Int) }

    static let reducer = Reducer<Int, Event> { count, event in
        if case .loaded(let number) = event { count = number }
    }

    /// Its start effect answers synchronously.
    static let feature = Feature(
        reducer: reducer,
        feedbacks: [.lensingSkippingRepeated(state: { _ in true }) { _ in Promise.value(.loaded(7)) }])

    @Test(
        "OS-53, OS-55: an event that a start effect sends synchronously is received, with the state that it leads to"
    )
    func received() {
        let test = TestSystem(initialState: 0, feature: Self.feature)
        test.receive(.loaded(7)) { $0 = 7 }
        test.finish()
        #expect(test.state == 7)
    }

    @Test(
        "OS-55, OS-56: an event that a start effect sends synchronously and that is not received fails the test"
    )
    func notReceived() {
        let texts = failures { TestSystem(initialState: 0, feature: Self.feature).finish() }
        #expect(texts.count == 1)
        #expect(texts.first?.hasPrefix("An event was not received: loaded(7), sent at ") == true)
        #expect(texts.first?.contains("    0 → 7") == true)
    }

    @Test(
        "OS-53: work that a given system has pending when the test system is made must be asserted"
    )
    func ownSystem() {
        let texts = failures {
            let scheduler = TestScheduler()
            let system = System(initialState: 0, scheduler: scheduler, feature: Self.feature)
            system.sendEvent(.loaded(1))
            TestSystem(system, on: scheduler).finish()
        }
        #expect(texts.count == 2)
        #expect(texts.allSatisfy { $0.hasPrefix("An event was not received: loaded(") })
    }

    @Test("OS-53: what a given system did before the test system was made need not be asserted")
    func doneBefore() {
        let scheduler = TestScheduler()
        let system = System(initialState: 0, scheduler: scheduler, feature: Self.feature)
        scheduler.advance()
        let test = TestSystem(system, on: scheduler)
        test.send(.loaded(8)) { $0 = 8 }
        test.finish()
    }

    @Test(
        "OS-53: a state that is shown while the test system is made inside work of its scheduler must be asserted"
    )
    func madeInWork() {
        let texts = failures {
            let scheduler = TestScheduler()
            let made = Lock<[Int]>([])
            scheduler.schedule {
                let test = TestSystem(initialState: 0, feature: Self.feature, scheduler: scheduler)
                test.finish()
                made.withLock { $0.append(test.state) }
            }
            scheduler.advance()
            #expect(made.withLock { $0 } == [7])
        }
        #expect(!texts.isEmpty)
    }

    @Test(
        "OS-53: a system on a scheduler other than the test's fails the test, which cannot observe all of it")
    func otherScheduler() {
        let texts = failures {
            let system = System(initialState: 0, scheduler: .immediate, feature: Self.feature)
            TestSystem(system, on: TestScheduler()).finish()
        }
        #expect(
            texts == [
                """
                The system runs on another scheduler than the test, which cannot observe everything that happens there.

                Create the system with the scheduler that is passed to the test.
                """
            ])
    }
}
