internal import Promise
public import PromisedSystem
public import PromisedTesting

/// Records what has happened on a path, as far as it determines what comes next, and what was shown since the last
/// step.
@usableFromInline
final class PathHistory: Sendable {
    /// Work in the system with its history. Both together determine its outcome.
    struct WorkItem: Sendable {
        enum WorkOrigin: Sendable {
            /// What the explorer does itself, such as sending an event: not work of the system.
            case outside
            case turn(event: Int, state: Int)
            /// An effect, by the index of the trigger that requested it.
            case effect(Int)
            /// An effect that is fully determined by its key.
            case keyed
        }

        let origin: WorkOrigin
        var history: [Int] = []
    }

    /// When feedbacks were evaluated: after which event, if any, with which settled state, and which variable values
    /// the feedback read in its evaluation.
    struct Trigger: Sendable {
        let event: Int?
        let state: Int
        let reads: [Int]
    }

    struct Content: Sendable {
        var workItems = [WorkItem(origin: .outside)]
        var triggers: [Trigger] = []
        var isOccasionKnown = false
        /// Whether a feedback is being evaluated, and the numbers of the variable values that the last evaluation read.
        var isAsking = false
        var readsOfEvaluation: [Int] = []
        var turn = 0
        var runs: [Int: Int] = [:]
        var settled = 0
        var pastEvents: [Int] = []
        var keepsPastEvents = false
        var latest = Showing(state: 0, isLoading: false)
        var news = News()
    }

    /// A shown state, by its number.
    struct Showing: Hashable, Sendable {
        let state: Int
        let isLoading: Bool
    }

    /// What was recorded since the last `takeRecording()`.
    struct News: Sendable {
        var shown: [Showing] = []
        var errors: [any Error] = []
        var violation: Violation?
        /// The number of turns that began.
        var turns = 0
    }

    /// The history entry for a read value is this number minus the number of the value.
    static let read = -1_000_000_000
    /// The history entry for a timer that fired; the timer's number follows. Entries for calls start at 1.
    static let timerFired = 0

    private let content = Lock(Content())
    private let scheduler: TestScheduler

    @usableFromInline
    init(_ scheduler: TestScheduler) { self.scheduler = scheduler }

    /// Records the start of the system, before anything has happened.
    @usableFromInline
    func begin(state: Int, memories: [FeedbackMemory]) {
        content.withLock { content in
            content.settled = state
            content.latest = Showing(state: state, isLoading: false)
            content.keepsPastEvents = memories.contains { if case .ofEvents = $0 { true } else { false } }
        }
    }

    @usableFromInline
    func beginTurn(_ event: Int) {
        scheduler.owner = content.withLock { content in
            if !content.keepsPastEvents { content.pastEvents.removeAll(keepingCapacity: true) }
            content.pastEvents.append(event)
            content.isOccasionKnown = false
            content.readsOfEvaluation.removeAll(keepingCapacity: true)
            content.news.turns += 1
            content.workItems.append(WorkItem(origin: .turn(event: event, state: content.settled)))
            content.turn = content.workItems.count - 1
            return content.turn
        }
    }

    @usableFromInline
    func show(_ state: Int, isLoading: Bool) {
        content.withLock { content in
            if !isLoading { content.settled = state }
            content.latest = Showing(state: state, isLoading: isLoading)
            content.news.shown.append(content.latest)
        }
    }

    @usableFromInline
    func add(_ error: any Error) { content.withLock { $0.news.errors.append(error) } }

    @usableFromInline
    func add(_ violation: Violation) {
        content.withLock { if $0.news.violation == nil { $0.news.violation = violation } }
    }

    /// Records the answer to a call, by its place among the calls of its owner and its outcome.
    func answer(_ place: Int, of owner: Int, with choice: Int) {
        content.withLock { $0.workItems[owner].history += [place, choice] }
    }

    /// Records that the running work has read a variable's value, by the value's number.
    @usableFromInline
    func read(_ number: Int) {
        let owner = scheduler.owner
        content.withLock { content in
            if content.isAsking {
                content.readsOfEvaluation.append(number)
                content.isOccasionKnown = false
            } else {
                content.workItems[owner].history.append(Self.read - number)
            }
        }
    }

    /// Records the timers that have fired.
    func ring(_ timers: [(owner: Int, timer: Int)]) {
        if timers.isEmpty { return }
        content.withLock { content in
            for timer in timers { content.workItems[timer.owner].history += [Self.timerFired, timer.timer] }
        }
    }

    func takeRecording() -> News {
        content.withLock { content in
            defer { content.news = News() }
            return content.news
        }
    }

    var now: Content { content.withLock { $0 } }
    var latest: Showing { content.withLock { $0.latest } }
}

extension PathHistory: WorkProbe {
    @usableFromInline
    package func asks(_ isAsking: Bool) {
        content.withLock { content in
            content.isAsking = isAsking
            if isAsking, !content.readsOfEvaluation.isEmpty {
                content.readsOfEvaluation = []
                content.isOccasionKnown = false
            }
        }
    }

    @usableFromInline package var occasion: Int { content.withLock { $0.currentOccasion() } }

    @usableFromInline
    package func starts(_ number: Int, requestedAt occasion: Int, isKnownByKey: Bool) {
        scheduler.owner = content.withLock { content in
            content.workItems.append(WorkItem(origin: isKnownByKey ? .keyed : .effect(occasion)))
            content.runs[number] = content.workItems.count - 1
            return content.workItems.count - 1
        }
    }

    @usableFromInline
    package func updates(workOf runs: [Int]) {
        content.withLock { content in
            let occasion = content.currentOccasion()
            // Negative, to distinguish it from the entries for answers.
            for thing in runs.compactMap({ content.runs[$0] }) {
                content.workItems[thing].history.append(-1 - occasion)
            }
        }
    }
}

extension PathHistory.Content {
    fileprivate mutating func currentOccasion() -> Int {
        if !isOccasionKnown {
            triggers.append(.init(event: pastEvents.last, state: settled, reads: readsOfEvaluation))
            isOccasionKnown = true
        }
        return triggers.count - 1
    }
}
