extension Promise {
    /// Prepends a *leading interim value*: observers receive it before the work begins, even if the promise has already
    /// settled.
    ///
    /// The value belongs to the returned promise; the original, which may be shared, is unchanged. Of several leading
    /// interim values, the one added last is delivered first. The cost is linear in the number of leading interim
    /// values added before.
    public func interim(_ value: Value) -> Promise {
        let first = LeadingInterim(first: ValueBox(value).content, transforms: Transforms())
        return led(by: [first] + (leadingInterims ?? []))
    }

    /// Adds an interim value that is delivered only if the outcome does not arrive in time: for "this takes long".
    ///
    /// ```swift
    /// let answer = Promise.value("answer").delay(.seconds(7))
    ///     .interim("still waiting", after: .seconds(5))
    ///     .interim("waiting")
    /// ```
    ///
    /// The other interim values are forwarded as they come, before it and after it. When the outcome arrives in time,
    /// or the promise is cancelled, the timer is cancelled and released immediately. The value is no leading one:
    /// ``loadingState`` does not return it.
    ///
    /// - Parameters:
    ///   - value: Delivered once.
    ///   - delay: The time, measured from the start of the work.
    ///   - scheduler: The scheduler whose clock measures the time and on which the value is delivered; by default the
    ///     scheduler of the chain.
    public func interim(
        _ value: Value, after delay: Duration, on scheduler: (any SerialScheduler)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        timed(delay, on: scheduler, Origin(file, line)) { resolver, _ in resolver.report(value) }
    }

    /// Adds `state` as a loading state that is shown only after a while, for promises returned by a reducer: an alias of
    /// ``interim(_:after:on:file:line:)``.
    public func stateWhenLoading(
        _ state: Value, after delay: Duration, on scheduler: (any SerialScheduler)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        interim(state, after: delay, on: scheduler, file: file, line: line)
    }

    /// Prepends `state` as a loading state, for promises returned by a reducer: an alias of ``interim(_:)``.
    public func stateWhenLoading(_ state: Value) -> Promise { interim(state) }

    /// The first leading interim value, read without starting any work; nil if there is none.
    ///
    /// The closures of `map`s that follow ``interim(_:)`` are applied at every read, on the reading thread, so the
    /// cost is linear in the number of `map`s. A value for which one of them throws is skipped.
    public var loadingState: Value? {
        for leadingInterim in leadingInterims ?? [] {
            if let box = try? leadingInterim() { return box.value }
        }
        return nil
    }

    /// The leading interim values, in order.
    @usableFromInline package var leadingBoxes: [ValueBox<Value>] {
        leadingInterims?.compactMap { try? $0() } ?? []
    }

    /// Calls `body` with the leading interim values, in order; without any, at no cost for the list.
    @inlinable
    package func forEachLeading(_ body: (ValueBox<Value>) -> Void) {
        if leadingInterims != nil { leadingBoxes.forEach(body) }
    }
}
