public import Promise
internal import PromisedSystem

/// Runs a recorded system again: sends the recorded events, answers its calls, and lets its timers fire, in the order
/// of the recording.
///
/// Everything happens on the thread that runs it, apart from `async` work that leaves its scheduler.
@usableFromInline
final class ReplayRun: Sendable {
    @usableFromInline typealias Build = (any Sendable, any SerialScheduler) throws -> ReplayedSystem?

    let comparison: Lock<ReplayComparison>
    private let path: String
    @usableFromInline let name: String
    let stateType: any (Decodable & Sendable).Type
    let eventType: any (Decodable & Sendable).Type
    let probes = Lock<(any AnyObject & Sendable)?>(nil)
    /// The system, once it is made, and its scheduler.
    let running = Lock<RunningReplay?>(nil)
    private let isSending = Lock(false)
    let pendingTurn = Lock(0)
    /// The time of an event that has arrived, until it is admitted.
    let arrival = Lock<Duration?>(nil)
    private let events = Lock<[JSONValue: ReplayedSystem.ReplayedEvent]>([:])

    struct RunningReplay: Sendable {
        let system: ReplayedSystem
        let scheduler: ReplayScheduler
    }

    @usableFromInline
    init(
        _ recording: Recording, _ name: String, _ tolerance: Tolerance,
        state: any (Decodable & Sendable).Type, event: any (Decodable & Sendable).Type
    ) throws(RecordingError) {
        _ = try recording.system(name, where: \.canBeRunAgain)
        (path, self.name, stateType, eventType) = (recording.file.path, name, state, event)
        comparison = Lock(ReplayComparison(recording, name, tolerance, state: state, event: event))
    }

    /// - Parameters:
    ///   - probes: ``ReplayProbes`` of the system; nil for that of an object.
    ///   - build: Makes the system with a state and a scheduler; nil if the state is of another type.
    @usableFromInline
    func run(_ probes: (any AnyObject & Sendable)?, _ build: Build) throws -> RunResult {
        self.probes.exchange(for: probes)
        defer { self.probes.exchange(for: nil) }
        while comparison.withLock({ $0.result.difference == nil }), let (state, time) = try nextStart() {
            let scheduler = ReplayScheduler(at: time, self) { [self] in observes($0) }
            defer { scheduler.discard() }
            let system = try scheduler.runAsCurrent { try build(state, scheduler) }
            guard let system, comparison.withLock({ $0.isAttached }) else {
                throw RecordingError.notRun(
                    path: path, name: name, type: "System<\(stateType), \(eventType)>")
            }
            let replay = RunningReplay(system: system, scheduler: scheduler)
            running.exchange(for: replay)
            drive(replay)
            comparison.exclusive.leaveOutPart()
            comparison.exclusive.line = nil
            for call in scheduler.calls.unanswered.withLock({ $0 }) { comparison.exclusive.values.note(call) }
            running.exchange(for: nil)
            events.exchange(for: [:])
            if let problem = comparison.withLock({ $0.problem }) { throw problem }
        }
        return comparison.exclusive.finish()
    }

    private func nextStart() throws(RecordingError) -> (state: any Sendable, time: Duration)? {
        guard let start = try comparison.exclusive.start() else { return nil }
        var repairs: [String] = []
        do throws(DecodingProblem) {
            let state = try start.state.decodeAny(stateType, repairs: &repairs)
            for repair in repairs { comparison.exclusive.values.note("first state, \(repair)") }
            return (state, start.time)
        } catch {
            throw .undecodable(path: path, turn: start.turn, type: "\(stateType)", reason: error.description)
        }
    }

