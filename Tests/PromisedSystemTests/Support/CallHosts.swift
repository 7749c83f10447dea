import Promise
import PromisedSystem

/// A scheduler over another one whose calls a host answers; all that its work starts inherits it.
final class HostedScheduler: SchedulerWrapper, CallHosting, TaskExecutor {
    let base: any SerialScheduler
    let callHost: (any CallHost)?

    init(_ base: any SerialScheduler, _ host: any CallHost) { (self.base, callHost) = (base, host) }

    var now: Duration { base.now }
    var isCurrent: Bool { base.isCurrent }
    var taskExecutor: (any TaskExecutor)? { base.taskExecutor == nil ? nil : self }

    func asyncWorkBegins(at origin: Origin) -> @Sendable () -> Void { base.asyncWorkBegins(at: origin) }

    func schedule(_ work: @escaping @Sendable () -> Void) {
        base.schedule { [self] in inheriting(self, work) }
    }

    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        base.schedule(after: delay) { [self] in inheriting(self, work) }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        schedule { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

/// Lets the functions of endpoints answer, and writes down each call, its interim values and its end. The end is
/// delivered through the scheduler of the chain.
final class RecordingHost: CallHost {
    let log = Log<String>()
    /// The values of the calls, in the order in which they ended, with the text of the call.
    let answers = Log<RecordedAnswer>()
    /// The types of the errors that are to be kept.
    let failing = Log<String>()

    func perform<Input, Output>(
        _ call: EndpointCall<Input, Output>, on scheduler: any SerialScheduler
    ) -> Promise<Output> {
        let text = RecordedAnswer.text(call)
        log.add(text)
        if let type = call.failing { failing.add("\(type)") }
        return Promise(origin: call.origin) { [log, answers] resolver, scheduler in
            let observation = call.live().observe(inheriting: scheduler) { update in
                switch update {
                case .interim(let box):
                    log.add("\(text): \(box.value)?")
                    resolver.report(box.value)
                case .outcome(let outcome):
                    let result: Result<Output, any Error> =
                        switch outcome {
                        case .fulfilled(let box): .success(box.value)
                        case .rejected(let failure): .failure(failure.error)
                        }
                    log.add("\(text): \(result.text)")
                    answers.add(RecordedAnswer(call: text, result: result.map { $0 }))
                    scheduler.schedule { resolver.resolve(result) }
                }
            }
            resolver.onCancel {
                log.add("\(text): cancelled")
                observation.cancel()
            }
        }
    }
}

/// The end of a call.
struct RecordedAnswer: Sendable {
    let call: String
    let result: Result<any Sendable, any Error>

    static func text<Input, Output>(_ call: EndpointCall<Input, Output>) -> String {
        "\(call.name) \(call.input)"
    }
}

extension Result {
    fileprivate var text: String {
        switch self {
        case .success(let value): "\(value)"
        case .failure(let error): "\(error)"
        }
    }
}

/// Answers from a list, and calls no function.
final class ReplayingHost: CallHost {
    struct NotRecorded: Error {}

    private let answers: Box<[RecordedAnswer]>
    /// The calls without an answer in the list.
    let unknown = Log<String>()

    init(_ answers: [RecordedAnswer]) { self.answers = Box(answers) }

    func perform<Input, Output>(
        _ call: EndpointCall<Input, Output>, on scheduler: any SerialScheduler
    ) -> Promise<Output> {
        let text = RecordedAnswer.text(call)
        var answers = answers.value
        guard let index = answers.firstIndex(where: { $0.call == text }) else {
            unknown.add(text)
            return Promise(error: NotRecorded())
        }
        let result = answers.remove(at: index).result.flatMap { value in
            (value as? Output).map { .success($0) } ?? .failure(NotRecorded())
        }
        self.answers.value = answers
        return Promise(origin: call.origin) { resolver, scheduler in
            scheduler.schedule { resolver.resolve(result) }
        }
    }
}
