import Foundation
import Promise
import PromisedSources
import PromisedTesting
import TestSupport
import Testing

/// A machine goes on in another process: with its state, its work, and its timers.
@Suite(.tags(.sharedState)) struct RestoringTests {
    struct Page: Codable, Hashable, Sendable {
        var added: [Int] = []
        var isLocked = false
    }

    enum Event: Codable, Hashable, Sendable { case add(Int), lock, echo(Int) }

    /// One run of the program: what is stored outlives it.
    final class Run {
        let scheduler: TestScheduler
        let machine: RestoredMachine<Page, Event>

        /// - Parameters:
        ///   - saved: What an earlier run has stored.
        ///   - pause: How long the program was not running.
        init(
            _ storage: Stored, at instant: Duration = .zero, timers: TimerRestoration = .dueTime,
            policy: @escaping @Sendable (Event) -> EventPolicy = { _ in .queue },
            middleware: Middleware<Page, Event> = .identity
        ) {
            let scheduler = TestScheduler()
            self.scheduler = scheduler
            machine = RestoredMachine(
                initialState: Page(), in: storage.eraseToSource(), on: scheduler, timers: timers,
                now: { Date(timeIntervalSinceReferenceDate: (instant + scheduler.now) / .seconds(1)) }
            ) { state, work in
                System(
                    initialState: state, scheduler: scheduler,
                    feedbacks: [
                        .whilePresent(state: { $0.isLocked ? nil : true }) { _ in
                            work.wait("lock", .seconds(60)).map { .lock }
                        },
                        .onEvent({ if case .add(10) = $0 { true } else { nil } }) { _ in
                            Promise.value(.echo(1))
                        },
                    ],
                    middleware: work.middleware() <> middleware, configuration: .init(eventPolicy: policy)
                ) { page, event in
                    var page = page
                    switch event {
                    case .add(let number), .echo(let number): page.added.append(number)
                    case .lock: page.isLocked = true
                    }
                    return event == .lock ? .value(page) : .value(page).delay(.seconds(1))
                }
            }
        }

        var page: Page { machine.system.state }
    }

    /// A storage in memory whose content can be taken as a crash would leave it.
    final class Stored: StateSource {
        typealias Model = Persistable<SavedMachine<Page, Event>>
        let state = SourceState<Model>()
        private let first: SavedMachine<Page, Event>?
        init(_ first: SavedMachine<Page, Event>? = nil) { self.first = first }

        var initialModel: Model { first.map(found) ?? .notFound(.init(set: setAction)) }
        private func found(_ value: SavedMachine<Page, Event>) -> Model {
            .found(.init(value, set: setAction, clear: .doNothing))
        }
        private var setAction: Action<SavedMachine<Page, Event>> { action(Stored.set, at: { $0.set }) }
        private func set(_ value: SavedMachine<Page, Event>) { model = found(value) }

        var saved: SavedMachine<Page, Event>? { model.found?.value }
        /// What the next run finds, encoded and decoded.
        func reopened() throws -> Stored {
            Stored(
                try saved.map { try JSONDecoder().decode(SavedMachine.self, from: JSONEncoder().encode($0)) })
        }
    }

    @Test(
        "the state is that of the last turn, and the events whose transitions were not over are sent once more"
    )
    func events() throws {
        let stored = Stored()
        let first = Run(stored)
        for number in 1...3 { first.machine.sendEvent(.add(number)) }
        first.scheduler.advance(by: .milliseconds(1_500))
        #expect(first.page.added == [1])
        #expect(stored.saved?.events == [.add(2), .add(3)])

        let second = Run(try stored.reopened())
        #expect(second.page.added == [1])
        second.scheduler.advance(by: .seconds(2))
        #expect(second.page.added == [1, 2, 3])
    }

    @Test("a timer runs until it is due, as long as it had left, or from the start")
    func timers() throws {
        let stored = Stored()
        let first = Run(stored)
        first.scheduler.advance(by: .seconds(20))
        // Stored at 21 s, when the transition is over.
        first.machine.sendEvent(.add(1))
        first.scheduler.advance(by: .seconds(1))
        #expect(stored.saved?.timers["lock"]?.remaining == .seconds(39))

        for (timers, rest) in [(TimerRestoration.dueTime, 30), (.remainingTime, 39), (.fromStart, 60)] {
            let second = Run(try stored.reopened(), at: .seconds(30), timers: timers)
            second.scheduler.advance(by: .seconds(rest) - .milliseconds(1))
            #expect(!second.page.isLocked, "\(timers)")
            second.scheduler.advance(by: .milliseconds(1))
            #expect(second.page.isLocked, "\(timers)")
        }
        let late = Run(try stored.reopened(), at: .seconds(500))
        late.scheduler.advance(by: .zero)
        #expect(late.page.isLocked)
    }

    @Test(
        "a timer that is over or cancelled is not stored, and one that is restored twice keeps its due time")
    func timersEnd() throws {
        let stored = Stored()
        let first = Run(stored)
        first.scheduler.advance(by: .seconds(10))
        first.machine.sendEvent(.add(1))
        first.scheduler.advance(by: .seconds(1))
        let second = try stored.reopened()
        let again = Run(second, at: .seconds(20))
        again.machine.sendEvent(.add(2))
        again.scheduler.advance(by: .seconds(1))
        let third = try second.reopened()
        let last = Run(third, at: .seconds(40))
        last.scheduler.advance(by: .seconds(19))
        #expect(!last.page.isLocked)
        last.machine.sendEvent(.lock)
        last.scheduler.advance(by: .zero)
        #expect(last.page.isLocked)
        #expect(third.saved?.timers == [:])
    }

    @Test("an event that middleware replaces or stops, and one that is dropped, are not sent once more")
    func replacedAndDropped() throws {
        let stored = Stored()
        let first = Run(
            stored, policy: { if case .add(5) = $0 { .dropWhileBusy } else { .queue } },
            middleware: Middleware(before: { event, _ in
                event == .add(3) ? .stop : event == .add(2) ? .replace(.add(20)) : .pass
            }))
        first.machine.sendEvent(.add(3))
        first.scheduler.advance(by: .zero)
        #expect(stored.saved?.events == [])
        first.machine.sendEvent(.add(2))
        first.scheduler.advance(by: .zero)
        first.machine.sendEvent(.add(5))
        first.scheduler.advance(by: .milliseconds(500))
        #expect(stored.saved?.events == [.add(2)])
        first.scheduler.advance(by: .milliseconds(500))
        #expect(first.page.added == [20])
        #expect(stored.saved?.events == [])
    }

    @Test("an event of a feedback is not stored beside the state that it follows from")
    func eventsOfFeedbacks() throws {
        let stored = Stored()
        let first = Run(stored)
        first.machine.sendEvent(.add(10))
        first.scheduler.advance(by: .milliseconds(1_500))
        #expect(first.page.added == [10])
        // Its transition is running.
        #expect(stored.saved?.events == [.echo(1)])
        first.scheduler.advance(by: .milliseconds(500))
        #expect(stored.saved?.events == [])
    }

    /// A machine that adds 7 as soon as it exists, unless that is done already.
    private func beginner(_ stored: Stored) -> RestoredMachine<Page, Event> {
        RestoredMachine(initialState: Page(), in: stored.eraseToSource(), on: .immediate) { state, work in
            System(
                initialState: state, scheduler: .immediate,
                reducer: Reducer { page, event in
                    if case .add(let number) = event { page.added.append(number) }
                },
                feedbacks: [.whenBecomesTrue(state: { $0.added.isEmpty }) { _ in Promise.value(.add(7)) }],
                middleware: work.middleware())
        }
    }

    @Test("a turn that is over before the system is built is stored, and not made once more")
    func turnWithinBuild() throws {
        let stored = Stored()
        let first = beginner(stored)
        #expect(first.system.state.added == [7])
        #expect(stored.saved?.state.added == [7] && stored.saved?.events == [])
        #expect(beginner(try stored.reopened()).system.state.added == [7])
        first.sendEvent(.add(8))
        #expect(stored.saved?.state.added == [7, 8] && stored.saved?.events == [])
    }

    @Test("an event of a feedback does not take the place of an equal one that waits")
    func equalEvents() throws {
        let stored = Stored()
        let first = Run(stored)
        // Its feedback enqueues `.echo(1)` after one second, in front of which the other one was sent.
        first.machine.sendEvent(.add(10))
        first.machine.sendEvent(.add(2))
        first.scheduler.advance(by: .milliseconds(1_500))
        first.machine.sendEvent(.echo(1))
        first.scheduler.advance(by: .seconds(1))
        #expect(stored.saved?.events == [.echo(1), .echo(1)])
        first.scheduler.advance(by: .seconds(1))
        #expect(first.page.added == [10, 2, 1])
        #expect(stored.saved?.events == [.echo(1)])
        let second = Run(try stored.reopened())
        second.scheduler.advance(by: .seconds(2))
        #expect(second.page.added == [10, 2, 1, 1])
    }

    @Test("while the restored events are sent, all of them stay stored")
    func restoredEvents() {
        let events = [Event.add(1), .add(1), .echo(2)]
        let stored = Stored(SavedMachine(state: Page(), events: events))
        let saved = Seen<[Event]>()
        let token = stored.eraseToSource().subscribe(replayCurrent: false) {
            saved.add(($0.found?.value.state.added ?? []).map(Event.add) + ($0.found?.value.events ?? []))
        }
        let run = Run(stored)
        run.scheduler.advance(by: .milliseconds(500))
        #expect(!saved.values.isEmpty && saved.values.allSatisfy { $0 == events })
        run.scheduler.advance(by: .seconds(5))
        #expect(run.page.added == [1, 1, 2] && stored.saved?.events == [])
        token.cancel()
    }

    @Test("what is stored is of one instant, and never replaces what is later, with 8 threads that send")
    func threads() async {
        for _ in 0..<rounds(20, stress: 500) {
            let stored = Stored()
            let doubled = Threadsafe(wrappedValue: 0)
            let token = stored.eraseToSource().subscribe(replayCurrent: false) {
                guard let saved = $0.found?.value else { return }
                let all = saved.state.added.map(Event.add) + saved.events
                if Set(all).count < all.count { doubled.wrappedValue += 1 }
            }
            let scheduler = QueueScheduler.serial("restoring")
            let machine = RestoredMachine<Page, Event>(
                initialState: Page(), in: stored.eraseToSource(), on: scheduler
            ) { state, work in
                System(
                    initialState: state, scheduler: scheduler,
                    reducer: Reducer { page, event in
                        if case .add(let number) = event { page.added.append(number) }
                    },
                    middleware: work.middleware())
            }
            await withTaskGroup { group in
                for task in 0..<8 {
                    group.addTask { for number in 0..<25 { machine.sendEvent(.add(task * 100 + number)) } }
                }
            }
            // After all events, which are processed there.
            await withCheckedContinuation { end in scheduler.schedule { end.resume() } }
            #expect(doubled.wrappedValue == 0 && machine.system.state.added.count == 200)
            #expect(stored.saved?.events == [] && stored.saved?.state == machine.system.state)
            withExtendedLifetime(token) {}
        }
    }

    @Test("a wait whose name is waited for once more does not end the timer of the later one")
    func sameName() {
        let (stored, scheduler) = (Stored(), TestScheduler())
        let work = Threadsafe<RestoredWork<Page, Event>?>(wrappedValue: nil)
        let machine = RestoredMachine<Page, Event>(
            initialState: Page(), in: stored.eraseToSource(), on: scheduler
        ) { state, waits in
            work.wrappedValue = waits
            return System(
                initialState: state, scheduler: scheduler, reducer: Reducer { _, _ in },
                middleware: waits.middleware())
        }
        for seconds in [10, 30] {
            work.wrappedValue?.wait("name", .seconds(seconds)).done {}
            scheduler.advance(by: .seconds(1))
        }
        scheduler.advance(by: .seconds(15))
        #expect(stored.saved?.timers["name"]?.duration == .seconds(30))
        scheduler.advance(by: .seconds(15))
        #expect(stored.saved?.timers == [:])
        withExtendedLifetime(machine) {}
    }

    @Test("a due time of any distance is a long time")
    func farDueTime() {
        for distance in [1e300, .infinity] {
            let timer = SavedTimer(
                duration: .seconds(60), remaining: .seconds(60),
                due: Date(timeIntervalSinceReferenceDate: distance))
            let run = Run(Stored(SavedMachine(state: Page(), timers: ["lock": timer])))
            run.scheduler.advance(by: .seconds(1_000))
            #expect(!run.page.isLocked)
        }
    }

    @Test("wherever the program ends, each event is processed once, in order")
    func cuts() throws {
        for seed in 1...UInt64(rounds(60, stress: 5_000)) {
            var dice = SeededGenerator(seed: seed)
            var (stored, sent) = (Stored(), [Int]())
            for _ in 0..<4 {
                let run = Run(stored)
                for _ in 0..<Int.random(in: 0...3, using: &dice) {
                    sent.append(sent.count + 100)
                    run.machine.sendEvent(.add(sent.count + 99))
                    run.scheduler.advance(by: .milliseconds(Int.random(in: 0...1_500, using: &dice)))
                }
                stored = try stored.reopened()
            }
            let last = Run(stored)
            last.scheduler.advance(by: .seconds(20))
            #expect(last.page.added == sent, "seed \(seed)")
        }
    }
}
