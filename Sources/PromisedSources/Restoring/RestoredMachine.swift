internal import Promise
public import Foundation
public import PromisedSystem

/// A system that continues where it was in another process: with its state, the work that was running, and its timers.
///
/// ```swift
/// import PromisedSources
///
/// struct Page: Codable, Sendable { var visits = 0, isLocked = false }
/// enum PageEvent: Codable, Hashable, Sendable { case visit, lock }
///
/// let storage = MemoryPersistence(on: .immediate)
/// let key = StorageKey<SavedMachine<Page, PageEvent>>("page")
///
/// func makePage() -> RestoredMachine<Page, PageEvent> {
///     RestoredMachine(initialState: Page(), in: storage.source(for: key), on: .immediate) { state, work in
///         System(
///             initialState: state, scheduler: .immediate,
///             reducer: Reducer { page, event in
///                 switch event {
///                 case .visit: page.visits += 1
///                 case .lock: page.isLocked = true
///                 }
///             },
///             feedbacks: [
///                 .whilePresent(state: { $0.isLocked ? nil : true }) { _ in
///                     work.wait("lock", .seconds(300)).map { .lock }
///                 }
///             ],
///             middleware: work.middleware())
///     }
/// }
///
/// let first = makePage()
/// first.sendEvent(.visit)
/// print(makePage().system.state.visits)
/// ```
///
/// It is stored with each event and each turn. Restored, the system has the stored state from the beginning, so its
/// feedbacks start the work that this state requires. Then the events are sent once more whose transitions were not
/// over. An event that feedbacks or bindings have sent is stored while its transition runs, and not while it is
/// enqueued: it follows from the restored state.
public final class RestoredMachine<State: Codable & Sendable, Event: Codable & Hashable & Sendable>: Sendable
{
    /// The system. Send events with ``RestoredMachine/sendEvent(_:file:line:)``, so that they are stored.
    public let system: System<State, Event>
    private let work: RestoredWork<State, Event>

    /// - Parameters:
    ///   - initialState: The state if none is stored.
    ///   - storage: Where the machine is stored. A file is written after the pause of its storage: a process that is
    ///     killed before that forgets its last events.
    ///   - scheduler: That of the system.
    ///   - timers: How long the timers run that were running.
    ///   - now: Returns the time of day, for the due times of timers. Called on the scheduler and on threads that send
    ///     events. Pass one that follows the scheduler in a test.
    ///   - file: The file of the call, which is the origin of restored events.
    ///   - line: The line of the call.
    ///   - build: Builds the system, with this initial state, and with `work.middleware()` before other middleware.
    ///     Called once, before this returns.
    public init(
        initialState: State, in storage: Source<Persistable<SavedMachine<State, Event>>>,
        on scheduler: any SerialScheduler, timers: TimerRestoration = .dueTime,
        now: @escaping @Sendable () -> Date = { Date() }, file: StaticString = #fileID, line: UInt = #line,
        _ build: (State, RestoredWork<State, Event>) -> System<State, Event>
    ) {
        let saved = storage.value.found?.value ?? SavedMachine(state: initialState)
        work = RestoredWork(scheduler, timers, saved, sentAt: Origin(file, line), now)
        system = build(saved.state, work)
        work.begin(storage, system)
        for event in saved.events { system.sendEvent(event, file: file, line: line) }
    }

    /// Stores an event as not processed yet, and sends it.
    public func sendEvent(_ event: Event, file: StaticString = #fileID, line: UInt = #line) {
        work.isSent(event, Origin(file, line))
        system.sendEvent(event, file: file, line: line)
    }
}
