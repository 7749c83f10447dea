/// Enqueues the event that work has sent with its end.
///
/// It travels with the end, because it must be enqueued after all that was sent before, but before anything that the
/// work queued behind this one sends; and the end must be handled before the event is processed.
@usableFromInline
typealias LastEvent = @Sendable (LastEventPosition) -> Void

@usableFromInline
enum LastEventPosition: Sendable {
    /// Behind everything that has arrived.
    case atTheEnd
    /// In place of the end of its run, which the owner of the loop is handling.
    case inPlaceOfTheEnd
}
