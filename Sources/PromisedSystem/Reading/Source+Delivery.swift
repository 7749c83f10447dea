public import Promise

extension Source {
    /// The same value, which changes on a scheduler of your choice: there its subscribers are notified, and what reads
    /// it there finds the value that was delivered last.
    ///
    /// ```swift
    /// let counter = System<Int, Int>(initialState: 4, scheduler: .serial("counter")) { .value($0 + $1) }
    /// // For views: every change arrives on the main thread, wherever the system runs.
    /// let shown = counter.shown.receive(on: .main)
    /// print(shown.value.state)
    /// ```
    ///
    /// It begins with the value that is there now, and listens until this source and its subscriptions have gone.
    ///
    /// - Parameter scheduler: Where every later value, and the end, is delivered, in order.
    public func receive(on scheduler: some SerialScheduler) -> Source {
        let broadcaster = Broadcaster<Value>(closesWhenUnused: false)
        let body: @Sendable (Value) -> Void = { [weak broadcaster] value in
            guard let broadcaster else { return }
            if broadcaster.present == nil { return broadcaster.publish(value) }
            scheduler.schedule(ScheduledWork.once { [weak broadcaster] in broadcaster?.publish(value) })
        }
        broadcaster.keep(
            attach(true, body) { [weak broadcaster] in
                scheduler.schedule { [weak broadcaster] in broadcaster?.finish() }
            })
        return Source(broadcaster, scheduler, first: read)
    }
}
