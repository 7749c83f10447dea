internal import Promise
internal import PromisedSystem
internal import Synchronization

/// The scheduler of one run of an effect, or of one transition, of a recorded system: what its work starts inherits
/// it, so that each call, timer and task has an owner.
final class RecordedScheduler: SchedulerWrapper, RunScheduler, CallHosting {
    let base: any SerialScheduler
    private let work: RecordedWork
    private let owner: WorkOwner
    private let lastTimer = Atomic(0)

    init(_ base: any SerialScheduler, _ work: RecordedWork, _ owner: WorkOwner) {
        (self.base, self.work, self.owner) = (base, work, owner)
    }

    var now: Duration { base.now }
    var isCurrent: Bool { base.isCurrent }
    var taskExecutor: (any TaskExecutor)? { base.taskExecutor == nil ? nil : self }

    func acts() {}

    func schedule(_ work: @escaping @Sendable () -> Void) {
        base.schedule { [self] in inheriting(self, work) }
    }

    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> ScheduledWork {
        let number = lastTimer.wrappingAdd(1, ordering: .relaxed).newValue
        work.notes.add(.setsTimer(owner, number: number, after: delay))
        return base.schedule(after: delay) { [self] in
            work.notes.add(.timerFires(owner, number: number))
            inheriting(self, body)
        }
    }

    func asyncWorkBegins(at origin: Origin) -> @Sendable () -> Void {
        let (number, ended) = (work.nextNumber(), base.asyncWorkBegins(at: origin))
        work.notes.add(.asyncBegins(owner, number: number, origin))
        return { [work, owner] in
            work.notes.add(.asyncEnds(owner, number: number))
            ended()
        }
    }
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
        work.notes.add(
            .calls(
                RecordedCall(
                    number: number, name: call.name, input: call.input, owner: owner, origin: call.origin)))
        let isOver = Lock(false)
        return Promise(origin: call.origin) { [self] resolver, _ in
            let deliver: @Sendable (RecordedAnswer, @escaping @Sendable () -> Void) -> Void = {
                answer, body in
                self.schedule {
                    if isOver.withLock({ $0 }) { return }
                    self.work.notes.add(.answers(call: number, answer))
                    body()
                }
            }
            let observation = call.live().observe(inheriting: base) { update in
                switch update {
                case .interim(let box):
                    let value = box.value
                    deliver(.interim(value)) { resolver.report(value) }
                case .outcome(.fulfilled(let box)):
                    let value = box.value
                    deliver(.value(value)) { resolver.fulfill(value) }
                case .outcome(.rejected(let failure)):
                    let error = failure.error
                    deliver(.error(error, failing: call.failing)) { resolver.reject(error) }
                }
            }
            resolver.onCancel { [work] in
                isOver.exchange(for: true)
                work.notes.add(.answers(call: number, .cancelled))
                observation.cancel()
            }
        }
    }
}
