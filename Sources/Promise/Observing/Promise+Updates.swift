extension Promise {
    /// Everything an observer receives, as an asynchronous sequence: leading interim values, reported interim values,
    /// then the value.
    ///
    /// ```swift
    /// let page = Promise { $0.fulfill("fresh") }.interim("loading")
    /// for try await state in page.updates { print(state) }
    /// ```
    ///
    /// Each iteration is an observer of its own. The first call of `next()` starts the promise. Interim values
    /// reported from then on are buffered in order and without a limit, so a producer that is much faster than
    /// the consumer uses memory. An error of the promise is thrown and counts as handled. Cancelling the iterating
    /// task ends the iteration immediately with `CancellationError`. That, or releasing the iterator, removes the
    /// observer, which cancels the promise if it was the last one.
    public var updates: Updates { Updates(promise: self) }

    /// The interim values of a promise and then its value: see ``Promise/updates``.
    public struct Updates: AsyncSequence, Sendable {
        /// The type of the interim values and of the final value: the value type of the promise.
        public typealias Element = Value

        let promise: Promise

        /// Creates an independent iteration, which begins to observe at the first call of `next()`.
        public func makeAsyncIterator() -> Iterator { Iterator(Listener(promise)) }

        /// One iteration over the updates of a promise. Copies share the same iteration.
        public struct Iterator: AsyncIteratorProtocol {
            private let lifetime: Lifetime

            init(_ listener: Listener<Value>) { lifetime = Lifetime(listener) }

            /// Returns the next interim value, then the final value, then nil. Calling it while another call of the
            /// same iteration is suspended, through a copy of the iterator, is a programming error and traps.
            ///
            /// - Throws: The error of the promise; `CancellationError` when the calling task is cancelled. Later
            ///   calls return nil.
            public mutating func next() async throws -> Value? { try await next(isolation: nil) }

            /// As `next()`, for a caller that is isolated to an actor: suspends without leaving its isolation.
            ///
            /// - Throws: The error of the promise; `CancellationError` when the calling task is cancelled. Later
            ///   calls return nil.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
                try await lifetime.listener.next(isolation: actor)?.value
            }
        }
    }
}

@available(*, unavailable)
extension Promise.Updates.Iterator: Sendable {}

extension Promise.Updates.Iterator {
    /// Stops the iteration when the last copy of the iterator is released; the promise retains only the listener.
    private final class Lifetime: Sendable {
        let listener: Listener<Value>

        init(_ listener: Listener<Value>) { self.listener = listener }

        deinit { listener.stop() }
    }
}
