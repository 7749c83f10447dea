public import Promise

/// The public interface of a system, or of a part of it: its state and the events that can be sent.
///
/// Screens and other users of a feature depend only on this type. They receive a whole system, a part of one, a
/// ``constant(_:)`` or a ``mock(_:_:)``. It retains the system that it belongs to.
///
/// Read ``shown`` in a screen that shows loading states; read ``settled`` if only results matter.
public struct ScopedSystem<State: Sendable, Event: Sendable>: Sendable {
    /// The settled states: the current one and every later one.
    public let settled: Source<State>
    @usableFromInline let makeShown: @Sendable () -> Source<Shown<State>>
    @usableFromInline let place: PartPlace
    /// Sends an event, which is dropped if the handle, if any, is over when it is dequeued.
    @usableFromInline let send: @Sendable (Event, Origin, PartHandle?) -> Void

    /// - Parameter shown: Creates the source of shown states, lazily because most users never read it.
    @inlinable
    init(
        settled: Source<State>, shown: @escaping @Sendable () -> Source<Shown<State>>, place: PartPlace,
        send: @escaping @Sendable (Event, Origin, PartHandle?) -> Void
    ) {
        (self.settled, makeShown, self.place, self.send) = (settled, shown, place, send)
    }

    /// The shown states: settled and loading ones. For a part, the part of each.
    ///
    /// A part is loading while its whole is: while a transition runs that has shown an interim state. Its subscribers
    /// are notified on the same scheduler as those of the whole; if the part is `Equatable`, only when the part has
    /// changed or has begun or ended loading.
    @inlinable public var shown: Source<Shown<State>> { makeShown() }

    /// The last settled state; can be read from any thread.
    @inlinable public var state: State { settled.value }

    /// Sends an event; can be called from any thread.
    @inlinable
    public func sendEvent(_ event: Event, file: StaticString = #fileID, line: UInt = #line) {
        send(event, Origin(file, line), nil)
    }
}
