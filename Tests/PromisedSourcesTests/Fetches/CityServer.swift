import Promise
import PromisedSources
import PromisedTesting

struct Offline: Error {}

/// A server of cities, which answers after a second.
final class CityServer: Sendable {
    let scheduler = TestScheduler()
    private let content = Lock((log: [String](), isFailing: false, version: 1))

    var log: [String] { content.withLock { $0.log } }
    func note(_ what: String) { content.withLock { $0.log.append(what) } }
    func takeLog() -> [String] { content.withLock { swap(&$0.log, into: []) } }
    func fail(_ isFailing: Bool = true) { content.withLock { $0.isFailing = isFailing } }
    /// From now on, answers have another number.
    func change() { content.withLock { $0.version += 1 } }

    /// Answers with the text and the number of the version.
    func answer(_ text: String) -> Promise<String> {
        Promise { [self] resolver in
            note(text)
            let timer = scheduler.schedule(after: .seconds(1)) { [self] in
                let (isFailing, version) = content.withLock { ($0.isFailing, $0.version) }
                if isFailing { resolver.reject(Offline()) } else { resolver.fulfill("\(text)\(version)") }
            }
            resolver.onCancel { [self] in
                timer.cancel()
                note("no \(text)")
            }
        }
    }

    var fetches: Fetches<CityServer> { Fetches(from: self, on: scheduler, keepingUnused: .seconds(300)) }

    /// What the observer of a source sees.
    func observe<Value>(
        _ source: Source<Fetchable<Value>>, _ text: @escaping @Sendable (Value) -> String = { "\($0)" }
    ) -> Observer {
        let observer = Observer()
        observer.begin(
            source.subscribe { model in
                observer.add(describe(model, text))
            })
        scheduler.advance()
        return observer
    }

    /// Observes sources until their values are there, with nothing to take from the observers and the log.
    func observed(_ sources: [Source<Fetchable<String>>]) -> [Observer] {
        let observers = sources.map { observe($0) }
        scheduler.advance(by: .seconds(1))
        for observer in observers { _ = observer.take() }
        _ = takeLog()
        return observers
    }
}

private func swap(_ value: inout [String], into other: [String]) -> [String] {
    defer { value = other }
    return value
}

/// `…` while it is fetched, `a` for a value, `a…` while that is refreshed, `a!` with a failure of refreshing beside it.
func describe<Value>(_ model: Fetchable<Value>, _ text: (Value) -> String) -> String {
    switch model {
    case .fetching(let fetching): fetching.isPaused ? "paused" : "…"
    case .failure(let failure): "failed \(failure.failedAttempts)"
    case .fetched(let fetched):
        text(fetched.value) + (fetched.isRefreshing ? "…" : "") + (fetched.refreshFailure == nil ? "" : "!")
    }
}

final class Observer: Sendable {
    private let content = Lock((seen: [String](), token: SubscriptionToken?.none))

    func begin(_ token: SubscriptionToken) { content.withLock { $0.token = token } }
    func add(_ text: String) { content.withLock { $0.seen.append(text) } }
    func end() { content.withLock { $0.token.take() }?.cancel() }
    /// What was seen since the last call.
    func take() -> [String] {
        content.withLock { content in
            defer { content.seen = [] }
            return content.seen
        }
    }
}

struct CityKey: FetchKey {
    let id: Int
    var path: [String] { ["cities", "\(id)"] }
    func fetch(from server: CityServer) -> Promise<String> { server.answer("city\(id)v") }
}

struct MayorKey: FetchKey {
    let city: Int
    var path: [String] { ["cities", "\(city)", "mayor"] }
    func fetch(from server: CityServer) -> Promise<String> { server.answer("mayor\(city)v") }
}
