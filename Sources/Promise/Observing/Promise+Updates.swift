extension Promise {
    /// All that an observer hears, as an asynchronous sequence: interim values, those at the very start first,
    /// then the value.
    ///
    /// ```swift
    /// let page = Promise { $0.fulfill("fresh") }.interim("loading")
    /// for try await state in page.updates { print(state) }
    /// ```
    ///
    /// Each iteration is an observer of its own. The promise is started by the first call of `next()`; every
    /// interim value from then on is kept until it is asked for, in order and without a limit, so one that
    /// reports much faster than it is listened to takes memory. An error of the promise is thrown, and counts as
    /// seen. Cancelling the task that iterates ends the iteration at once with `CancellationError`; that, and
    /// letting go of the iterator, withdraws its interest in the promise.
    public var updates: Updates { Updates(promise: self) }

    /// The interim values of a promise and then its value: see ``Promise/updates``.
    public struct Updates: AsyncSequence, Sendable {
        /// What the promise tells.
        public typealias Element = Value

        let promise: Promise

        /// Starts an iteration of its own, which begins with the first call of `next()`.
        public func makeAsyncIterator() -> Iterator { Iterator(Listener(promise)) }

        /// One iteration over the updates of a promise. A copy of it is the same iteration.
        public struct Iterator: AsyncIteratorProtocol {
            private let interest: Interest

            init(_ listener: Listener<Value>) { interest = Interest(listener) }

            /// The next interim value, or the value; nil after that. Asking for two at a time, with copies of
            /// the iterator, is a programming error and traps.
            ///
            /// - Throws: The error of the promise; `CancellationError` when the calling task is cancelled. After
            ///   either, nil.
            public mutating func next() async throws -> Value? { try await next(isolation: nil) }

            /// As `next()`, for a caller that is isolated to an actor.
            ///
            /// - Throws: The error of the promise; `CancellationError` when the calling task is cancelled. After
            ///   either, nil.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
                try await interest.listener.next(isolation: actor)?.value
            }
        }
    }
}

@available(*, unavailable)
extension Promise.Updates.Iterator: Sendable {}

extension Promise.Updates.Iterator {
    /// Ends the iteration when its last copy goes; the promise itself keeps only the listener.
    private final class Interest: Sendable {
        let listener: Listener<Value>

        init(_ listener: Listener<Value>) { self.listener = listener }

        deinit { listener.stop() }
    }
}
