internal import Promise
public import PromisedSystem
internal import PromisedTesting
internal import Synchronization

/// Records a path, as far as a later step can depend on it, and the states shown since the last step.
@usableFromInline
final class PathRecord: Sendable {
    /// A shown state, by its number.
    struct Showing: Hashable, Sendable {
        let state: Int
        let isLoading: Bool
    }

    /// The records since the last ``takeNews()``.
    struct News: Sendable {
        var shown: [Showing] = []
        var errors: [any Error] = []
        var violation: Violation?
    }

    /// A promise that was started, and the work that has started it; or one that a resolver settles.
    struct Started: Sendable {
        /// Who waits for it.
        enum Joiner: Sendable {
            case work(WorkItem)
            /// No work of a system, but a step: it may depend on the path up to it.
            case step(path: Int)
        }

        let promise: StartedPromise
        let starter: WorkItem?
        /// Tells it from others that a resolver settles.
        var place = 0
        /// Returns the outcome of one that a resolver settles; nil while it is pending.
        var value: (@Sendable () -> SettledValue?)?
        /// Its outcome, once it has settled.
        var outcome: Int?
        /// Those that wait for it while it is pending, apart from its starter.
        var joiners: [Joiner] = []
    }

    struct Recordings: Sendable {
        var path = 0
        var latest = Showing(state: 0, isLoading: false)
        var news = News()
        var started: [Started] = []
        /// The systems on the scheduler that are observed, the explored one first.
        var systems: [(system: any ExploredSystem, record: SystemRecord)] = []
        /// The systems that are not observed yet, in the order of their creation.
        var created: [any ExploredSystem] = []
        var explored: SystemRecord?
        /// The observers of the states that a system shows.
        var watchers: [ObjectIdentifier: [@Sendable (any Sendable, Bool) -> Void]] = [:]
        /// The system whose feedback is being evaluated.
        weak var evaluating: SystemRecord?
        /// Whether the explorer itself looks: its reads are not recorded.
        var isInspecting = false
        /// The memories beside the states of the systems.
        var memories: [OutsideMemory] = []
        /// The work that waits for the next element of a sequence of a model.
        var waiting: [(work: WorkItem, origin: Origin)] = []
        /// The work that sends events for the states of other systems, in the order of its subscriptions.
        var forwarding: [WorkItem] = []
        /// The history that causes the present work; nil if that may be the whole path.
        var cause: Int?
    }

    let scheduler: TestScheduler
    let findings: Findings
    let thread = currentThread
    private let actions = Atomic(0)
    /// Whether there is a memory beside the systems, and whether a promise was started.
    let usesMemories = Atomic(false), startsPromises = Atomic(false)
    let content = Lock(Recordings())

    init(_ scheduler: TestScheduler, _ findings: Findings) {
        (self.scheduler, self.findings) = (scheduler, findings)
    }

    /// Observes the promises that `body` makes and starts.
    @usableFromInline
    func observing<Result>(_ body: () -> Result) -> Result { observingChains(by: self, body) }

    /// Counts everything that could be different if an event was processed before it: reads, writes, outcomes,
    /// started and scheduled work.
    var activity: Int { actions.load(ordering: .relaxed) }
    @usableFromInline func acts() { actions.wrappingAdd(1, ordering: .relaxed) }

    /// The path so far, as a history.
    var path: Int { content.withLock { $0.path } }
    /// The states shown since the last step.
    var shown: [Showing] { content.withLock { $0.news.shown } }
    var latest: Showing { content.withLock { $0.latest } }

    /// Names the path so far by the configuration to which it has led: another path to it counts as the same.
    func departs(from number: Int) {
        content.withLock { $0.path = PathHistory.adding(.configuration, number) }
    }

    /// Takes the system to be at rest in a state, as if nothing had happened before.
    func restart(state: Int) {
        content.withLock { content in
            content.latest = Showing(state: state, isLoading: false)
            content.news = News()
            content.explored?.restart(state: state)
        }
    }

    func takes(_ kind: PathHistory.Addition, _ first: Int = 0, _ second: Int = 0) {
        content.withLock { $0.path = PathHistory.adding(kind, first, second, to: $0.path) }
    }

    func shows(_ state: Int, isLoading: Bool) {
        content.withLock { content in
            content.latest = Showing(state: state, isLoading: isLoading)
            content.news.shown.append(content.latest)
        }
    }

    @usableFromInline func fails(_ error: any Error) { content.withLock { $0.news.errors.append(error) } }

    @usableFromInline func add(_ violation: Violation) {
        if findings.ignores(violation.property) { return }
        content.withLock { if $0.news.violation == nil { $0.news.violation = violation } }
    }

    @usableFromInline func ignores(_ property: String) -> Bool { findings.ignores(property) }
    @usableFromInline func isSeen(_ property: String) -> Bool { findings.hasMet(.neverSeen(property)) }
    @usableFromInline func notesSeen(_ property: String) { findings.meets(.neverSeen(property)) }

