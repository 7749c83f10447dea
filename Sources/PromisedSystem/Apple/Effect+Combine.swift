#if canImport(Combine)
    public import Combine

    extension Effect {
        /// Sends what a publisher emits, and ends with it; its failure is that of the effect. The subscription is
        /// cancelled with the effect.
        ///
        /// - Parameter make: Gives the publisher; called on the system's scheduler at each start.
        public static func publisher<Events: Publisher>(
            _ make: @escaping @Sendable () -> Events
        ) -> Effect where Events.Output == Event {
            .values(PublisherEvents(make: make))
        }
    }

    /// What a publisher emits, each iteration with a subscription of its own.
    private struct PublisherEvents<Events: Publisher>: AsyncSequence, Sendable where Events.Output: Sendable {
        typealias Element = Events.Output

        let make: @Sendable () -> Events

        struct AsyncIterator: AsyncIteratorProtocol {
            /// Cancelled when it is let go of, with the iterator.
            let subscription: AnyCancellable
            var events: AsyncThrowingStream<Element, any Error>.Iterator

            mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
                try await events.next(isolation: actor)
            }
        }

        func makeAsyncIterator() -> AsyncIterator {
            let (events, continuation) = AsyncThrowingStream.makeStream(of: Element.self)
            let subscription = make().context(
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
