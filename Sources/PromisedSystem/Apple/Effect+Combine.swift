#if canImport(Combine)
    public import Combine

    extension Effect {
        /// Creates an effect that sends the events that a publisher emits.
        ///
        /// The effect ends when the publisher finishes, and fails with the publisher's failure. Cancelling the effect
        /// cancels the subscription.
        ///
        /// - Parameter make: Returns the publisher; called on the system's scheduler at each start of the effect.
        public static func publisher<Events: Publisher>(
            _ make: @escaping @Sendable () -> Events
        ) -> Effect where Events.Output == Event {
            .values(PublisherEvents(make: make))
        }
    }

    /// A sequence of a publisher's output; each iteration has its own subscription.
    private struct PublisherEvents<Events: Publisher>: AsyncSequence, Sendable where Events.Output: Sendable {
        typealias Element = Events.Output

        let make: @Sendable () -> Events

        struct AsyncIterator: AsyncIteratorProtocol {
            /// Cancelled when it is released together with the iterator.
            let subscription: AnyCancellable
            var events: AsyncThrowingStream<Element, any Error>.Iterator

            mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
                try await events.next(isolation: actor)
            }
        }

        func makeAsyncIterator() -> AsyncIterator {
            let (events, continuation) = AsyncThrowingStream.makeStream(of: Element.self)
            let subscription = make().sink(
                receiveCompletion: { completion in
                    switch completion {
                    case .finished: continuation.finish()
                    case .failure(let error): continuation.finish(throwing: error)
                    }
                },
                receiveValue: { continuation.yield($0) })
            return AsyncIterator(subscription: subscription, events: events.makeAsyncIterator())
        }
    }
#endif
