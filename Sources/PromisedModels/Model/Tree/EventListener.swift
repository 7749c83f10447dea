internal import Promise
internal import PromisedSystem

/// An event on its way, with the place of its sender at the time of sending: by the time it is received, the sender may
/// have moved, or be gone.
struct RoutedEvent: Sendable {
    let event: any Sendable
    let sender: AnyNode
    /// The nodes above the sender, from below.
    let above: [AnyNode]
    /// The part of the parent's state that the sender is found in.
    let path: PathPart?
    /// Whether it is received by a node below its sender.
    var isGoingDown = false

    /// Whether a node has sent it, or one below that.
    func isFrom(_ node: AnyNode) -> Bool { sender === node || above.contains { $0 === node } }
}

/// A listener to the events at a node.
final class EventListener: Sendable {
    /// Passes an event on if it is one of those that are listened to.
    ///
    /// - Returns: Whether it is.
    let receive: @Sendable (RoutedEvent) -> Bool
    /// Whether an event that it has received goes no further up.
    let isConsuming: Bool
    let end: @Sendable () -> Void

    init(
        isConsuming: Bool, _ receive: @escaping @Sendable (RoutedEvent) -> Bool,
        end: @escaping @Sendable () -> Void
    ) {
        (self.receive, self.isConsuming, self.end) = (receive, isConsuming, end)
    }
}
