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
        public func makeAsyncIterator() -> Iterator { Iterator(promise) }

        /// One iteration over the updates of a promise. Copies share the same iteration.
        public struct Iterator: AsyncIteratorProtocol {
            private let iteration: Iteration

            init(_ promise: Promise) { iteration = Iteration(promise) }

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
                try await iteration.next(isolation: actor)
            }
        }
    }
}

@available(*, unavailable)
extension Promise.Updates.Iterator: Sendable {}

extension Promise.Updates.Iterator {
    /// Owns the stream of the updates: when the last copy of the iterator is released, or the iterating task is
    /// cancelled, the stream terminates and stops observing.
    private final class Iteration {
        // In boxes, so that a large value takes no room on the stack.
        private typealias Stream = AsyncThrowingStream<(box: ValueBox<Value>, isLast: Bool), any Error>

        /// Nil once the iteration has begun.
        private var promise: Promise<Value>?
        /// Nil before the iteration has begun and after its end.
        private var stream: Stream?

        init(_ promise: Promise<Value>) { self.promise = promise }

        func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
            guard promise != nil || stream != nil else { return nil }
            do {
                try Task.checkCancellation()
                if let promise = promise.take() { stream = Self.updates(of: promise) }
                var updates = stream?.makeAsyncIterator()
                if let update = try await updates?.next(isolation: actor) {
                    // After the value there is nothing to cancel any more.
                    if update.isLast { stream = nil }
                    return update.box.value
                }
                // The stream of a cancelled task ends without an error.
                try Task.checkCancellation()
            } catch {
                (promise, stream) = (nil, nil)
                throw error
            }
            stream = nil
            return nil
        }

        private static func updates(of promise: Promise<Value>) -> Stream {
            Stream(bufferingPolicy: .unbounded) { updates in
                promise.forEachLeading { updates.yield(($0, false)) }
                let observation = promise.observe {
                    switch $0 {
                    case .interim(let box): updates.yield((box, false))
                    case .outcome(.fulfilled(let box)):
                        updates.yield((box, true))
                        updates.finish()
                    case .outcome(.rejected(let failure)): updates.finish(throwing: failure.error)
                    }
                }
                updates.onTermination = { if case .cancelled = $0 { observation.cancel() } }
            }
        }
    }
}
