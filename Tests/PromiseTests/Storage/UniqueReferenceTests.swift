import Dispatch
import Promise
import PromisedTesting
import TestSupport
import Testing

/// Objects referenced by the promise alone. An optimiser may allocate them, and the values that hold them, on
/// the stack, so run these in release builds too.
@Suite(.tags(.sharedState)) struct UniqueReferenceTests {
    private static let rounds = 200

    /// Counts the objects created and released on one thread.
    private final class Ledger: Sendable {
        let made = Counter()
        let gone = Counter()
    }

    /// Counts its initialisation and deinitialisation in the ledger.
    private final class Parcel: Sendable {
        let number: Int
        private let ledger: Ledger

        init(_ number: Int, _ ledger: Ledger) {
            (self.number, self.ledger) = (number, ledger)
            ledger.made.up()
        }

        deinit { ledger.gone.up() }
    }

    /// Retains all received objects.
    private final class Heard: Sendable {
        private let parcels = Lock<[Parcel]>([])

        var numbers: [Int] { parcels.withLock { $0.map(\.number) } }

        func add(_ parcel: Parcel) { parcels.withLock { $0.append(parcel) } }
    }

    enum Place: CaseIterable { case inlined, notInlined }

    @inline(never) private static func tell(_ resolver: Resolver<Parcel>, _ number: Int, _ ledger: Ledger) {
        resolver.report(Parcel(number, ledger))
    }

    @inline(never) private static func tell(_ resolver: Resolver<Token>) { resolver.report(Token()) }

    /// Sends four fresh parcels: three as interim values, one as the outcome.
    @inline(__always) private static func send(
        _ resolver: Resolver<Parcel>, _ place: Place, _ ledger: Ledger
    ) {
        switch place {
        case .inlined:
            resolver.report(Parcel(1, ledger))
            resolver.report(Parcel(2, ledger))
            resolver.report(Parcel(3, ledger))
        case .notInlined: for number in 1...3 { tell(resolver, number, ledger) }
        }
        resolver.fulfill(Parcel(4, ledger))
    }

    private static func listen(_ promise: Promise<Parcel>) -> Heard {
        let heard = Heard()
        promise.onInterim(heard.add).done(heard.add)
        return heard
    }

    @Test("R7: on four threads, every observer receives fresh objects intact, and each is released once")
    func observers() {
        for place in Place.allCases {
            let thread: @Sendable () -> Bool = {
                let ledger = Ledger()
                for _ in 0..<Self.rounds {
                    guard Self.observed(place, ledger) == Array(repeating: [1, 2, 3, 4], count: 5) else {
                        return false
                    }
                }
                // Four were sent, and four were created by one of the maps.
                return ledger.made.value == Self.rounds * 8 && ledger.gone.value == Self.rounds * 8
            }
            #expect(onThreads(thread, thread, thread, thread) == [true, true, true, true])
        }
    }

    private static func observed(_ place: Place, _ ledger: Ledger) -> [[Int]] {
        let (promise, resolver) = Promise<Parcel>.pending()
        let plain = listen(promise)
        let mapped = listen(promise.map { $0 })
        let again = listen(promise.map { Parcel($0.number, ledger) })
        let relayed = listen(promise.timeout(.seconds(1), on: TestScheduler()))
        let observer = Heard()
        let observation = promise.observe { update in
            switch update {
            case .interim(let parcel), .outcome(.fulfilled(let parcel)): observer.add(parcel.value)
            case .outcome(.rejected): break
            }
        }
        send(resolver, place, ledger)
        observation.cancel()
        return [plain, mapped, again, relayed, observer].map(\.numbers)
    }

    @Test("R7: fresh objects delivered on a queue arrive intact, and each is released once")
    func queue() {
        for place in Place.allCases {
            let thread: @Sendable () -> Bool = {
                let ledger = Ledger()
                let queue = QueueScheduler.serial("fresh objects")
                for _ in 0..<Self.rounds {
                    guard Self.received(place, ledger, queue) == [[1, 2, 3, 4], [1, 2, 3, 4]] else {
                        return false
                    }
                }
                // The queue is serial: objects still held by earlier work are released before this returns.
                Self.finish(queue)
                return ledger.made.value == Self.rounds * 8 && ledger.gone.value == Self.rounds * 8
            }
            #expect(onThreads(thread, thread) == [true, true])
        }
    }

    private static func received(_ place: Place, _ ledger: Ledger, _ queue: QueueScheduler) -> [[Int]] {
        let (promise, resolver) = Promise<Parcel>.pending()
        let received = listen(promise.receive(on: queue))
        let mapped = listen(promise.map { Parcel($0.number, ledger) }.receive(on: queue).map { $0 })
        send(resolver, place, ledger)
        finish(queue)
        return [received, mapped].map(\.numbers)
    }

    /// Waits until all work scheduled before has run.
    private static func finish(_ queue: QueueScheduler) {
        let end = DispatchSemaphore(value: 0)
        queue.schedule { end.signal() }
        end.wait()
    }

    @Test("R7: fresh empty objects, reported without observers, to one, and too late, are released")
    func empty() {
        let thread: @Sendable () -> Bool = {
            for place in Place.allCases {
                for _ in 0..<Self.rounds {
                    let kept = Lock<[Token]>([])
                    let (promise, resolver) = Promise<Token>.pending()
                    resolver.report(Token())
                    Self.tell(resolver)
                    promise.map { $0 }.onInterim { token in kept.withLock { $0.append(token) } }
                    switch place {
                    case .inlined: resolver.report(Token())
                    case .notInlined: Self.tell(resolver)
                    }
                    weak let token = kept.withLock { $0.first }
                    guard kept.withLock({ $0.count }) == 1, token != nil else { return false }
                    resolver.fulfill(Token())
                    resolver.report(Token())
                    Self.tell(resolver)
                    kept.withLock { $0 = [] }
                    guard token == nil else { return false }
                }
            }
            return true
        }
        #expect(onThreads(thread, thread) == [true, true])
    }

    @Test("R7: handlers attached inside a handler, to promises made there, run after it with intact values")
    func nested() {
        let thread: @Sendable () -> Bool = {
            let ledger = Ledger()
            for _ in 0..<Self.rounds {
                guard Self.nested(ledger) == [0, 1, 2, 3, 4, 5, 6, 7, 8] else { return false }
            }
            return ledger.made.value == Self.rounds * 9 && ledger.gone.value == Self.rounds * 9
        }
        #expect(onThreads(thread, thread, thread, thread) == [true, true, true, true])
    }

    private static func nested(_ ledger: Ledger) -> [Int] {
        let heard = Heard()
        Promise.value(Parcel(0, ledger)).done { outer in
            Promise.value(Parcel(1, ledger)).map { $0 }.done { heard.add($0) }
            Promise.value(Parcel(2, ledger)).done { heard.add($0) }
            Promise.value(Parcel(3, ledger)).map { $0 }.map { $0 }.onResult { result in
                if case .success(let parcel) = result { heard.add(parcel) }
            }
            Promise.value(Parcel(4, ledger)).flatMap { .value($0) }.done { heard.add($0) }
            Self.attach(heard, 5, ledger)
            Promise<Parcel> { $0.fulfill(Parcel(6, ledger)) }.map { $0 }.done { heard.add($0) }
            Promise.value(Parcel(7, ledger)).map { $0 }.finally {}.done { heard.add($0) }
            Promise.value(0).map { _ in Parcel(8, ledger) }.tap { _ in }.done { heard.add($0) }
            // None of the handlers above may run before this one returns.
            guard heard.numbers.isEmpty else { return }
            heard.add(outer)
        }
        return heard.numbers.sorted()
    }

    @inline(never) private static func attach(_ heard: Heard, _ number: Int, _ ledger: Ledger) {
        Promise.value(Parcel(number, ledger)).map { $0 }.done { heard.add($0) }
    }
}
