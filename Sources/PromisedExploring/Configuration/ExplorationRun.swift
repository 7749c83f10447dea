internal import Promise
internal import PromisedSystem
internal import PromisedTesting

/// Runs one system along one path: executes steps, and lists those that are possible next.
@usableFromInline
final class ExplorationRun {
    let world: WorldCore
    let record: PathRecord
    let driver: Driver
    /// Whether a step was impossible that was possible when the same path was run before.
    private(set) var isNondeterministic = false
    /// Whether the clock was moved to a time between two instants at which something is due.
    private(set) var isBetween = false
    /// Names the present configuration; nil where none is known by a name.
    var name: Int?
    /// The effect of the last step on an event at the end of the queue.
    private var turns: (queueUses: Int, endsStep: Bool) = (0, false)
    /// The number of events that the last step itself has sent, which is not part of its effect.
    private var sendings = 0
    private var hasRested = false
    /// The moves that are possible in each configuration.
    private var constantMoves: [Move] = []
    private var knownMoment: WorldSnapshot?
    private var knownConfiguration: WorldConfiguration?

    /// Starts the system and runs everything that is due at once.
    @usableFromInline
    init(_ world: WorldCore, _ driver: Driver) {
        (self.world, record, self.driver) = (world, world.record, driver)
        perform {}
        if let start = world.start.withLock({ $0 }) { follow(start) }
    }

    /// A run that cannot be driven: the system is on another scheduler.
    @usableFromInline
    convenience init(stranger world: WorldCore, stop: @escaping () -> Void) {
        withExtendedLifetime(world.start.exchange(for: nil)) {}
        world.record.add(
            Violation(property: "the system is on the world's scheduler", kind: .otherScheduler))
        self.init(
            world,
            Driver(
                events: 0, admissions: [], send: { _ in }, violationAtRest: { nil }, bound: { nil },
                stop: stop
            ))
    }

    // The end of a system is part of no path: new values get no numbers there.
    deinit {
        record.findings.values.frozen {
            driver.stop()
            world.end()
            let now = world.scheduler.unobservedNow
            if !world.scheduler.advance(to: now, limit: Self.restlessAfter) { world.scheduler.discard() }
            world.scheduler.observe(by: nil)
            world.scheduler.callHost = nil
            record.end()
        }
    }

    /// The present configuration; nil where configurations are not compared.
    var configuration: WorldConfiguration? {
        if knownConfiguration == nil, let numbers = record.findings.numbers {
            knownConfiguration = WorldConfiguration(of: self, numbers)
        }
        return knownConfiguration
    }

    var moment: WorldSnapshot {
        if let knownMoment { return knownMoment }
        let moment = WorldSnapshot(of: world, driver)
        knownMoment = moment
        return moment
    }

    private func forget() { (knownMoment, knownConfiguration) = (nil, nil) }

    // MARK: Steps

    /// Executes a step, with everything that is due at once.
    func take(_ move: Move) {
        if let name = name.take() { record.departs(from: name) }
        sendings = 0
        switch move {
        case .send(let index):
            record.takes(.send, index)
            sendings = driver.admissions.indices.contains(index) && driver.admissions[index] != .other ? 1 : 0
            perform { driver.send(index) }
        case .act(let index):
            record.takes(.send, driver.events + index)
            perform { world.perform(index) }
        case .answer(let index, let choice):
            record.takes(.answer, index, choice)
            guard let owner = noteAnswer(move, choice) else {
                isNondeterministic = true
                return
            }
            let place = configuration?.callOrder?[index] ?? index
            perform {
                inheriting(owner) {
                    guard record.hasMemories, let work = owner as? WorkItem else {
                        return world.answer(place, with: choice)
                    }
                    record.causing(work.history) { world.answer(place, with: choice) }
                }
            }
        case .tick, .between:
            guard let duration = self.duration(of: move) else {
                isNondeterministic = true
                return
            }
            advance(by: duration)
            isBetween = move == .between
        }
    }

    /// Records an answer; returns the scheduler on which it arrives, or nil if it is impossible.
    // A function of its own, as a call retains its promise, which would count as referenced.
    private func noteAnswer(_ move: Move, _ choice: Int) -> (any SerialScheduler)? {
        guard let call = call(of: move), choice < call.count else { return nil }
        call.owner?.learn(.answer, call.place, choice)
        return call.owner ?? world.scheduler
    }

    /// Advances the clock, running everything that falls due.
    func advance(by duration: Duration) {
        let (seconds, attoseconds) = duration.components
        record.takes(.tick, Int(seconds), Int(attoseconds))
        perform(advancing: duration) {}
        isBetween = false
    }

    /// The number of work items at one instant after which work is taken to reschedule itself endlessly.
    private static var restlessAfter: Int { 10_000 }

    func perform(advancing duration: Duration = .zero, _ body: () -> Void) {
        forget()
        world.stepBegins()
        record.observing {
            world.scheduler.runAsCurrent(body)
            let instant = world.scheduler.unobservedNow + duration
            if !world.scheduler.advance(to: instant, limit: Self.restlessAfter) {
                record.add(Violation(property: "time passes", kind: .restless))
            }
        }
        record.noteOutcomes()
        record.noteSequences()
        world.stepEnds()
        turns = record.takeTurns()
    }

