/// How observers are notified of the writes that are made inside of a closure, such as in an animation.
///
/// ```swift
/// import PromisedModels
///
/// let loudly = NotificationContext { notify in
///     print("before")
///     notify()
/// }
/// ```
///
/// The context belongs to the writes, on whatever thread the observers are notified later. Tasks that are started
/// inside of the closure have it as well. Writes with different contexts are not notified together, unless they are
/// made in one transaction.
public struct NotificationContext: Sendable {
    @TaskLocal static var current: NotificationContext?

    private let body: @Sendable (() -> Void) -> Void

    /// Creates a context.
    ///
    /// - Parameter body: Calls its argument, which notifies the observers: once, as a further call does nothing, and
    ///   they are notified behind it if there was none. Called on the store's scheduler.
    public init(_ body: @escaping @Sendable (() -> Void) -> Void) { self.body = body }

    func run(_ notify: @escaping () -> Void) {
        var isNotified = false
        let once = {
            guard !isNotified else { return }
            isNotified = true
            notify()
        }
        body(once)
        once()
    }

    /// Calls a closure whose writes are notified in this context: at once, on the calling thread.
    public func callAsFunction<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$current.withValue(self, operation: body)
    }
}
