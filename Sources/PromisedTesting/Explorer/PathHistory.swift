internal import Promise
public import PromisedSystem

/// What has happened on a path, as far as it decides what comes next, and what was seen.
@usableFromInline
final class PathHistory: Sendable {
    /// Something that goes on in the system, and what it has gone through: what comes of it depends on nothing else.
    struct WorkItem: Sendable {
        enum WorkOrigin: Sendable {
            /// It is no work of the system's.
            case outside
            case turn(event: Int, state: Int)
            /// Work that was asked for at an occasion.
            case effect(Int)
            /// Work that was given nothing but its key.
            case keyed
        }

        let birth: WorkOrigin
        var history: [Int] = []
    }

    /// When a feedback is asked: behind which event, if behind any, with which state, and what it has read of
    /// variables since.
    struct Trigger: Sendable {
        let event: Int?
        let state: Int
        let reads: [Int]
    }

    struct Content: Sendable {
        var things = [WorkItem(birth: .outside)]
        var occasions: [Trigger] = []
        var isOccasionKnown = false
        /// Whether a feedback is being asked now, and what the last one has read.
        var isAsking = false
        var readsOfAsked: [Int] = []
        var turn = 0
        var runs: [Int: Int] = [:]
        var settled = 0
        var pastEvents: [Int] = []
        var keepsPastEvents = false
        var latest = Showing(state: 0, isLoading: false)
        var news = News()
    }

    /// A state that is shown, by its number.
    struct Showing: Hashable, Sendable {
        let state: Int
        let isLoading: Bool
    }

    /// What was seen since somebody asked.
    struct News: Sendable {
        var shown: [Showing] = []
        var errors: [any Error] = []
        var violation: Violation?
        /// How many turns were begun.
        var turns = 0
    }

    /// What stands in a history for what was read of a variable, less its number.
    static let read = -1_000_000_000
    /// What stands in a history for a timer that has run; its number follows. Calls begin with one.
    static let timerFired = 0

    private let content = Lock(Content())
    private let scheduler: TestScheduler

    @usableFromInline
    init(_ scheduler: TestScheduler) { self.scheduler = scheduler }

    /// The system is there, and has done nothing.
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
            content.readsOfAsked.removeAll(keepingCapacity: true)
            content.news.turns += 1
            content.things.append(WorkItem(birth: .turn(event: event, state: content.settled)))
            content.turn = content.things.count - 1
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

    /// A call of this owner's, by its place among them, is answered in one of its ways.
    func answer(_ place: Int, of owner: Int, with choice: Int) {
        content.withLock { $0.things[owner].history += [place, choice] }
    }

    /// Whoever is at work has read something of a variable, by the number of that.
    @usableFromInline
    func read(_ number: Int) {
        let owner = scheduler.owner
        content.withLock { content in
            if content.isAsking {
                content.readsOfAsked.append(number)
                content.isOccasionKnown = false
            } else {
                content.things[owner].history.append(Self.read - number)
            }
        }
    }

    /// These timers have run.
    func ring(_ timers: [(owner: Int, timer: Int)]) {
        if timers.isEmpty { return }
        content.withLock { content in
            for timer in timers { content.things[timer.owner].history += [Self.timerFired, timer.timer] }
        }
    }

    func takeNews() -> News {
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
            if isAsking, !content.readsOfAsked.isEmpty {
                content.readsOfAsked = []
                content.isOccasionKnown = false
            }
        }
    }

    @usableFromInline package var occasion: Int { content.withLock { $0.currentOccasion() } }

    @usableFromInline
    package func starts(_ number: Int, askedAt occasion: Int, isKnownByKey: Bool) {
        scheduler.owner = content.withLock { content in
            content.things.append(WorkItem(birth: isKnownByKey ? .keyed : .effect(occasion)))
            content.runs[number] = content.things.count - 1
            return content.things.count - 1
        }
    }

    @usableFromInline
    package func updates(workOf runs: [Int]) {
        content.withLock { content in
            let occasion = content.currentOccasion()
            // Told apart from answers by its sign.
            for thing in runs.compactMap({ content.runs[$0] }) {
                content.things[thing].history.append(-1 - occasion)
            }
        }
    }
}

extension PathHistory.Content {
    fileprivate mutating func currentOccasion() -> Int {
        if !isOccasionKnown {
            occasions.append(.init(event: pastEvents.last, state: settled, reads: readsOfAsked))
            isOccasionKnown = true
        }
        return occasions.count - 1
    }
}
