import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// What a system does before the test has sent anything is accounted for as everything else is.
@Suite struct StartTests {
    enum Event: Sendable, Equatable { case loaded(Int) }

    static let reducer = Reducer<Int, Event> { count, event in
        if case .loaded(let number) = event { count = number }
    }

    /// Its start effect answers at once.
    static let feature = Feature(
        reducer: reducer,
        feedbacks: [.lensingSkippingRepeated(state: { _ in true }) { _ in Promise.value(.loaded(7)) }])

    @Test(
        "OS-53, OS-55: an event that a start effect sends at once is received, with the state that it leads to"
    )
    func received() {
        let test = TestSystem(initialState: 0, feature: Self.feature)
        test.receive(.loaded(7)) { $0 = 7 }
        test.finish()
        #expect(test.state == 7)
    }

    @Test(
        "OS-55, OS-56: an event that a start effect sends at once, and that is not received, fails the test")
    func notReceived() {
        let texts = failures { TestSystem(initialState: 0, feature: Self.feature).finish() }
        #expect(texts.count == 1)
        #expect(texts.first?.hasPrefix("An event was not received: loaded(7), sent at ") == true)
        #expect(texts.first?.contains("    0 → 7") == true)
    }

    @Test(
        "OS-53: what a system of the test's own still has to do when the test system is made is accounted for"
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

    @Test("OS-53: what a system of the test's own did before the test system was made is not")
    func doneBefore() {
        let scheduler = TestScheduler()
        let system = System(initialState: 0, scheduler: scheduler, feature: Self.feature)
        scheduler.advance()
        let test = TestSystem(system, on: scheduler)
        test.send(.loaded(8)) { $0 = 8 }
        test.finish()
    }

    @Test(
        "OS-53: a state that is shown while the test system is being made, in work of its scheduler, is accounted for"
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

    @Test("OS-53: a system on another scheduler than the test fails the test, which cannot see it all")
    func otherScheduler() {
        let texts = failures {
            let system = System(initialState: 0, scheduler: .immediate, feature: Self.feature)
            TestSystem(system, on: TestScheduler()).finish()
        }
        #expect(
            texts == [
                """
                The system is on another scheduler than the test, which does not see all that happens there.

                Make the system with the scheduler that is given to the test.
                """
            ])
    }
}
