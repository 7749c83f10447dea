internal import Promise
internal import PromisedSystem

/// The calls that systems have made while they are run again, until the recording has their answers.
final class OpenCalls: Sendable {
    private struct OpenCall: Sendable {
        /// The number of the work that was scheduled next when the call began.
        let place: Int
        let settle: @Sendable (RecordedFact, inout [String]) throws(DecodingProblem) -> Void
    }

    private let calls = Lock<[Int: OpenCall]>([:])
    /// The calls that the recording does not know, each as a sentence.
    let unanswered = Lock<[String]>([])

    func open<Output: Sendable>(
        _ number: Int, _ resolver: Resolver<Output>, _ failing: (any (Error & Codable).Type)?, at place: Int
    ) {
        let call = OpenCall(place: place) { answer, repairs throws(DecodingProblem) in
            switch try RecordedAnswer<Output>(answer, failing, repairs: &repairs) {
            case .interim(let value): resolver.report(value)
            case .value(let value): resolver.fulfill(value)
            case .error(let error): resolver.reject(error)
            case nil: break
            }
        }
        calls.withLock { $0[number] = call }
        resolver.onCancel { [weak self] in self?.remove(number) }
    }

    /// Answers a call as the fact says; a no-op if there is no such call.
    func settle(_ number: Int, as answer: RecordedFact, _ repairs: inout [String]) throws(DecodingProblem) {
        let isInterim = answer.isInterim
        let call = calls.withLock { isInterim ? $0[number] : $0.removeValue(forKey: number) }
        try call?.settle(answer, &repairs)
    }

    /// The number of the work that was scheduled next when the call began; nil if it is not open.
    func place(of number: Int) -> Int? { calls.withLock { $0[number]?.place } }

    func removeAll() { withExtendedLifetime(calls.exchange(for: [:])) {} }

    private func remove(_ number: Int) {
        withExtendedLifetime(calls.withLock { $0.removeValue(forKey: number) }) {}
    }
}

extension ReplayScheduler: CallHosting {
    /// A promise of the recorded answer to a call.
    func answer<Input, Output>(to call: EndpointCall<Input, Output>, number: Int) -> Promise<Output> {
        let failing = call.failing
        return Promise(origin: call.origin) { [self] resolver, _ in
            calls.open(number, resolver, failing, at: nextNumber)
        }
    }

    /// A call beside the work of a system is in no recording, and has no answer.
    var callHost: (any CallHost)? { calls }
}

extension OpenCalls: CallHost {
    func perform<Input, Output>(
        _ call: EndpointCall<Input, Output>, on scheduler: any SerialScheduler
    ) -> Promise<Output> {
        let number = unanswered.withLock { unanswered in
            unanswered.append(
                "\(call.name) is called at \(call.origin) by no effect or transition: it has no answer")
            return -unanswered.count
        }
        return Promise(origin: call.origin) { [self] resolver, _ in open(number, resolver, nil, at: 0) }
    }
}
