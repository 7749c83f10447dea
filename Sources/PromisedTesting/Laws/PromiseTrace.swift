public import Promise

/// All that an observer hears of a promise, with the instants: to compare promises by.
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
    /// What is heard of a promise. Errors are compared as they print.
    public enum Event: Sendable, Equatable {
        /// It is not the outcome yet.
        case interim(Value)
        /// The outcome.
        case fulfilled(Value)
        /// The outcome; cancelled as well.
        case rejected(String)
    }

    private struct Entry: Sendable, Equatable {
        let instant: Duration
        let event: Event
    }

    private let entries: [Entry]

    /// What was heard, in order; if the last is no outcome, the promise waits for ever.
    public var events: [Event] { entries.map(\.event) }

    /// Runs a promise to its end, in virtual time.
    ///
    /// - Parameter promise: One that has not been started, if its work is to be in virtual time.
    public init(_ promise: Promise<Value>) {
        let scheduler = TestScheduler()
        let heard = Lock<[Entry]>([])
        @Sendable func hear(_ event: Event) {
            let entry = Entry(instant: scheduler.now, event: event)
            heard.withLock { $0.append(entry) }
        }
        scheduler.runAsCurrent {
            _ = promise.onInterim { hear(.interim($0)) }.onResult { result in
                switch result {
                case .success(let value): hear(.fulfilled(value))
                case .failure(let error): hear(.rejected("\(error)"))
                }
            }
        }
        scheduler.run()
        entries = heard.withLock { $0 }
    }

    /// What was heard, each with its instant if time has passed.
    public var description: String {
        guard !entries.isEmpty else { return "nothing" }
        return entries.map { entry in
            "\(entry.event)" + (entry.instant == .zero ? "" : " at \(entry.instant)")
        }.joined(separator: ", ")
    }
}
