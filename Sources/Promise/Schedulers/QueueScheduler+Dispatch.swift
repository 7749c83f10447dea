public import Dispatch

extension QueueScheduler {
    /// Creates a scheduler that runs its work on an existing dispatch queue.
    ///
    /// ```swift
    /// import Dispatch
    ///
    /// let database = DispatchQueue(label: "database", qos: .utility)
    /// let scheduler = QueueScheduler(queue: database)
    /// scheduler.schedule { dispatchPrecondition(condition: .onQueue(database)) }
    /// ```
    ///
    /// The scheduler has a serial queue of its own, whose target is `queue`. So work runs one item at a time and in
    /// order even if `queue` is concurrent. If `queue` is serial, the work never runs concurrently with other work on
    /// `queue`, but may be interleaved with it.
    ///
    /// - Parameters:
    ///   - queue: The queue that runs the work, with its quality of service.
    ///   - label: The scheduler's name in debuggers and crash reports; nil for the label of `queue`.
    public convenience init(queue: DispatchQueue, label: String? = nil) {
        self.init(label: label ?? queue.label, target: queue)
    }
}

extension SerialScheduler where Self == QueueScheduler {
    /// A new scheduler over a new serial dispatch queue with a quality of service.
    ///
    /// - Parameters:
    ///   - label: The queue's name in debuggers and crash reports.
    ///   - qos: The quality of service that the work runs with.
    public static func serial(_ label: String, qos: DispatchQoS) -> QueueScheduler {
        QueueScheduler(label: label, qos: qos)
    }
}
