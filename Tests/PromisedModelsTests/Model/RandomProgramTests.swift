import Promise
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// Random programs over a tree of models, against a plain model of it: edits, tasks and their late answers,
/// cancellations, subscriptions and events, on the scheduler and off it, with several steps before anything is run.
@Suite struct RandomProgramTests {
    @Test("edits, tasks, cancellations, subscriptions and events: the tree is what a plain model of it is")
    func programs() {
        Reports.begin()
        let first = isStress ? firstSeed() : 1
        for seed in first..<first &+ UInt64(rounds(200)) {
            let program = Program(seed: seed)
            for step in 0..<30 {
                program.batch()
                if let difference = program.difference {
                    Issue.record(
                        "seed \(seed), step \(step): \(difference)\n\(program.log.joined(separator: "\n"))")
                    return
                }
            }
            program.end()
            #expect(program.difference == nil, "seed \(seed), end")
        }
    }
}

/// A branch as it should be.
private final class Plain {
    let id: Int
    weak var parent: Plain?
    var count = 0
    var branches: [Plain] = []
    var isAlive = true
    var heard: [Int] = []
    /// The subscriptions to the count: how often they were notified.
    var subscriptions: [Subscription] = []

    final class Subscription {
        let id: Int
        var isCancelled = false
        var pending: [Int] = []
        var notified: [Int] = []
        let handle: Cancellable

        init(_ id: Int, _ handle: Cancellable) { (self.id, self.handle) = (id, handle) }
    }

    init(_ id: Int, in parent: Plain?) { (self.id, self.parent) = (id, parent) }

    var all: [Plain] { [self] + branches.flatMap(\.all) }
    var lineage: [Plain] { [self] + (parent?.lineage ?? []) }
    var state: Branch.State { .init(id: id, count: count, branches: branches.map(\.state)) }

    func add(_ number: Int) {
        guard isAlive else { return }
        count += number
        for subscription in subscriptions where !subscription.isCancelled {
            subscription.pending.append(count)
        }
    }

    func end() {
        isAlive = false
        for branch in branches { branch.end() }
    }
}

/// A task, or the handling of an element.
private final class PlainTask {
    enum Phase { case new, running, over }
    let owner: Plain
    let work: Branch.Work.Act
    let above: Plain?
    let isStubborn: Bool
    let cleansUp: Bool
    let key: Int
    let resolver: Resolver<Int>
    let handle: Cancellable?
    var phase = Phase.new
    var isCancelled = false
    /// It goes on when the scheduler is advanced.
    var isDue = false

    init(
        _ owner: Plain, _ work: Branch.Work, _ above: Plain?, key: Int, _ resolver: Resolver<Int>,
        _ handle: Cancellable?
    ) {
        (self.owner, self.work, self.above, self.key) = (owner, work.act, above, key)
        (isStubborn, cleansUp) = (work.isStubborn, work.cleansUp)
        (self.resolver, self.handle) = (resolver, handle)
    }

    var isSilenced: Bool { isCancelled || !owner.isAlive }

    func cancel() {
        guard phase != .over, !isCancelled else { return }
        isCancelled = true
        if phase == .new { phase = .over } else if !isStubborn { isDue = true }
    }
}

private final class Program {
    private var dice: SeededGenerator
    private let scheduler = TestScheduler()
    private let journal = Journal()
    private var store: Store<Branch>?
    private let root = Plain(0, in: nil)
    private var ended: [Plain] = []
    private var tasks: [PlainTask] = []
    private var sent: [(number: Int, receivers: [Plain])] = []
    private var lastID = 0
    private(set) var log: [String] = []
    private(set) var difference: String?

    init(seed: UInt64) {
        dice = SeededGenerator(seed: seed)
        store = Store<Branch>(initialState: .init(id: 0), scheduler: scheduler) { [journal] in
            $0[JournalKey.self] = journal
        }
        scheduler.advance()
    }

