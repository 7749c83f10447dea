import Dispatch
import Observation
import Promise
@testable import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Changes that are delivered on the main thread, for a system on any scheduler.
@Suite(.tags(.sharedState)) @MainActor struct MainDeliveryTests {
    private typealias Numbers = System<Page, Int>

    private struct Page: Sendable, Equatable { var number = 4, other = 0 }

    private let changes: AsyncStream<Int>
    private let changing: AsyncStream<Int>.Continuation

    init() { (changes, changing) = AsyncStream.makeStream() }

    private func numbers(_ scheduler: some SerialScheduler) -> Numbers {
        Numbers(initialState: Page(), scheduler: scheduler, reducer: Reducer { $0.number += $1 })
    }

    /// Reads with observation tracking, and reports a change on the thread where it is notified.
    private func observe(_ read: () -> Int) -> Int {
        withObservationTracking(read) { [changing] in
            MainActor.preconditionIsolated()
            changing.yield(1)
        }
    }

    @Test(
        "SA-14: a change is notified on the main thread, once, with the new value readable, from any scheduler"
    )
    func arrives() async {
        for system in [numbers(.serial("numbers")), numbers(.immediate), numbers(.main)] {
            let seen = system.settled.receive(on: .main)
            #expect(observe { seen.value.number } == 4)
            let values = Log<Int>()
            let token = seen.subscribe(replayCurrent: false) { values.add($0.number + seen.value.number) }
            await onThread { system.sendEvent(1) }
            var iterator = changes.makeAsyncIterator()
            _ = await iterator.next()
            #expect(seen.value.number == 5)
            await mainCaughtUp()
            #expect(values.entries == [10])
            token.cancel()
        }
        changing.finish()
        #expect(await changes.reduce(0, +) == 0)
    }

    @Test("SA-14: a value read on the main thread does not change before it is notified there")
    func coherent() {
        let scheduler = TestScheduler()
        let system = numbers(.immediate)
        let seen = system.settled.receive(on: scheduler)
        let log = Log<Int>()
        let token = seen.subscribe(replayCurrent: false) { log.add($0.number) }
        system.sendEvent(1)
        system.sendEvent(1)
        #expect((system.state.number, seen.value.number, log.count) == (6, 4, 0))
        scheduler.advance()
        #expect(seen.value.number == 6 && log.entries == [5, 6])
        token.cancel()
    }

    @Test("SA-14: the delivery is subscribed as long as it is retained, and ends with its owner")
    func ends() async {
        var system: Numbers? = numbers(.immediate)
        do {
            let seen = system?.settled.receive(on: .immediate)
            #expect(system?.subscribers == 1)
            withExtendedLifetime(seen) {}
        }
        #expect(system?.subscribers == 0)
        let seen = system?.settled.receive(on: .immediate)
        let values = seen?.values
        system?.sendEvent(1)
        system = nil
        if let values { #expect(await collect(values).map(\.number) == [4, 5]) }
        #expect(seen?.value.number == 5)
    }

    @Test("SA-14: the end is delivered after the last value") func endsLast() async {
        let scheduler = TestScheduler()
        let system = numbers(.immediate)
        let seen = system.settled.receive(on: scheduler)
        let values = seen.values
        system.sendEvent(1)
        system.stop()
        scheduler.advance()
        #expect(await collect(values).map(\.number) == [4, 5])
    }

    @Test("SA-14: a view that is re-created keeps one delivery, until it gets another source")
    func keptDelivery() async {
        let (first, second) = (numbers(.immediate), numbers(.immediate))
        let delivery = MainDelivery<Int>()
        let made = (1...3).map { _ in delivery.of(first.scoped(to: \.number).settled) }
        #expect(Set(made).count == 1)
        first.sendEvent(1)
        await mainCaughtUp()
        #expect(delivery.of(first.scoped(to: \.number).settled).value == 5)
        let other = delivery.of(second.scoped(to: \.number).settled)
        #expect(other.value == 4 && !made.contains(other))
        #expect(second.subscribers == 1)
    }

    @Test("SR-33: a view object needs no initial value, and its tracking fires once on the next change")
    func viewStore() async {
        let system = numbers(.serial("numbers"))
        let store = ViewStore(system)
        #expect(observe { store.state.number } == 4)
        await onThread { system.sendEvent(1) }
        var iterator = changes.makeAsyncIterator()
        _ = await iterator.next()
        #expect(store.state.number == 5)
        await mainCaughtUp()
        changing.finish()
        #expect(await changes.reduce(0, +) == 0)
    }

    @Test("SR-33: a property of a view object is observed separately; a written value is sent as an event")
    func properties() async {
        let system = numbers(.immediate)
        let store = ViewStore(system.scoped())
        let count = SharedCount()
        withObservationTracking {
            _ = store.other
        } onChange: {
            count.add(1)
        }
        store.sendEvent(1)
        await mainCaughtUp()
        #expect((store.number, store.other, count.value) == (5, 0, 0))
        let number = store.binding(\.number) { $0 }
        number.value = 10
        await mainCaughtUp()
        #expect(number.value == 15)
    }

    @Test("SR-33, PK-10: a view object shows loading states, of a part as well") func loading() async {
        let scheduler = TestScheduler()
        let system = Numbers(initialState: Page(), scheduler: scheduler) { page, number in
            Promise.value(Page(number: number)).delay(.seconds(1)).stateWhenLoading(Page(number: -1))
        }
        let (store, part) = (ViewStore(system), ViewStore(system.scoped(to: \.number)))
        system.sendEvent(9)
        scheduler.advance()
        await mainCaughtUp()
        #expect(store.isLoading && part.isLoading && store.number == -1 && part.state == -1)
        scheduler.run()
        await mainCaughtUp()
        #expect(!store.isLoading && !part.isLoading && store.number == 9 && part.state == 9)
    }
}