    /// Whether the last step would have done the same with one more event at the end of the queue: while a transition
    /// is running that waits; and where none is, it is processed after everything that the step has done.
    var isQuiet: Bool {
        guard let configuration, turns.queueUses == sendings else { return false }
        if configuration.isBusy { return true }
        return turns.endsStep && !configuration.followsPath
            && !record.findings.dependencies.contains(.otherPromises)
    }

    /// Whether ``restore(_:)`` is possible from the present configuration at rest, and to it.
    var isRestorable: Bool { driver.restore?.isPossible() ?? false }

    /// Brings the system, which must be at rest, to another configuration at rest.
    ///
    /// - Parameter rest: The other configuration, as ``WorldConfiguration/rest``.
    func restore(_ rest: ArraySlice<Int>) {
        guard let state = rest.first else { return }
        driver.restore?.to(state)
        world.set(variables: rest.dropFirst())
        record.restart(state: state)
        forget()
    }

    /// How far a move advances the clock; nil if nothing is due.
    func duration(of move: Move) -> Duration? { moment.due.map { move == .tick ? $0 : $0 / 2 } }

    /// The moves that are possible next, in the order in which they are tried.
    var moves: [Move] {
        if let bound = driver.bound() {
            record.findings.noteBound(bound)
            return []
        }
        return possibleMoves
    }

    /// Whether the clock can be advanced.
    var canAdvance: Bool { moment.due != nil }

    /// The calls for whose end something may wait, the open ones in the order of the moves.
    var pendingCalls: [Int] {
        let (calls, order) = (moment.calls, configuration?.callOrder)
        let unanswered = world.unansweredCalls.map { call in
            (call.number, [call.owner?.history ?? 0, call.place, call.number])
        }
        return calls.indices.map { calls[order?[$0] ?? $0].number }
            + unanswered.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
    }

    /// Whether the event at an index is sent in the shown state.
    func sends(_ event: Int) -> Bool { driver.isSent?(event) ?? true }

    private var possibleMoves: [Move] {
        let count = driver.events + moment.actions
        if constantMoves.count != count {
            constantMoves = (0..<count).map { $0 < driver.events ? .send($0) : .act($0 - driver.events) }
        }
        var moves = constantMoves
        if driver.isSent != nil {
            moves.removeAll { if case .send(let event) = $0 { !sends(event) } else { false } }
        }
        let calls = moment.calls
        let order = calls.isEmpty ? nil : configuration?.callOrder
        for index in calls.indices {
            for choice in 0..<calls[order?[index] ?? index].count { moves.append(.answer(index, choice)) }
        }
        guard duration(of: .tick) != nil else { return moves }
        let canAct = !moves.isEmpty
        moves.append(.tick)
        if canAct, !isBetween, duration(of: .between) != .zero { moves.append(.between) }
        return moves
    }

    // MARK: Violations

    /// The property that the last step violated, or nil.
    ///
    /// - Parameter noted: One that was noted in the step.
    func violation(_ noted: Violation?) -> Violation? {
        if let noted { return noted }
        let moment = moment
        guard moment.isRest else { return nil }
        if !hasRested { record.findings.noteRest() }
        hasRested = true
        if moment.rest == nil { noteWorkThatWaits() }
        if moment.hasAsyncWork {
            let work = record.withoutWaiting(world.scheduler.openAsyncWork)
            if !work.isEmpty, !world.hasSilentCalls {
                return Violation(
                    property: "work stays on the scheduler", kind: .outside(work.map(\.description)))
            }
        }
        if case let (_, snapshot?, record)? = moment.systems.first,
            snapshot.turn != nil || !snapshot.waiting.isEmpty
        {
            return Violation(
                property: "the queue drains",
                kind: .stuck(
                    running: snapshot.turn.flatMap { _ in record.lastEvent },
                    waiting: snapshot.waiting.map(\.event)))
        }
        return driver.violationAtRest() ?? violationOfDemands()
    }

    /// A property that demands something of every fair path. A path on which a call is never answered is not fair.
    private func violationOfDemands() -> Violation? {
        guard !world.monitors.isEmpty, world.unansweredCalls.isEmpty else { return nil }
        let owed = world.monitors.owedAtRest.first { !record.findings.ignores($0) }
        return owed.map {
            Violation(property: $0, kind: .reason("nothing more happens by itself, and it is not fulfilled"))
        }
    }
}

extension ExplorationRun {
    /// Notes the effects that are running at rest: what they wait for is outside of the world. Not those with a call
    /// that is never answered, unless they have joined something that others have started.
    private func noteWorkThatWaits() {
        for (system, snapshot, record) in moment.systems where snapshot?.slots.isEmpty != true {
            let waiting = world.silentOwners
            let held = system.originsOfHeldRuns { number in
                guard let work = record.run(number), !work.followsPath else { return false }
                if work.isForwarding || self.record.isWaiting(work) { return true }
                return waiting.contains { $0 === work }
            }
            for origin in held {
                record.path.findings.noteOutside(
                    "the work of a feedback, created at \(origin), waits for something")
            }
        }
    }
}

@available(*, unavailable)
extension ExplorationRun: Sendable {}
