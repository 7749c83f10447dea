#if canImport(Combine)
    public import Combine
    public import Promise

    extension Source {
        /// The present value and every change from now on, for each subscriber by itself.
        public var publisher: AnyPublisher<Value, Never> {
            Deferred {
                // Combine's subjects may be sent to from any thread, and are not marked so.
                nonisolated(unsafe) let subject = CurrentValueSubject<Value, Never>(value)
                let token = subscribe { subject.send($0) }
                return subject.handleEvents(receiveCancel: { token.cancel() })
            }
            .eraseToAnyPublisher()
        }
    }

    extension Publisher where Output: Sendable, Failure == Never {
        /// The latest value that was published.
        ///
        /// - Parameters:
        ///   - initial: The value until there is one; made at most once, when it is first needed.
        ///   - scheduler: Where subscribers are told; nil for wherever the tasks of no actor run.
        public func source(
            initial: @autoclosure @escaping @Sendable () -> Output, on scheduler: (any SerialScheduler)? = nil
        ) -> Source<Output> {
            let (updates, continuation) = AsyncStream.makeStream(of: Output.self)
            // Only to be cancelled, which Combine allows on any thread.
            nonisolated(unsafe) let subscription = context(
                receiveCompletion: { _ in continuation.finish() },
                receiveValue: { continuation.yield($0) })
            continuation.onTermination = { _ in subscription.cancel() }
            return Source(initial: initial(), updates: updates, on: scheduler)
        }
    }
#endif
