// An object subscribes with its method: `source.subscribe(self, Screen.show)`.
extension Source {
    /// Calls a method of an object with every value, as long as the object lives, which this does not hold.
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
    ///   - object: May subscribe as often as it likes, with the same method or others.
    ///   - method: Runs where the owner delivers; a method of the main actor runs there.
    ///   - replayCurrent: Whether it is called with the present value as well, right here, before this returns.
    /// - Returns: The way to end it earlier; it need not be kept.
    @discardableResult
    public func subscribe<Object: AnyObject & Sendable>(
        _ object: Object, _ method: @escaping @Sendable (Object) -> @isolated(any) @Sendable (Value) -> Void,
        replayCurrent: Bool = true
    ) -> SubscriptionToken {
        subscribe(object, Callback(object, method) { $0 }, replayCurrent)
    }

    /// Calls a method without arguments with every value, as long as the object lives, which this does not hold.
    ///
    /// - Parameters:
    ///   - object: May subscribe as often as it likes, with the same method or others.
    ///   - method: Runs where the owner delivers; a method of the main actor runs there.
    ///   - replayCurrent: Whether it is called for the present value as well, right here, before this returns.
    /// - Returns: The way to end it earlier; it need not be kept.
    @discardableResult
    public func subscribe<Object: AnyObject & Sendable>(
        _ object: Object, _ method: @escaping @Sendable (Object) -> @isolated(any) @Sendable () -> Void,
        replayCurrent: Bool = true
    ) -> SubscriptionToken {
        subscribe(object, Callback(object, method), replayCurrent)
    }

    /// Calls a method of an object with every value that is not nil, as long as the object lives, which this does not
    /// hold.
    ///
    /// - Parameters:
    ///   - object: May subscribe as often as it likes, with the same method or others.
    ///   - method: Runs where the owner delivers; a method of the main actor runs there.
    ///   - replayCurrent: Whether it is called with the present value as well, right here, before this returns.
    /// - Returns: The way to end it earlier; it need not be kept.
    @discardableResult
    public func subscribe<Object: AnyObject & Sendable, Wrapped>(
        _ object: Object,
        _ method: @escaping @Sendable (Object) -> @isolated(any) @Sendable (Wrapped) -> Void,
        replayCurrent: Bool = true
    ) -> SubscriptionToken where Value == Wrapped? {
        subscribe(object, Callback(object, method) { $0 }, replayCurrent)
    }

    /// Ends everything that the object has subscribed to here by one of its methods, at once, also in the middle of a
    /// delivery. Does nothing if there is nothing.
    ///
    /// Here is every expression of the same source: for a part, that part of the same system.
    public func unsubscribe(_ object: AnyObject) {
        if identity.hasObjects { identity.objects.end(all: object, at: identity.key) }
    }

    /// - Parameter rendering: What of a renderer the subscription is for, if it is for that.
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
            // Its object may have gone meanwhile: then this is the moment to go as well.
            if entry.object == nil { entry.end() } else { callback.call(value) }
        }
        entry.begin(attach(replayCurrent, body) { entry.finish() })
        return SubscriptionToken(endsOnRelease: false) { [weak entry] in entry?.end() }
    }
}