    /// Discards the records since the last call, but for the violation.
    func takeViolation() -> Violation? {
        content.withLock { content in
            defer { content.news.violation = nil }
            content.news.shown.removeAll(keepingCapacity: true)
            if !content.news.errors.isEmpty { content.news.errors = [] }
            return content.news.violation
        }
    }

    func takeNews() -> News {
        content.withLock { content in
            defer { content.news = News() }
            return content.news
        }
    }

    // MARK: Systems

    /// The systems with their records: the one that is explored, and the others in the order of their creation.
    var systems: [(system: any ExploredSystem, record: SystemRecord)] { content.withLock { $0.systems } }

    /// The number of the settled state, if there is only one system, and equal states are known to have the same.
    var stateOfOnlySystem: Int? {
        content.withLock { $0.systems.count == 1 ? $0.explored : nil }?.knownState
    }

    /// The activity of the explored system since the last call: the number of uses of its queue, and whether nothing else
    /// has happened since its last turn.
    func takeTurns() -> (queueUses: Int, endsStep: Bool) {
        guard let (queueUses, end) = content.withLock({ $0.explored })?.takeTurns() else { return (0, false) }
        return (queueUses, end == activity)
    }

    /// Observes the system that is explored, and the others beside it.
    ///
    /// - Parameters:
    ///   - begun: Called with each event that is processed.
    ///   - violation: Returns the property that a shown state violates.
    @inlinable
    func explore<State, Event>(
        _ system: System<State, Event>, _ state: @escaping @Sendable (State) -> Int,
        _ event: @escaping @Sendable (Event) -> Int,
        begun: @escaping @Sendable (Event) -> Void,
        violation: @escaping @Sendable (State, Bool) -> Violation?
    ) {
        let (record, id, isWatched) = newRecord(of: system, state(system.state))
        system.observe(
            by: LoopProbe(
                record: record, .init(state: state, event: event),
                shown: { state, isLoading in
                    if isWatched { self.watch(id, state, isLoading: isLoading) }
                    if let violation = violation(state, isLoading) { self.add(violation) }
                }, begun: begun))
        explores(system, record)
        if let violation = violation(system.state, false) { add(violation) }
    }

    /// - Returns: The record of the system that is explored, and whether the states that it shows are observed already.
    @usableFromInline func newRecord(
        of system: System<some Sendable, some Sendable>, _ state: Int
    ) -> (SystemRecord, ObjectIdentifier, isWatched: Bool) {
        let record = SystemRecord(self, isExplored: true)
        record.begin(state: state, memories: system.feedbackMemories)
        let id = ObjectIdentifier(system.explored)
        return content.withLock { content in
            content.latest = Showing(state: state, isLoading: false)
            return (record, id, content.watchers[id] != nil)
        }
    }

    @usableFromInline func explores(_ system: System<some Sendable, some Sendable>, _ record: SystemRecord) {
        let system = system.explored
        content.withLock { content in
            content.created.removeAll { $0 === system }
            content.systems.removeAll { $0.system === system }
            content.systems.insert((system, record), at: 0)
            content.explored = record
        }
        observeOtherSystems()
    }

    /// Releases the systems.
    func end() {
        let released = content.withLock { content in
            defer {
                (content.systems, content.created, content.started) = ([], [], [])
                (content.explored, content.watchers, content.forwarding) = (nil, [:], [])
            }
            return (content.systems, content.created, content.started, content.watchers)
        }
        withExtendedLifetime(released) {}
    }

    func observeOtherSystems() {
        for system in content.withLock({ $0.created }) { system.observe(by: newRecord(of: system)) }
    }

    /// Observes a system beside the explored one, with a closure that is called with each state that it shows.
    func observe<State, Event>(
        _ system: System<State, Event>, shown: @escaping @Sendable (State, Bool) -> Void
    ) {
        let explored = system.explored
        let id = ObjectIdentifier(explored)
        let isFirst = content.withLock { content in
            content.watchers[id, default: []].append { state, isLoading in
                if let state = state as? State { shown(state, isLoading) }
            }
            return content.watchers[id]?.count == 1
        }
        guard isFirst else { return }
        let record = newRecord(of: explored)
        system.observe(
            by: LoopProbe(
                record: record, .init(state: { record.number(of: $0) }, event: { record.number(of: $0) }),
                shown: { [weak self] in self?.watch(id, $0, isLoading: $1) }, begun: { _ in }))
    }

    @usableFromInline func watch(_ system: ObjectIdentifier, _ state: any Sendable, isLoading: Bool) {
        for watcher in content.withLock({ $0.watchers[system] ?? [] }) { watcher(state, isLoading) }
    }

    private func newRecord(of system: any ExploredSystem) -> SystemRecord {
        let record = SystemRecord(self)
        content.withLock { content in
            content.created.removeAll { $0 === system }
            content.systems.append((system, record))
        }
        return record
    }
}