    private func drive(_ replay: RunningReplay) {
        var stopped: RunResult.Difference?
        while let progress = comparison.withLock({
            $0.line == nil || $0.result.difference != nil ? nil : $0.progress
        }) {
            catchUp(replay)
            inject(replay)
            var (work, isDropping) = (0, false)
            while comparison.withLock({ $0.progress == progress && $0.result.difference == nil }) {
                work += 1
                if work < Self.workLimit, replay.scheduler.runNext() { continue }
                var missing = comparison.withLock { $0 }
                missing.miss(after: replay.scheduler.openWork)
                // The last facts may be the end of the system, and events may have been dropped from outside.
                let fact = missing.line?.fact
                if !isDropping, fact?.isWithdrawal ?? false {
                    isDropping = true
                    replay.scheduler.runAsCurrent { dropNext(replay) }
                } else if stopped == nil, fact?.kind == .cancel || fact?.kind == .answer {
                    stopped = missing.result.difference
                    replay.scheduler.runAsCurrent { replay.system.stop() }
                } else {
                    comparison.exclusive = missing
                }
            }
        }
        // It was no end after all.
        if let stopped { comparison.exclusive.replaceDifference(by: stopped) }
    }

    /// How much work may be scheduled without a step of the recording.
    private static let workLimit = 100_000

    // MARK: What the outside does

    /// Runs as much work as ran in the recording before the outside acted: it may leave no fact, and still decide about
    /// the order of what follows.
    private func catchUp(_ replay: RunningReplay) {
        while comparison.withLock({ $0.works < $0.nextStimulus?.fact["j"]?.int ?? 0 }),
            replay.scheduler.runNext()
        {}
    }

    /// Brings about the next step, if the outside did.
    private func inject(_ replay: RunningReplay) {
        guard let line = comparison.withLock({ $0.nextStimulus }) else { return }
        replay.scheduler.moveClock(to: line.time)
        switch line.fact.kind {
        case .answer: answer(line.fact, replay.scheduler)
        case .fire: fire(line.fact, replay)
        case .write: write(replay)
        case .post: post(line.fact, replay)
        default:
            guard let (event, policy) = takeEvent(line.fact, of: replay.system) else { return }
            replay.scheduler.runAsCurrent {
                // An event that did not begin at once may have arrived together with others.
                if line.fact.kind == .send {
                    replay.system.perform { event.arrive(policy, false) }
                } else {
                    event.send(policy)
                }
            }
        }
    }

    private func takeEvent(
        _ fact: RecordedFact, of system: ReplayedSystem
    ) -> (ReplayedSystem.ReplayedEvent, EventPolicy?)? {
        guard let value = fact["e"] else {
            comparison.exclusive.differ(
                "event '\(fact["ex"]?.string ?? "")' is sent", "it is known as text only")
            return nil
        }
        do throws(DecodingProblem) {
            let event = try event(value, of: system)
            comparison.exclusive.line?.isInjected = true
            return (event, event.hasPolicy ? nil : fact["p"].flatMap { EventPolicy(json: $0) })
        } catch {
            comparison.exclusive.differ(
                "event \(value.shortText) is sent", "it is no \(eventType): \(error.description)")
            return nil
        }
    }

    private func event(
        _ value: JSONValue, of system: ReplayedSystem
    ) throws(DecodingProblem) -> ReplayedSystem.ReplayedEvent {
        if let event = events.withLock({ $0[value] }) { return event }
        var repairs: [String] = []
        guard let event = system.event(try value.decodeAny(eventType, repairs: &repairs)) else {
            throw DecodingProblem(path: [], reason: "it is of another type")
        }
        for repair in repairs { comparison.exclusive.values.note("event \(repair)") }
        events.withLock { if $0.count < 1_000 { $0[value] = event } }
        return event
    }

    private func answer(_ fact: RecordedFact, _ scheduler: ReplayScheduler) {
        let own = comparison.withLock { $0.numbers.own(open: fact["id"]) }
        guard let own, let place = scheduler.calls.place(of: own) else { return }
        // Work that was scheduled before the call has run before its answer.
        while scheduler.runNext(before: place) {}
        comparison.exclusive.line?.isInjected = true
        var repairs: [String] = []
        do throws(DecodingProblem) {
            try scheduler.runAhead { () throws(DecodingProblem) in
                try scheduler.calls.settle(own, as: fact, &repairs)
            }
        } catch {
            comparison.exclusive.differ(
                "a call is answered", "the answer cannot be used: \(error.description)")
        }
        for repair in repairs { comparison.exclusive.values.note("answer, \(repair)") }
    }

