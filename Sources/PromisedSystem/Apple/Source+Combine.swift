#if canImport(Combine)
    public import Combine
    public import Promise

    extension Source {
        /// A publisher of the present value and every later change. Each subscriber has its own subscription.
        public var publisher: AnyPublisher<Value, Never> {
            Deferred {
                // Subjects accept values from any thread, but are not declared `Sendable`.
                nonisolated(unsafe) let subject = CurrentValueSubject<Value, Never>(value)
                let token = subscribe { subject.send($0) }
                return subject.handleEvents(receiveCancel: { token.cancel() })
            }
            .eraseToAnyPublisher()
        }
    }

    extension Publisher where Output: Sendable, Failure == Never {
        /// Creates a source of the latest value that the publisher has emitted.
        ///
        /// It subscribes to the publisher at once.
        ///
        /// - Parameters:
        ///   - initial: The value before the first output; evaluated at most once, when it is first needed.
        ///   - scheduler: Where subscribers are notified; nil for the executor of nonisolated tasks.
        public func source(
            initial: @autoclosure @escaping @Sendable () -> Output, on scheduler: (any SerialScheduler)? = nil
        ) -> Source<Output> {
            let (updates, continuation) = AsyncStream.makeStream(of: Output.self)
            // Used only to cancel, which Combine allows on any thread.
            nonisolated(unsafe) let subscription = sink(
                receiveCompletion: { _ in continuation.finish() },
                receiveValue: { continuation.yield($0) })
            continuation.onTermination = { _ in subscription.cancel() }
            return Source(initial: initial(), updates: updates, on: scheduler)
        }
    }
#endif
