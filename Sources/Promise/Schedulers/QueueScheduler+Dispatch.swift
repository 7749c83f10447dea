public import Dispatch

extension QueueScheduler {
    /// A scheduler whose work runs on a dispatch queue that exists already.
    ///
    /// ```swift
    /// import Dispatch
    ///
    /// let database = DispatchQueue(label: "database", qos: .utility)
    /// let scheduler = QueueScheduler(queue: database)
    /// scheduler.schedule { dispatchPrecondition(condition: .onQueue(database)) }
    /// ```
    ///
    /// The work goes through a serial queue of the scheduler's own, whose target is `queue`. So it runs one piece at a
    /// time and in order on a concurrent queue, too. On a serial queue it never runs beside what others put there, and
    /// takes turns with that.
    ///
    /// - Parameters:
    ///   - queue: Where the work runs, with its quality of service.
    ///   - label: The scheduler's name in debuggers and crash reports; nil for that of the queue.
    public convenience init(queue: DispatchQueue, label: String? = nil) {
        self.init(label: label ?? queue.label, target: queue)
    }
}

extension SerialScheduler where Self == QueueScheduler {
    /// A new serial queue with a quality of service.
    ///
    /// - Parameters:
    ///   - label: Its name in debuggers and crash reports.
    ///   - qos: How important its work is to the user.
    public static func serial(_ label: String, qos: DispatchQoS) -> QueueScheduler {
        QueueScheduler(label: label, qos: qos)
    }
}
