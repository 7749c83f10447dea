internal import Promise
internal import PromisedSystem

/// An error of a call in a recording, which has only its description: that of a type that is not kept whole. See
/// `failing` of `Endpoint`.
public struct RecordedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the error's type.
    public let type: String
    /// The description of the error.
    public let description: String
}

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
            func decode(_ key: String) throws(DecodingProblem) -> Output? {
                if let text = answer["\(key)x"]?.string {
                    throw DecodingProblem(path: [], reason: "it is known as text only, '\(text)'")
                }
                guard let value = answer[key] else { return nil }
                return try CodedValue(json: value).decode(Output.self, repairs: &repairs)
            }
            if let value = try decode("interim") {
                resolver.report(value)
            } else if let value = try decode("out") {
                resolver.fulfill(value)
            } else if let error = answer["error"] {
                resolver.reject(try Self.error(error, failing, &repairs))
            }
        }
        calls.withLock { $0[number] = call }
        resolver.onCancel { [weak self] in self?.remove(number) }
    }

    private static func error(
        _ error: JSONValue, _ failing: (any (Error & Codable).Type)?, _ repairs: inout [String]
    ) throws(DecodingProblem) -> any Error {
        func decode<Failure: Error & Codable>(_ type: Failure.Type, _ value: JSONValue)
            throws(DecodingProblem)
            -> any Error
        {
            try value.decode(type, repairs: &repairs)
        }
        if let failing, let value = error["v"] { return try decode(failing, value) }
        let type = error["type"]?.string ?? ""
        if type == "\(CancellationError.self)" { return CancellationError() }
        return RecordedError(type: type, description: error["text"]?.string ?? "")
    }

    /// Answers a call as the fact says; a no-op if there is no such call.
    func settle(_ number: Int, as answer: RecordedFact, _ repairs: inout [String]) throws(DecodingProblem) {
        let isInterim = answer["interim"] ?? answer["interimx"] != nil
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
