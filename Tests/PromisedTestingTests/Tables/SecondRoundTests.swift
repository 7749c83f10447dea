import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Everything that works once works a second time.
@Suite struct SecondRoundTests {
    struct Failed: Error, Equatable {}
    enum Event: Sendable, Equatable { case start, loaded(Int) }

    private static func test(_ answer: @escaping @Sendable () -> Promise<Event>) -> TestSystem<Int, Event> {
        TestSystem(
            initialState: 0,
            feature: Feature(
                reducer: Reducer { count, event in if case .loaded(let number) = event { count += number } },
                feedbacks: [.onEvent({ $0 == .start ? true : nil }, key: { _ in "load" }) { _ in answer() }]))
    }

    /// The calls of a test system, each in a round that it ends completely.
    enum Call: String, CaseIterable, Sendable {
        case receive, receiveWhere, receiveInOrder, assertState, assertPart, skipStates, lower
        case failure, failureType, failureWhere, skipWork, skipKey, run

        var fails: Bool { [.failure, .failureType, .failureWhere].contains(self) }

        func make(_ test: TestSystem<Int, Event>) {
            test.send(.start)
            if self == .skipWork || self == .skipKey {
                return test.skipRunningWork(self == .skipKey ? "load" : nil)
            }
            if self == .run { test.run() } else { test.advance(by: .seconds(1)) }
            switch self {
            case .failure: return test.receiveFailure(Failed())
            case .failureType: return test.receiveFailure(Failed.self)
            case .failureWhere: return test.receiveFailure(where: { $0 is Failed })
            case .receiveWhere: return test.receive(where: { $0 != .start }) { $0 += 3 }
            case .receive, .run: return test.receive(.loaded(3)) { $0 += 3 }
            case .receiveInOrder: test.receivesInOrder = true
            case .lower: test.exhaustivity = .on.subtracting(.states)
            default: break
            }
            test.receive(.loaded(3))
            switch self {
            case .assertPart: test.assert(\.itself, test.state)
            case .skipStates: test.skipStates()
            default: test.assert { $0 += 3 }
            }
        }
    }

    @Test("a second round through one test system is like the first", arguments: Call.allCases)
    func calls(call: Call) {
        let texts = failures {
            let test = Self.test {
                (call.fails ? Promise(error: Failed()) : .value(.loaded(3))).delay(.seconds(1))
            }
            for _ in 1...3 { call.make(test) }
            test.finish()
            test.finish()
        }
        #expect(texts.isEmpty)
    }

    @Test(
        "what a second round leaves is reported, though the first has asserted the same",
        arguments: Call.allCases)
    func leaves(call: Call) {
        let texts = failures {
            let test = Self.test {
                (call.fails ? Promise(error: Failed()) : .value(.loaded(3))).delay(.seconds(1))
            }
            call.make(test)
            test.send(.start)
            if call != .skipWork, call != .skipKey { test.advance(by: .seconds(1)) }
            test.finish()
        }
        #expect(texts.count == 1)
    }

    @Test("of two equal failures or events, each has to be received") func equalOnes() {
        let texts = failures {
            let test = TestSystem(
                initialState: 0,
                feature: Feature(
                    reducer: Reducer<Int, Event> { _, _ in },
                    feedbacks: [
                        .onEvent({ $0 == .start ? true : nil }) { _ in
                            Effect<Event>.sequence([.loaded(1), .loaded(1)])
                        }, .onEvent({ $0 == .start ? true : nil }) { _ in Promise<Event>(error: Failed()) },
                        .onEvent({ $0 == .start ? true : nil }) { _ in Promise<Event>(error: Failed()) },
                    ]))
            test.send(.start)
            test.receive(.loaded(1))
            test.receiveFailure(Failed())
            test.finish()
        }
        #expect(texts.count == 2)
    }

    @Test("a scheduler that has stopped at an endless timer goes on") func schedulerGoesOn() {
        let scheduler = TestScheduler()
        let ran = Lock(0)
        @Sendable func again() {
            scheduler.schedule(after: .seconds(1)) {
                ran.withLock { $0 += 1 }
                again()
            }
        }
        again()
        for round in 1...2 {
            #expect(failures { scheduler.run(limit: 10) }.count == 1)
            #expect(ran.withLock { $0 } == 10 * round)
        }
        scheduler.advance(by: .seconds(5))
        #expect(ran.withLock { $0 } == 25)
        scheduler.discard()
    }

    @Test("reports are collected again after a first collection, and a recorder takes again") func others() {
        for _ in 1...2 { #expect(failures { checkLaws([]) }.count == 1) }
        let scheduler = TestScheduler()
        let system = System<Int, Event>(
            initialState: 0, scheduler: scheduler,
            reducer: Reducer {
                $0 += 1; _ = $1
            })
        let recorder = Recorder(system.settled, on: scheduler, replayCurrent: false)
        for round in 1...3 {
            system.sendEvent(.start)
            scheduler.run()
            #expect(recorder.take().map(\.value) == [round])
        }
    }
}

extension Int {
    fileprivate var itself: Int {
        get { self }
        set { self = newValue }
    }
}
