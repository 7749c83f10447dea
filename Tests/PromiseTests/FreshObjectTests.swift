import Dispatch
import Promise
import PromisedTesting
import Testing

/// Objects that nobody but the promise refers to, as an optimiser may put them, and what carries them, onto
/// the stack. To be run in release too.
@Suite struct FreshObjectTests {
    private static let rounds = 200

    /// How many there were and how many are gone, on one thread.
    private final class Ledger: Sendable {
        let made = Counter()
        let gone = Counter()
    }

    /// Tells its ledger when it comes and goes.
    private final class Parcel: Sendable {
        let number: Int
        private let ledger: Ledger

        init(_ number: Int, _ ledger: Ledger) {
            (self.number, self.ledger) = (number, ledger)
            ledger.made.up()
        }

        deinit { ledger.gone.up() }
    }

    /// Keeps what was heard until all of it has been.
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

    /// One to four fresh parcels to `promise`, three of them interim.
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

    @Test("R7: fresh objects are heard intact by every observer, on four threads, and then freed, each once")
    func observers() {
        for place in Place.allCases {
            let thread: @Sendable () -> Bool = {
                let ledger = Ledger()
                for _ in 0..<Self.rounds {
                    guard Self.observed(place, ledger) == Array(repeating: [1, 2, 3, 4], count: 5) else {
                        return false
                    }
                }
                // Four that were sent, and four that one of the maps made.
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

    @Test("R7: fresh objects that go over a queue are heard intact there, and then freed, each once")
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
                // What the queue still holds when a round has ended goes before this runs.
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

    /// Waits until everything has run that was scheduled before.
    private static func finish(_ queue: QueueScheduler) {
        let end = DispatchSemaphore(value: 0)
        queue.schedule { end.signal() }
        end.wait()
    }

    @Test("R7: fresh objects that keep nothing are reported to nobody, to one, and too late, and freed")
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

    @Test("R7: handlers attached inside a handler, to promises made there, wait for its end and are intact")
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
            // Nothing of the above may come in the middle of this.
            guard heard.numbers.isEmpty else { return }
            heard.add(outer)
        }
        return heard.numbers.sorted()
    }

    @inline(never) private static func attach(_ heard: Heard, _ number: Int, _ ledger: Ledger) {
        Promise.value(Parcel(number, ledger)).map { $0 }.done { heard.add($0) }
    }
}