    private func fire(_ fact: RecordedFact, _ replay: RunningReplay) {
        comparison.exclusive.line?.isInjected = true
        let (owner, progress) = comparison.withLock {
            ($0.numbers.owner(fact["by"]?.string ?? ""), $0.progress)
        }
        if owner != "loop" {
            _ = replay.scheduler.fire(.init(owner: owner, number: fact["number"]?.int ?? 0))
        } else if fact.isFlush {
            // Of several keys, all delayed events were processed.
            let keys = fact["delay"]?.array ?? []
            let key = keys.count == 1 ? EffectKey(json: keys[0]) : nil
            replay.scheduler.runAsCurrent { replay.system.flush(key) }
        } else {
            let purpose = comparison.withLock { $0.purpose(ofTimer: fact) }
            while comparison.withLock({ $0.progress == progress && $0.result.difference == nil }),
                replay.scheduler.fire(.init(owner: purpose, number: 0))
            {}
        }
    }

    // MARK: Facts

    func observe(at moment: ReplayComparison.Moment = .other, _ body: (inout ReplayComparison) -> Void) {
        typealias Next = ReplayComparison.NextAction
        func observe(_ comparison: inout ReplayComparison) -> (wasInjected: Bool, next: Next) {
            let isInjected = comparison.line?.isInjected ?? false
            body(&comparison)
            return (isInjected, comparison.nextAction(at: moment))
        }
        let done = comparison.withLock { comparison -> (wasInjected: Bool, next: Next)? in
            // It has happened before this, and cannot have another place any more.
            comparison.nextStimulus == nil ? observe(&comparison) : nil
        }
        if done == nil { injectLate() }
        let (wasInjected, next) = done ?? comparison.withLock(observe)
        switch next {
        case .none: break
        // An injected event is admitted next, and then the loop continues.
        case .send:
            if moment != .arrival || wasInjected {
                sendNested(isAdmitting: moment == .arrival || moment == .between)
            }
        // Before the next turn begins.
        case .drop: if let replay = running.withLock({ $0 }) { dropNext(replay) }
        case .flush: flushNext()
        }
    }

    /// Drops the event that is dropped next, if it is pending then.
    private func dropNext(_ replay: RunningReplay) {
        if let number = comparison.withLock({ $0.droppedNext }) { replay.system.drop(number) }
    }

    /// Flushes delayed events before the next turn begins.
    private func flushNext() {
        guard let replay = running.withLock({ $0 }), replay.system.isDraining(true),
            let line = comparison.withLock({ $0.nextStimulus })
        else { return }
        comparison.exclusive.line?.isInjected = true
        replay.system.perform { [self] in
            replay.scheduler.moveClock(to: line.time)
            fire(line.fact, replay)
        }
    }

    /// Brings about the next step before something that happens already.
    private func injectLate() {
        guard let replay = running.withLock({ $0 }), !isSending.exchange(for: true) else { return }
        defer { isSending.exchange(for: false) }
        guard comparison.withLock({ $0.sendsNext }) else { return inject(replay) }
        if replay.system.isDraining(true) { arrive(replay, isNoted: true) } else { inject(replay) }
    }

    /// Sends the next event, if it was sent while the loop was not idle.
    private func sendNested(isAdmitting: Bool) {
        while let (isInTurn, isLate, isBatch) = comparison.withLock({
            $0.sendsNext ? ($0.isInTurn, $0.isLate, isAdmitting && $0.isBatch) : nil
        }),
            let replay = running.withLock({ $0 }), !isSending.exchange(for: true)
        {
            defer { isSending.exchange(for: false) }
            if replay.system.isDraining(isInTurn || isBatch) {
                arrive(replay, isNoted: isInTurn)
            } else if isLate {
                inject(replay)
            } else {
                return
            }
        }
    }

    private func arrive(_ replay: RunningReplay, isNoted: Bool) {
        guard let line = comparison.withLock({ $0.nextStimulus }),
            let (event, policy) = takeEvent(line.fact, of: replay.system)
        else { return }
        // Others may be admitted before.
        if isNoted { replay.scheduler.moveClock(to: line.time) } else { arrival.exchange(for: line.time) }
        event.arrive(policy, isNoted)
    }
}
