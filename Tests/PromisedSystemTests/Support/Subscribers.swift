@testable import PromisedSystem

extension System {
    /// The number of subscribers of the system's states.
    var subscribers: Int { loop.store.contents.withLock { $0.subscribers.count } }

    /// Whether the system has an observer of records.
    var writesRecords: Bool { loop.observers.wantsRecords }
}

extension Numbers {
    var subscribers: Int { system.subscribers }
}

extension Source {
    /// The number of subscriptions of objects that are still alive.
    var objectCount: Int { identity.objects.count(at: identity.key) }
}
