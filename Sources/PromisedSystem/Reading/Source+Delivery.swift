public import Promise

extension Source {
    /// Delivers the values on a scheduler of your choice: subscribers are notified there, and a read returns the value
    /// that was delivered last.
    ///
    /// ```swift
    /// let counter = System<Int, Int>(initialState: 4, scheduler: .serial("counter")) { .value($0 + $1) }
    /// // For views: every change arrives on the main thread, whichever scheduler the system uses.
    /// let shown = counter.shown.receive(on: .main)
    /// print(shown.value.state)
    /// ```
    ///
    /// It begins with the present value. It subscribes to this source at once, and cancels that when the returned
    /// source and its subscriptions are released.
    ///
    /// - Parameter scheduler: Where every later value and the end are delivered, in order.
    public func receive(on scheduler: some SerialScheduler) -> Source {
        let subject = Subject<Value>()
        let body: @Sendable (Value) -> Void = { [weak subject] value in
            guard let subject else { return }
            guard subject.hasValue else {
                subject.publish(value)
                return
            }
            scheduler.schedule(ScheduledWork.once { [weak subject] in _ = subject?.publish(value) })
        }
        subject.keep(
            attach(true, body) { [weak subject] in
                scheduler.schedule { [weak subject] in subject?.finish() }
            })
        return subject.source(SourceIdentity(scheduler)) { [read] in subject.present ?? read() }
    }
}
