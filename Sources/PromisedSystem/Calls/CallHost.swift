public import Promise

/// Answers the calls of endpoints in the place of their functions, or observes them.
@usableFromInline
package protocol CallHost: AnyObject, Sendable {
    /// Called when a call starts, on the thread that starts it.
    ///
    /// - Parameter scheduler: The scheduler of the chain, and so of the work to which the call belongs.
    /// - Returns: What takes the place of the call: it is started there, and cancelled with it.
    func perform<Input, Output>(
        _ call: EndpointCall<Input, Output>, on scheduler: any SerialScheduler
    ) -> Promise<Output>
}

/// A scheduler that decides who answers the calls that start on it.
@usableFromInline
package protocol CallHosting: SerialScheduler {
    /// The host; nil if endpoints call their functions.
    var callHost: (any CallHost)? { get }
}
