public import Promise

/// One call of an endpoint.
@usableFromInline
package struct EndpointCall<Input: Sendable, Output: Sendable>: Sendable {
    @usableFromInline let endpoint: Endpoint<Input, Output>
    package let input: Input
    /// Where the call was written.
    @usableFromInline package let origin: Origin
    /// That of the chain.
    let scheduler: any SerialScheduler

    @usableFromInline
    init(
        _ endpoint: Endpoint<Input, Output>, _ input: Input, _ origin: Origin,
        on scheduler: any SerialScheduler
    ) {
        (self.endpoint, self.input, self.origin) = (endpoint, input, origin)
        self.scheduler = scheduler
    }

    package var name: String { endpoint.name }
    /// The type of the errors that a recording keeps whole; nil if it keeps only their texts.
    package var failing: (any (Error & Codable).Type)? { endpoint.failing }

    /// Calls the function of the endpoint, and lists the call as running until it is over.
    @usableFromInline
    package func live() -> Promise<Output> { RunningCalls.listing(self, endpoint.live(input, origin)) }

    /// A promise that is answered by the host of the scheduler on which it is started, or else by the function.
    @inlinable
    static func promise(
        _ endpoint: Endpoint<Input, Output>, _ input: Input, _ file: StaticString, _ line: UInt
    ) -> Promise<Output> {
        Promise(file: file, line: line) { scheduler in
            let call = EndpointCall(endpoint, input, Origin(file, line), on: scheduler)
            guard let host = (scheduler as? any CallHosting)?.callHost else {
                return call.live()
            }
            return host.perform(call, on: scheduler)
        }
    }
}
