/// An owner of a list of subscribers.
protocol SubscriberList<Message>: AnyObject, Sendable {
    associatedtype Message: Sendable

    func remove(_ listener: Listener<Message>)
}

extension SubscriberList {
    /// A token that retires and removes a listener.
    func token(of listener: Listener<Message>, endsOnRelease: Bool) -> SubscriptionToken {
        // Weak: a token that outlives the list retains no closure.
        SubscriptionToken(endsOnRelease: endsOnRelease) { [weak self, weak listener] in
            guard let listener else { return }
            listener.retire()
            self?.remove(listener)
        }
    }
}
