import Foundation
import Observation
import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// The user's values are released outside of every lock, because their deinit may call back. Inside a lock that would
/// deadlock, so each of these tests runs in its own process, which an alarm ends.
@Suite(.ownThreads) struct ReleaseOutsideLockTests {
    @Test("the deinit of a replaced loading state can read the state of its system")
    func loading() async {
        await #expect(processExitsWith: .success) {
            alarm(20)
            let (kept, ended) = (Box<System<Held, Int>?>(nil), SharedCount())
            let system = System<Held, Int>(initialState: Held(0), scheduler: .immediate) { _, count in
                Promise { resolver in
                    for number in 1...count {
                        resolver.report(
                            Held(number) {
                                if kept.value?.state.number == 0 { ended.add(1) }
                            })
                    }
                    resolver.fulfill(Held(0))
                }
            }
            kept.value = system
            // More than the record of a turn keeps.
            system.sendEvent(100)
            exit(ended.value == 100 ? 0 : 1)
        }
    }

    @Test("the deinit of a state that an observing reader has read can read again")
    func watched() async {
        await #expect(processExitsWith: .success) {
            alarm(20)
            let (kept, ended, scheduler) = (Box<Source<Held>?>(nil), SharedCount(), TestScheduler())
            @Sendable func read() {
                withObservationTracking {
                    if kept.value?.number == 1 { ended.add(1) }
                } onChange: {
                }
            }
            let system = System<Held, Int>(initialState: Held(0, onEnd: read), scheduler: scheduler) {
                .value(Held($1))
            }
            kept.value = system.settled
            scheduler.advance()
            read()
            system.sendEvent(1)
            // Between two change notifications: the reader then observes a new value.
            scheduler.schedule(read)
            scheduler.advance()
            exit(ended.value == 2 ? 0 : 1)
        }
    }

    @Test("the deinit of a state that came and went during an observed read can read again")
    func whileReading() async {
        await #expect(processExitsWith: .success) {
            alarm(20)
            let (kept, ended) = (Box<ScopedSystem<Held, Int>?>(nil), SharedCount())
            let arrivals = Box<[Int]>([])
            @Sendable func read() {
                withObservationTracking {
                    if kept.value?.settled.number == 2 { ended.add(1) }
                } onChange: {
                }
            }
            let system = System<Held, Int>(initialState: Held(0), scheduler: .immediate) { _, number in
                .value(number == 1 ? Held(1, onEnd: read) : Held(number))
            }
            let getter = Scope<Held, Int, Held, Int>(
                get: { held in
                    // Stands for another thread, which sends these events at this moment.
                    for number in arrivals.exchange([]) { system.sendEvent(number) }
                    return held
                }, modify: { $1(&$0) }, extract: { $0 }, embed: { $0 })
            kept.value = system.scoped(by: getter)
            arrivals.value = [1, 2]
            read()
            exit(ended.value == 1 ? 0 : 1)
        }
    }

    @Test(
        "the deinit of a state in which a reader found its element can subscribe, with an immediate call"
    )
    func arrived() async {
        await #expect(processExitsWith: .success) {
            alarm(20)
            let (kept, heard) = (Box<ScopedSystem<Row?, Int>?>(nil), Log<Int?>())
            let told = Box<[Int?]>([])
            let system = System<Held, Int>(
                initialState: Held(0) {
                    let token = kept.value?.settled.subscribe { heard.add($0?.count) }
                    told.value = heard.take()
                    token?.cancel()
                }, scheduler: .immediate
            ) {
                .value(Held($1))
            }
            let row = Scope<Held, Int, Row?, Int>(
                id: 1, in: \Held.rows, event: CasePath(embed: { $0.1 }, extract: { _ in nil }))
            kept.value = system.scoped(by: row)
            let token = kept.value?.settled.subscribe { _ in }
            // Adds the pending subscriber, which has found its element in the initial state.
            system.sendEvent(2)
            exit(told.value == [2] ? withExtendedLifetime(token) { 0 } : 1)
        }
    }

    @Test(
        "comparing the identities of elements can read elements and subscribe to them",
        arguments: [true, false])
    func identities(isReading: Bool) async {
        await #expect(processExitsWith: .success) { [isReading] in
            alarm(20)
            let (use, isInside, compared) = (Box<(@Sendable () -> Void)?>(nil), Switch(), SharedCount())
            let key = Key {
                guard !isInside.isOn else { return }
                isInside.turnOn()
                use.value?()
                isInside.turnOff()
                compared.add(1)
            }
            let system = System<[Book], Int>(initialState: [Book(id: key)], scheduler: .immediate) {
                books, _ in
                .value(books)
            }
            let subscriber = Subscriber()
            use.value = {
                // A new expression each time.
                let book = system.scoped(
                    by: Scope<[Book], Int, Book?, Int>(
                        id: key, in: \.self, event: CasePath(embed: { $0.1 }, extract: { _ in nil })))
                if isReading {
                    withObservationTracking {
                        _ = book.settled.value
                    } onChange: {
                    }
                } else {
                    book.settled.subscribe(subscriber, Subscriber.hear)
                    book.settled.unsubscribe(subscriber)
                    book.settled.subscribe(subscriber, Subscriber.hear)
                }
            }
            for _ in 0..<2 { use.value?() }
            exit(compared.value > 1 ? 0 : 1)
        }
    }

    @Test("comparing an identity can request the delivery that it is compared for")
    func comparingForADelivery() async {
        await #expect(processExitsWith: .success) {
            alarm(20)
            let (use, compared) = (Box<(@Sendable () -> Void)?>(nil), SharedCount())
            let key = Key {
                guard let again = use.exchange(nil) else { return }
                again()
                compared.add(1)
            }
            let system = System<[Book], Int>(
                initialState: [Book(id: key)], scheduler: .immediate, reducer: .identity)
            @Sendable func book() -> Source<Book?> {
                system.scoped(
                    by: Scope<[Book], Int, Book?, Int>(
                        id: key, in: \.self, event: CasePath(embed: { $0.1 }, extract: { _ in nil }))
                ).settled
            }
            let delivery = MainDelivery<Book?>()
            let (first, again) = (delivery.of(book()), book())
            use.value = { _ = delivery.of(again) }
            exit(delivery.of(again) == first && compared.value == 1 ? 0 : 1)
        }
    }
}

/// An identity that reports each comparison.
private struct Key: Hashable, Sendable {
    let onCompare: @Sendable () -> Void

    static func == (left: Key, right: Key) -> Bool {
        left.onCompare()
        return true
    }

    func hash(into hasher: inout Hasher) {}
}

private struct Book: Sendable, Identifiable {
    let id: Key
}

private final class Subscriber: Sendable {
    func hear(_ book: Book?) {}
}

private struct Held: Sendable {
    let number: Int
    var rows: [Row]
    let witness: Witness

    init(_ number: Int, onEnd: @escaping @Sendable () -> Void = {}) {
        self.number = number
        rows = [Row(id: 1, count: number)]
        witness = Witness(onEnd)
    }
}

private struct Row: Sendable, Identifiable, Equatable {
    let id: Int
    let count: Int
}
