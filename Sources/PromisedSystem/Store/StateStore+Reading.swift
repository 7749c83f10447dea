internal import Dispatch
internal import Promise
public import Synchronization

extension StateStore {
    /// The settled state; a read by the system's own reducer is reported.
    @inlinable var settled: State { read { $0.visible }.value }
    /// The same for the logic of the system, which goes on behind an override.
    @inlinable var settledBehindOverride: State { read { $0.settled }.value }
    var present: StateChange<State> { read { $0.present } }
    var pastStates: History<State> { read(ofHistory: keepsHistory) { $0.history } }
    @inlinable var isNotifyingNow: Bool { isNotifying.load(ordering: .acquiring) }

    /// The settled state, for the owner of the loop, outside of reducers.
    @inlinable var ownerState: ValueBox<State> { contents.withLock { $0.settled.shared } }

    /// The history passed to a callback; the shown state alone if none is kept.
    static func seen(_ state: State, by store: StateStore?) -> [State] {
        guard let store, !store.isOverridden else { return [state] }
        let states = store.pastStates
        guard !states.isEmpty else { return [state] }
        return Array(states)
    }

    @inlinable
    func read<Part>(ofHistory isOfHistory: Bool = false, _ part: (Contents) -> Part) -> Part {
        noteRead(ofHistory: isOfHistory)
        return withContents { part($0) }
    }

    /// Calls `body` under the lock. While a reducer has the state, the caller waits; if that would be a deadlock,
    /// `body` gets the initial state.
    @inlinable
    func withContents<Result>(_ body: (inout Contents) -> Result) -> Result {
        contents.withLock { $0.isTaken ? nil : body(&$0) } ?? withTakenContents(body)
    }

    /// Reports a read if the calling thread runs this system's reducer, which gets the state as its argument; notifies
    /// the observer of others.
    @inlinable
    func noteRead(ofHistory isOfHistory: Bool) {
        let reducer = reducing.load(ordering: .relaxed)
        if reducer == 0 { return }
        if reducer == Self.watched { return observeRead(ofHistory: isOfHistory) }
        if reducer == currentThread { reportReadByReducer() }
    }

    @usableFromInline
    func reportReadByReducer() { Self.reportRead(by: reducedOrigin) }

    /// The value of ``reducing`` while no reducer runs and reads are observed.
    @inlinable static var watched: UInt { .max }

    @usableFromInline
    func observeRead(ofHistory isOfHistory: Bool) { readObserver.withLock { $0 }?(isOfHistory) }

    func observeReads(by observer: @escaping ReadObserver) {
        readObserver.exchange(for: observer)
        watchReads()
    }

    /// Observes reads again, after a reducer.
    @usableFromInline
    func watchReads() { reducing.store(Self.watched, ordering: .relaxed) }

    private enum AccessAttempt<Result> {
        case found(Result)
        /// A reducer has the state; the signal is sent when it puts it back.
        case wait(DispatchSemaphore)
        /// The reducer that has it waits for the caller's, which handles the event sent here.
        case foundInitial(Result, Origin?)
    }

    @usableFromInline
    func withTakenContents<Result>(_ body: (inout Contents) -> Result) -> Result {
        while true {
            switch contents.withLock({ access(&$0, body) }) {
            case .found(let result): return result
            case .wait(let signal): signal.wait()
            case .foundInitial(let result, let origin):
                if let origin { Self.reportRead(by: origin) }
                isReadByReducer.store(true, ordering: .releasing)
                return result
            }
        }
    }

    private func access<Result>(
        _ contents: inout Contents, _ body: (inout Contents) -> Result
    ) -> AccessAttempt<Result> {
        guard contents.isTaken, let initial else { return .found(body(&contents)) }
        let (thread, reducer) = (currentThread, reducing.load(ordering: .relaxed))
        let origin =
            thread == reducer ? nil : ReducerWaits.begin(thread, for: reducer, handling: reducedOrigin)
        guard thread == reducer || origin != nil else {
            let signal = DispatchSemaphore(value: 0)
            contents.waiters.append(.init(thread: thread, signal: signal))
            return .wait(signal)
        }
        contents.settled = initial
        defer { _ = contents.settled.take() }
        return .foundInitial(body(&contents), origin)
    }

    private var reducedOrigin: Origin { Origin(place: reducedPlace.load(ordering: .relaxed)) }

    private static func reportRead(by origin: Origin) {
        PromiseDiagnostics.report(.init(problem: SystemProblem.stateReadByReducer, origin: origin))
    }
}
