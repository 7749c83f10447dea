import Promise
import PromisedSources
import PromisedTesting

struct Refused: Error, CustomStringConvertible {
    let description: String
    init(_ description: String = "refused") { self.description = description }
}

/// Answers requests when the test says so.
final class FakeServer<Value: Sendable>: Sendable {
    private let open = Threadsafe(wrappedValue: [Resolver<Value>]())
    let requests = Threadsafe(wrappedValue: 0)
    let cancelled = Threadsafe(wrappedValue: 0)

    func get() -> Promise<Value> {
        Promise { [self] resolver in
            requests.wrappedValue += 1
            open.wrappedValue.append(resolver)
            resolver.onCancel { [cancelled] in cancelled.wrappedValue += 1 }
        }
    }

    var inFlight: Int { open.wrappedValue.count }

    /// Answers the oldest request.
    func answer(_ value: Value, on scheduler: TestScheduler) { settle(.success(value), scheduler) }
    func fail(_ text: String = "refused", on scheduler: TestScheduler) {
        settle(.failure(Refused(text)), scheduler)
    }

    private func settle(_ result: Result<Value, Refused>, _ scheduler: TestScheduler) {
        let resolver = open.wrappedValue.removeFirst()
        switch result {
        case .success(let value): resolver.fulfill(value)
        case .failure(let error): resolver.reject(error)
        }
        scheduler.advance()
    }
}

extension Fetchable {
    /// The model in a few signs: … being fetched, + refreshing, ! failed so often.
    var text: String {
        switch self {
        case .fetching(let fetching): fetching.progress.map { "…\($0.completed)" } ?? "…"
        case .failure(let failure): "\(failure.error) !\(failure.failedAttempts)"
        case .fetched(let fetched):
            "\(fetched.value)\(fetched.isRefreshing ? "+" : "")"
                + (fetched.refreshFailure.map { " \($0.error) !\($0.failedAttempts)" } ?? "")
        }
    }

    /// Does what a user can do to fetch again.
    func load() {
        let action = fetched?.refresh ?? failure?.retry
        action?(ifUnavailable: { _ in false })
    }
}

/// Collects the texts of what a source publishes.
func texts<Value>(_ source: Source<Fetchable<Value>>) -> (seen: Seen<String>, token: SubscriptionToken) {
    let seen = Seen<String>()
    return (seen, source.subscribe { seen.add($0.text) })
}