    private func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &dice) }

    // MARK: Steps

    /// Several steps, on the scheduler or off it, and then what is due.
    func batch() {
        let isOnScheduler = roll(2) == 0
        log.append(isOnScheduler ? "on the scheduler" : "off the scheduler")
        for _ in 0...roll(4) {
            if isOnScheduler {
                scheduler.runAsCurrent { step() }
                deliver()
            } else {
                step()
            }
        }
        scheduler.advance()
        settle()
        compare()
    }

    private func step() {
        let all = root.all
        let plain = all[roll(all.count)]
        guard let model = model(of: plain) else { return differs("no model of \(plain.id)") }
        switch roll(13) {
        case 0, 1: insert(plain, model)
        case 2: remove(plain, model)
        case 3: move(plain, model)
        case 4: rename(plain, model)
        case 5: transaction(plain, model)
        case 6, 7: begin(plain, model)
        case 8: cancel(plain, model)
        case 9: subscribe(plain, model)
        case 10: send(plain, model)
        case 11:
            log.append("write \(plain.id)")
            model.state.count += 3
            plain.add(3)
        default: answer()
        }
    }

    private func model(of plain: Plain) -> Branch? {
        plain.lineage.reversed().dropFirst().reduce(store?.model) { model, next in
            model?.child(\.branches, id: next.id)
        }
    }

    private func insert(_ plain: Plain, _ model: Branch) {
        guard plain.lineage.count < 5 else { return }
        lastID += 1
        let place = roll(plain.branches.count + 1)
        log.append("insert \(lastID) into \(plain.id) at \(place)")
        model.state.branches.insert(.init(id: lastID), at: place)
        plain.branches.insert(Plain(lastID, in: plain), at: place)
    }

    private func remove(_ plain: Plain, _ model: Branch) {
        guard !plain.branches.isEmpty else { return }
        let place = roll(plain.branches.count)
        log.append("remove \(plain.branches[place].id)")
        model.state.branches.remove(at: place)
        end(plain.branches.remove(at: place))
    }

    private func end(_ plain: Plain) {
        ended += plain.all
        plain.end()
        for task in tasks where !task.owner.isAlive { task.cancel() }
    }

    private func move(_ plain: Plain, _ model: Branch) {
        log.append("reverse in \(plain.id)")
        model.state.branches.reverse()
        plain.branches.reverse()
    }

    /// Another identity is another model, and so are those below it.
    private func rename(_ plain: Plain, _ model: Branch) {
        guard let parent = plain.parent, let place = parent.branches.firstIndex(where: { $0 === plain })
        else { return }
        lastID += 1
        log.append("rename \(plain.id) to \(lastID)")
        model.state.id = lastID
        let renamed = copy(plain, lastID, in: parent)
        end(plain)
        parent.branches[place] = renamed
    }

    private func copy(_ plain: Plain, _ id: Int, in parent: Plain?) -> Plain {
        let copied = Plain(id, in: parent)
        copied.count = plain.count
        // What is noted is noted under the identity.
        if id == plain.id { copied.heard = plain.heard }
        copied.branches = plain.branches.map { copy($0, $0.id, in: copied) }
        return copied
    }

    private func transaction(_ plain: Plain, _ model: Branch) {
        let isKept = roll(2) == 0
        log.append("transaction of \(plain.id), kept: \(isKept)")
        try? model.transaction {
            model.state.count += 5
            store?.model.state.count += 7
            if !isKept { throw Failure() }
        }
        guard isKept else { return }
        plain.add(plain === root ? 12 : 5)
        if plain !== root { root.add(7) }
    }

    private func begin(_ plain: Plain, _ model: Branch) {
        let (answer, resolver) = Promise<Int>.pending()
        lastID += 1
        let work = Branch.Work(
            act: [.write, .above, .send(lastID)][roll(3)], isStubborn: roll(2) == 0, cleansUp: roll(3) == 0,
            answer: answer, parent: plain.parent.flatMap { self.model(of: $0) }.map { ModelReference($0) })
        let key = roll(2)
        let isInFlight = roll(4) == 0
        log.append(
            "begin \(work.act) in \(plain.id), stubborn \(work.isStubborn), cleans up \(work.cleansUp), key \(key), in flight \(isInFlight)"
        )
        if isInFlight { cancelAll(plain, key) }
        let handle = model.work(work).cancel(for: key, cancelInFlight: isInFlight)
        tasks.append(PlainTask(plain, work, plain.parent, key: key, resolver, handle))
    }

    private func cancelAll(_ plain: Plain, _ key: Int) {
        for task in tasks where task.owner === plain && task.key == key { task.cancel() }
    }

    private func cancel(_ plain: Plain, _ model: Branch) {
        switch roll(3) {
        case 0:
            let key = roll(2)
            log.append("cancel key \(key) of \(plain.id)")
            model.cancelAll(for: key)
            cancelAll(plain, key)
        case 1:
            guard let task = tasks.randomElement(using: &dice) else { return }
            log.append("cancel a task of \(task.owner.id)")
            task.handle?.cancel()
            task.cancel()
        default:
            guard let subscription = root.all.flatMap(\.subscriptions).randomElement(using: &dice) else {
                return
            }
            log.append("unsubscribe \(subscription.id)")
            subscription.handle.cancel()
            subscription.isCancelled = true
        }
    }

    private func subscribe(_ plain: Plain, _ model: Branch) {
        lastID += 1
        log.append("subscribe \(lastID) to \(plain.id)")
        let handle = model.onChange(of: \.count) { [journal, lastID] in
            journal.add($0, to: .changes, of: lastID)
        }
        plain.subscriptions.append(.init(lastID, handle))
    }

    private func send(_ plain: Plain, _ model: Branch) {
        lastID += 1
        let isDown = roll(2) == 0
        log.append("send \(lastID) from \(plain.id), down: \(isDown)")
        model.send(lastID, to: isDown ? .descendants : [.sender, .ancestors])
        sent.append((lastID, isDown ? Array(plain.all.dropFirst()) : plain.lineage))
    }

    private func answer() {
        guard let task = tasks.filter({ $0.phase == .running }).randomElement(using: &dice) else { return }
        log.append("answer \(task.work) of \(task.owner.id)")
        task.resolver.fulfill(0)
        task.isDue = true
    }

    // MARK: The plain model

    /// Has the subscriptions notified.
    private func deliver() {
        for plain in root.all + ended {
            for subscription in plain.subscriptions {
                if plain.isAlive, !subscription.isCancelled { subscription.notified += subscription.pending }
                subscription.pending = []
            }
        }
    }

    /// Has everything performed that is due.
    private func settle() {
        deliver()
        for task in tasks where task.phase == .running && task.isDue { finish(task) }
        for task in tasks where task.phase == .new { task.phase = task.isSilenced ? .over : .running }
        tasks.removeAll { $0.phase == .over }
        for (number, receivers) in sent {
            for plain in receivers where plain.isAlive { plain.heard.append(number) }
        }
        sent = []
        deliver()
    }

    private func finish(_ task: PlainTask) {
        task.phase = .over
        if !task.isSilenced {
            switch task.work {
            case .write: task.owner.add(1)
            case .above: task.above?.add(10)
            case .send(let number): sent.append((number, task.owner.lineage))
            }
        }
        if task.cleansUp { task.owner.add(100) }
    }

    // MARK: Comparing

    private func differs(_ text: String) { difference = difference ?? text }

    private func compare() {
        if store?.state != root.state {
            differs("the state is \(store.map { "\($0.state)" } ?? "nil"), and not \(root.state)")
        }
        for plain in root.all {
            let heard = journal.entries(.heard, of: plain.id).sorted()
            if heard != plain.heard.sorted() {
                differs("\(plain.id) has heard \(heard), and not \(plain.heard)")
            }
        }
        for plain in root.all + ended {
            for subscription in plain.subscriptions {
                let (seen, expected) = (journal.entries(.changes, of: subscription.id), subscription.notified)
                // The order of what is due at once is free; what it leads to is not.
                if seen.count != expected.count || seen.last != expected.last {
                    differs("\(subscription.id) was notified of \(seen), and not of \(expected)")
                }
            }
        }
    }

    /// Ends the store, and answers everything that is open: nothing of it is noted.
    func end() {
        store?.end()
        scheduler.advance()
        let count = journal.count
        for task in tasks { task.resolver.fulfill(0) }
        scheduler.advance()
        if journal.count != count { differs("something was noted after the end") }
        scheduler.finish()
    }
}
