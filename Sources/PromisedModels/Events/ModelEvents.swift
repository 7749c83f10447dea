internal import Promise
internal import PromisedSystem

/// A sequence of the events that a model receives. It buffers from its creation on, and ends with the model.
///
/// At most 10,000 events wait for a slow consumer; then
/// the oldest are dropped.
public struct ModelEvents<Element: Sendable>: AsyncSequence, Sendable {
    /// With the sender, if the event is dropped when that has been removed.
    typealias Received = (element: Element, sender: AnyNode?)

    static var limit: Int { 10_000 }

    let stream: AsyncStream<Received>

    /// Iterates over the events that have not been consumed yet.
    public struct Iterator: AsyncIteratorProtocol {
        var iterator: AsyncStream<Received>.Iterator

        /// The next event; nil when the model has ended.
        public mutating func next() async -> Element? { await next(isolation: nil) }

        /// The next event; nil when the model has ended.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while let received = await iterator.next(isolation: actor) {
                if received.sender?.isActiveNow ?? true { return received.element }
            }
            return nil
        }
    }

    /// Creates an iterator over the shared buffer.
    public func makeAsyncIterator() -> Iterator { Iterator(iterator: stream.makeAsyncIterator()) }
}

extension AnyNode {
    /// Listens to events here.
    ///
    /// - Parameters:
    ///   - isConsuming: Whether a received event goes no further up.
    ///   - dropsRemoved: Whether events are dropped whose sender is removed before they are received.
    ///   - element: The element of the sequence for an event; nil for one that is not listened to.
    final func listen<Element: Sendable>(
        consuming isConsuming: Bool, dropsRemoved: Bool = false,
        _ element: @escaping @Sendable (RoutedEvent) -> Element?
    ) -> ModelEvents<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ModelEvents<Element>.Received.self,
            bufferingPolicy: .bufferingNewest(ModelEvents<Element>.limit))
        let listener = EventListener(isConsuming: isConsuming) { sent in
            guard let element = element(sent) else { return false }
            continuation.yield((element, dropsRemoved ? sent.sender : nil))
            return true
        } end: {
            continuation.finish()
        }
        let isAdded = tree.gate.withGate {
            if isActive { needed.listeners.append(listener) }
            return isActive
        }
        if !isAdded { continuation.finish() }
        continuation.onTermination = { [weak self, weak listener] _ in
            guard let self, let listener else { return }
            tree.gate.withGate { extras?.listeners.removeAll { $0 === listener } }
        }
        return ModelEvents(stream: stream)
    }
}

@available(*, unavailable)
extension ModelEvents.Iterator: Sendable {}
