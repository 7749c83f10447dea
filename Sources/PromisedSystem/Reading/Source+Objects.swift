// An object subscribes with its method: `source.subscribe(self, Screen.show)`.
extension Source {
    /// Calls a method of an object with every value for the lifetime of the object, which is not retained.
    ///
    /// ```swift
    /// final class Screen: Sendable {
    ///     func show(_ text: String) { print(text) }
    /// }
    /// let screen = Screen()
    /// Source.constant("Hello").subscribe(screen, Screen.show)
    /// ```
    ///
    /// - Parameters:
    ///   - object: Referenced weakly. It may subscribe any number of times, with the same method or others.
    ///   - method: Called where the owner delivers, or on the main actor if it is isolated to that.
    ///   - replayCurrent: Whether it is called with the present value as well, synchronously before this returns.
    /// - Returns: A token that cancels the subscription earlier. It need not be retained.
    @discardableResult
    public func subscribe<Object: AnyObject & Sendable>(
        _ object: Object, _ method: @escaping @Sendable (Object) -> @isolated(any) @Sendable (Value) -> Void,
        replayCurrent: Bool = true
    ) -> SubscriptionToken {
        subscribe(object, Callback(object, method) { $0 }, replayCurrent)
    }

    /// Calls a method without arguments for every value for the lifetime of the object, which is not retained.
    ///
    /// - Parameters:
    ///   - object: Referenced weakly. It may subscribe any number of times, with the same method or others.
    ///   - method: Called where the owner delivers, or on the main actor if it is isolated to that.
    ///   - replayCurrent: Whether it is called for the present value as well, synchronously before this returns.
    /// - Returns: A token that cancels the subscription earlier. It need not be retained.
    @discardableResult
    public func subscribe<Object: AnyObject & Sendable>(
        _ object: Object, _ method: @escaping @Sendable (Object) -> @isolated(any) @Sendable () -> Void,
        replayCurrent: Bool = true
    ) -> SubscriptionToken {
        subscribe(object, Callback(object, method), replayCurrent)
    }

    /// Calls a method of an object with every value that is not nil for the lifetime of the object, which is not
    /// retained.
    ///
    /// - Parameters:
    ///   - object: Referenced weakly. It may subscribe any number of times, with the same method or others.
    ///   - method: Called where the owner delivers, or on the main actor if it is isolated to that.
    ///   - replayCurrent: Whether it is called with the present value as well, synchronously before this returns.
    /// - Returns: A token that cancels the subscription earlier. It need not be retained.
    @discardableResult
    public func subscribe<Object: AnyObject & Sendable, Wrapped>(
        _ object: Object,
        _ method: @escaping @Sendable (Object) -> @isolated(any) @Sendable (Wrapped) -> Void,
        replayCurrent: Bool = true
    ) -> SubscriptionToken where Value == Wrapped? {
        subscribe(object, Callback(object, method) { $0 }, replayCurrent)
    }

    /// Cancels all subscriptions that the object has to this source by its methods, at once, even during a delivery. A
    /// no-op if it has none.
    ///
    /// This includes subscriptions made through another expression of the same source: for a part, that part of the
    /// same system.
    public func unsubscribe(_ object: AnyObject) {
        guard identity.hasObjects else { return }
        for entry in identity.objects.all(of: object, at: identity.key) { entry.end() }
    }

    /// - Parameter rendering: The rendering that the subscription drives; nil for a method of the object.
    @discardableResult
    func subscribe(
        _ object: any AnyObject & Sendable, _ callback: Callback<Value>, _ replayCurrent: Bool,
        for rendering: Rendering? = nil
    ) -> SubscriptionToken {
        let entry = ObjectSubscription(object, to: identity.key, identity.objects, for: rendering) {
            callback.retire()
        }
        identity.objects.add(entry)
        let body: @Sendable (Value) -> Void = { value in
            // The object may have been deallocated: its subscription is removed at the next delivery.
            if entry.object == nil { entry.end() } else { callback.call(value) }
        }
        entry.begin(attach(replayCurrent, body) { entry.finish() })
        return SubscriptionToken(endsOnRelease: false) { [weak entry] in entry?.end() }
    }
}
