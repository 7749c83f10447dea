@testable import PromisedSystem

extension System {
    /// How many are told of its states.
    var subscribers: Int { loop.store.contents.withLock { $0.subscribers.count } }

    /// Whether somebody is told of its records.
    var writesRecords: Bool { loop.listeners.wantsRecords }
}

extension Numbers {
    var subscribers: Int { system.subscribers }
}

extension Source {
    /// How many subscriptions are of objects that are still there.
    var objectCount: Int { identity.objects.count(at: identity.key) }
}
