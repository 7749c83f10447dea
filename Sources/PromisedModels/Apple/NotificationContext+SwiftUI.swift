#if canImport(SwiftUI)
    public import SwiftUI

    extension NotificationContext {
        /// Notifies views inside of an animation.
        ///
        /// - Parameter animation: As in SwiftUI's `withAnimation`; nil for none.
        public static func animation(_ animation: Animation? = .default) -> NotificationContext {
            NotificationContext { notify in withAnimation(animation, notify) }
        }

        /// Notifies views inside of a transaction.
        ///
        /// - Parameter configure: Sets up the transaction. Called for each notification, on the store's scheduler.
        public static func transaction(
            _ configure: @escaping @Sendable (inout Transaction) -> Void
        ) -> NotificationContext {
            NotificationContext { notify in
                var transaction = Transaction()
                configure(&transaction)
                withTransaction(transaction, notify)
            }
        }
    }

    extension Model {
        /// Animates what the writes in a closure change in views: `withAnimation { state.isOpen.toggle() }`.
        ///
        /// In methods of a model it takes the place of SwiftUI's function of this name. The animation travels with the
        /// writes to their notification, from any thread, and with those of tasks that are started in the closure.
        ///
        /// - Parameters:
        ///   - animation: As in SwiftUI's function; nil for none.
        ///   - body: Writes, or starts tasks that do. Called at once, on the calling thread.
        @discardableResult
        public func withAnimation<Result>(
            _ animation: Animation? = .default, _ body: () throws -> Result
        ) rethrows -> Result {
            try NotificationContext.animation(animation)(body)
        }

        /// Has views changed inside of a transaction by the writes in a closure, also by those of tasks that are
        /// started in it.
        ///
        /// - Parameters:
        ///   - configure: Sets up the transaction. Called for each notification, on the store's scheduler.
        ///   - body: Writes, or starts tasks that do.
        @discardableResult
        public func withTransaction<Result>(
            _ configure: @escaping @Sendable (inout Transaction) -> Void, _ body: () throws -> Result
        ) rethrows -> Result {
            try NotificationContext.transaction(configure)(body)
        }
    }
#endif
