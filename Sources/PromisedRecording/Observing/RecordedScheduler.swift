internal import Promise
internal import PromisedSystem
internal import Synchronization

/// The scheduler of one run of an effect, or of one transition, of a recorded system: what its work starts inherits
/// it, so that each call, timer and task has an owner.
final class RecordedScheduler: SchedulerWrapper, RunScheduler, CallHosting {
    let base: any SerialScheduler
    private let work: RecordedWork
    private let owner: String
    private let lastTimer = Atomic(0)
    init(_ base: any SerialScheduler, _ work: RecordedWork, _ owner: String) {
        (self.base, self.work, self.owner) = (base, work, owner)
    }

    /// The owner, with the name of its system for another one.
    func name(for other: any FactReceiver) -> String {
        work.notes === other ? owner : "\(work.notes.name) \(owner)"
    }

    var now: Duration { base.now }
    var isCurrent: Bool { base.isCurrent }
    var taskExecutor: (any TaskExecutor)? { base.taskExecutor == nil ? nil : self }

    func acts() {}

    func schedule(_ work: @escaping @Sendable () -> Void) {
        base.schedule { [self] in
            self.work.notes.willWork()
            inheriting(self, work)
        }
    }

    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> ScheduledWork {
        let number = lastTimer.wrappingAdd(1, ordering: .relaxed).newValue
        work.notes.addWork(
            .timer, ["by": .text(owner), "number": .number(number), "after": .number(delay.nanoseconds)])
        let fire: @Sendable () -> Void = { [self] in
            work.notes.addWork(.fire, ["by": .text(owner), "number": .number(number)])
            inheriting(self, body)
        }
        return work.host?.hold(number, of: owner, for: delay, fire)
            ?? base.schedule(after: delay, fire)
    }

    func asyncWorkBegins(at origin: Origin) -> @Sendable () -> Void {
        let (number, ended) = (work.nextNumber(), base.asyncWorkBegins(at: origin))
        work.notes.addWork(
            .async, ["by": .text(owner), "id": .number(number), "at": .place(origin)])
        work.beginsAsync(of: owner)
        return { [work, owner] in
            // When the tasks of a cancelled run end, and in which order, is up to the runtime.
            if !work.endsCancelledAsync(of: owner) {
                work.notes.addWork(.asyncEnd, ["by": .text(owner), "id": .number(number)])
            }
            ended()
        }
    }
}

/// A scheduler that decides when the timers of observed work fire, and answers its calls: that of a replay.
protocol WorkHost: SerialScheduler {
    /// Schedules the work of a timer with this number.
    func hold(
        _ number: Int, of owner: String, for delay: Duration, _ work: @escaping @Sendable () -> Void
    ) -> ScheduledWork
    func answer<Input, Output>(to call: EndpointCall<Input, Output>, number: Int) -> Promise<Output>
}

extension RecordedScheduler: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        schedule { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

extension RecordedScheduler: CallHost {
    var callHost: (any CallHost)? { self }

    /// Lets the endpoint's function answer. It runs beside the recording, which a replay does not call it in, and its
    /// answers are delivered by the scheduler, so that they have a place among the facts of the loop.
    func perform<Input, Output>(
        _ call: EndpointCall<Input, Output>, on scheduler: any SerialScheduler
    ) -> Promise<Output> {
        let number = work.nextNumber()
        work.notes.addWork(
            .call,
            [
                "id": .number(number), "name": .text(call.name), "by": .text(owner),
                "at": .place(call.origin),
                "in": .value(call.input),
            ])
        let isOver = Lock(false)
        return Promise(origin: call.origin) { [self] resolver, _ in
            let deliver: @Sendable (String, FactValue, @escaping @Sendable () -> Void) -> Void = {
                kind, answer, body in
                self.base.schedule {
                    if isOver.withLock({ $0 }) { return }
                    self.work.notes.addWork(.answer, ["id": .number(number), kind: answer])
                    inheriting(self, body)
                }
            }
            let live = work.host?.answer(to: call, number: number) ?? call.live()
            for box in live.leadingBoxes {
                deliver("interim", .value(box.value)) { resolver.report(box.value) }
            }
            let observation = live.observe(inheriting: base) { update in
                switch update {
                case .interim(let box):
                    deliver("interim", .value(box.value)) { resolver.report(box.value) }
                case .outcome(.fulfilled(let box)):
                    deliver("out", .value(box.value)) { resolver.fulfill(box.value) }
                case .outcome(.rejected(let failure)):
                    let error = failure.error
                    deliver("error", .failure(error, failing: call.failing)) { resolver.reject(error) }
                }
            }
            resolver.onCancel { [work] in
                isOver.exchange(for: true)
                work.notes.addWork(.answer, ["id": .number(number), "cancelled": .flag(true)])
                observation.cancel()
            }
        }
    }
}
