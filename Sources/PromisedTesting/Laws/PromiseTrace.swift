public import Promise

/// Everything that an observer of a promise receives, with the instants: for comparing promises.
///
/// ```swift
/// import Promise
/// import PromisedTesting
///
/// let one = Promise.value(1).delay(.seconds(2)).map { $0 + 1 }
/// let other = Promise.value(2).delay(.seconds(1)).delay(.seconds(1))
/// print(PromiseTrace(one) == PromiseTrace(other))
/// print(PromiseTrace(one))
/// ```
public struct PromiseTrace<Value: Equatable & Sendable>: Sendable, Equatable, CustomStringConvertible {
    /// An element that an observer receives. Errors are compared by their printed text.
    public enum Event: Sendable, Equatable {
        /// An interim value, before the outcome.
        case interim(Value)
        /// The outcome is a value.
        case fulfilled(Value)
        /// The outcome is an error, as it prints; a cancellation is one too.
        case rejected(String)
    }

    private struct Notification: Sendable, Equatable {
        let instant: Duration
        let event: Event
    }

    private let entries: [Notification]

    /// The events in order. If the last one is not an outcome, the promise stayed pending.
    public var events: [Event] { entries.map(\.event) }

    /// Runs a promise to its end in virtual time, and records what it emits.
    ///
    /// - Parameter promise: A promise that has not been started; otherwise its work does not run in virtual time.
    public init(_ promise: Promise<Value>) {
        let scheduler = TestScheduler()
        let recorded = Lock<[Notification]>([])
        @Sendable func record(_ event: Event) {
            let entry = Notification(instant: scheduler.now, event: event)
            recorded.withLock { $0.append(entry) }
        }
        scheduler.runAsCurrent {
            _ = promise.onInterim { record(.interim($0)) }.onResult { result in
                switch result {
                case .success(let value): record(.fulfilled(value))
                case .failure(let error): record(.rejected("\(error)"))
                }
            }
        }
        scheduler.run()
        entries = recorded.withLock { $0 }
    }

    /// The events in order, each with its instant unless that is zero; "nothing" if there were none.
    public var description: String {
        guard !entries.isEmpty else { return "nothing" }
        return entries.map { entry in
            "\(entry.event)" + (entry.instant == .zero ? "" : " at \(entry.instant)")
        }.joined(separator: ", ")
    }
}
