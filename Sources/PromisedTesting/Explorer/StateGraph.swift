/// The moments of a system that are known, and which steps lead from which to which.
struct StateGraph {
    /// What is known of a step from a moment.
    enum Target: Hashable {
        case unknown
        /// It is what another step leads to, which is still to be taken.
        case awaited
        case moment(Int)
        /// It breaks what is expected.
        case violation
    }

    struct Node {
        let moves: [Move]
        var targets: [Target]
        /// Of the steps in which nothing looked behind the end of the queue.
        var leavesQueueEnd: [Bool]
        /// The first step that is not known.
        var next = 0
        /// How many steps it is away from the start, as far as is known, and on which way.
        var distance: Int
        var parent: (moment: Int, choice: Int)?
        /// The moment that differs in this: the last event in the queue is not there. And the step that sends it.
        var tail: (moment: Int, choice: Int)?
    }

    /// A step from a moment, by its place among those that are possible there.
    struct Step: Hashable {
        let moment: Int
        let choice: Int
    }

    private(set) var all: [Node] = []
    /// The steps that lead where another one leads, by that.
    private var awaiting: [Step: [Step]] = [:]
    /// Those from which some steps are not known, by distance; some have been seen to since, or have come nearer.
    private var waiting: [[Int]] = []
    /// Moments at this distance are not gone on from.
    private(set) var limit: Int

    init(limit: Int) { self.limit = limit }

    mutating func add(_ moves: [Move], distance: Int, parent: (moment: Int, choice: Int)?) -> Int {
        all.append(
            Node(
                moves: moves, targets: Array(repeating: .unknown, count: moves.count),
                leavesQueueEnd: Array(repeating: false, count: moves.count), distance: distance,
                parent: parent))
        wait(all.count - 1)
        return all.count - 1
    }

    mutating func note(tail: (moment: Int, choice: Int), of moment: Int) {
        if all[moment].tail == nil { all[moment].tail = tail }
    }

    /// Nothing beyond this distance is of interest any more.
    mutating func lower(limit: Int) { self.limit = min(self.limit, limit) }

    /// The first step from a moment, at a place or behind it, that is not known, if it is to be gone on from.
    func unknownStep(from moment: Int, at place: Int) -> Int? {
        guard all[moment].distance < limit else { return nil }
        return all[moment].targets.indices.dropFirst(max(place, all[moment].next)).first {
            all[moment].targets[$0] == .unknown
        }
    }

    /// The first step from a moment that is not known, if it is to be gone on from.
    func unknownStep(from moment: Int) -> Int? {
        let moment = all[moment]
        return moment.distance < limit && moment.next < moment.moves.count ? moment.next : nil
    }

    mutating func note(_ target: Target, of choice: Int, from moment: Int, leavesQueueEnd: Bool) {
        all[moment].targets[choice] = target
        all[moment].leavesQueueEnd[choice] = leavesQueueEnd
        while all[moment].next < all[moment].moves.count, all[moment].targets[all[moment].next] != .unknown {
            all[moment].next += 1
        }
        if case .moment(let other) = target { approach(other, by: choice, from: moment) }
        guard target != .awaited else { return }
        for step in awaiting.removeValue(forKey: Step(moment: moment, choice: choice)) ?? [] {
            note(
                target, of: step.choice, from: step.moment,
                leavesQueueEnd: all[step.moment].leavesQueueEnd[step.choice])
        }
    }

    /// A step leads where another one leads, which is to be taken anyway.
    mutating func note(_ step: Step, leadsWhere other: Step, leavesQueueEnd: Bool) {
        awaiting[other, default: []].append(step)
        note(.awaited, of: step.choice, from: step.moment, leavesQueueEnd: leavesQueueEnd)
    }

    /// A moment may be nearer than was known, and so may those behind it.
    private mutating func approach(_ moment: Int, by choice: Int, from parent: Int) {
        var steps = [(moment, choice, parent)]
        while let (moment, choice, parent) = steps.popLast() {
            guard all[parent].distance + 1 < all[moment].distance else { continue }
            all[moment].distance = all[parent].distance + 1
            all[moment].parent = (parent, choice)
            wait(moment)
            for (choice, target) in all[moment].targets.enumerated() {
                if case .moment(let next) = target { steps.append((next, choice, moment)) }
            }
        }
    }

    private mutating func wait(_ moment: Int) {
        let distance = all[moment].distance
        guard distance < limit, all[moment].next < all[moment].moves.count else { return }
        while waiting.count <= distance { waiting.append([]) }
        waiting[distance].append(moment)
    }

    /// The nearest moment from which a step is not known.
    mutating func nextWaiting() -> Int? {
        for distance in waiting.indices where distance < limit {
            while let moment = waiting[distance].last {
                if all[moment].distance == distance, unknownStep(from: moment) != nil { return moment }
                waiting[distance].removeLast()
            }
        }
        return nil
    }

    /// The steps of a shortest way that is known.
    func path(to moment: Int) -> [Move] {
        var moves: [Move] = []
        var moment = moment
        while let (parent, choice) = all[moment].parent {
            moves.append(all[parent].moves[choice])
            moment = parent
        }
        return moves.reversed()
    }

    /// A short way over known steps to a moment from which one is not known; nil if none is near.
    func wayToUnknown(from start: Int, within reach: Int) -> [Int]? {
        var seen: Set<Int> = [start]
        var found: [(moment: Int, by: Int, before: Int)] = [(start, 0, -1)]
        var place = 0
        while place < found.count, found.count < reach {
            let here = found[place].moment
            for (choice, target) in all[here].targets.enumerated() {
                guard case .moment(let next) = target, seen.insert(next).inserted else { continue }
                found.append((next, choice, place))
                guard unknownStep(from: next) != nil else { continue }
                var way: [Int] = []
                var at = found.count - 1
                while at > 0 {
                    way.append(found[at].by)
                    at = found[at].before
                }
                return way.reversed()
            }
            place += 1
        }
        return nil
    }

    /// The first of the shortest ways to break what is expected, in the order of the steps.
    func shortestViolation() -> [Move]? {
        var seen: Set<Int> = [0]
        var found: [(moment: Int, by: Move?, before: Int)] = [(0, nil, -1)]
        var place = 0
        while place < found.count {
            let here = found[place].moment
            for (choice, target) in all[here].targets.enumerated() {
                let move = all[here].moves[choice]
                switch target {
                case .unknown, .awaited: break
                case .violation:
                    var moves = [move]
                    var at = place
                    while let by = found[at].by {
                        moves.append(by)
                        at = found[at].before
                    }
                    return moves.reversed()
                case .moment(let next):
                    if seen.insert(next).inserted { found.append((next, move, place)) }
                }
            }
            place += 1
        }
        return nil
    }
}
