internal import Promise

extension ScheduledWork {
    /// The kind of work, for a test scheduler that decides which timers to run.
    @usableFromInline
    package enum Purpose: UInt8, Sendable {
        /// Work of the code that scheduled it, such as a delay or an effect.
        case work
        /// A timer of a system's event loop itself, such as one that debounces events.
        case loop
        /// A diagnostic timer without effect on state.
        case report
    }

    /// Sets the kind of work, and returns this handle.
    @usableFromInline
    func serves(_ purpose: Purpose) -> ScheduledWork {
        mark = purpose.rawValue
        return self
    }

    /// Whether the work is of this kind.
    package func isFor(_ purpose: Purpose) -> Bool { mark == purpose.rawValue }
}
