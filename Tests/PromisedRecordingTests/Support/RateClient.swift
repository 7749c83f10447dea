import Promise
import PromisedSystem
import PromisedTesting
import TestSupport

@testable import PromisedSources

/// A client of fetches whose requests are endpoints.
struct RateServer: Sendable {
    struct Closed: Error, Codable {}

    let rate = Endpoint<String, Int>("rate", failing: Closed.self) { name in
        name == "xau" ? Promise(error: Closed()) : .value(name.count).delay(.milliseconds(3))
    }
}

struct RateKey: FetchKey {
    let name: String

    var path: [String] { ["rates", name] }
    var options: FetchOptions { FetchOptions(network: .notNeeded) }
    func fetch(from server: RateServer) -> Promise<Int> { server.rate(name) }
}

/// A random session of a client: screens that come and go, values from elsewhere, and commands of a user.
final class RateSession: Sendable {
    static let keys = ["eur", "usd!", "xau", "yen"].map(RateKey.init)

    private let fetches: Fetches<RateServer>
    private let scheduler: TestScheduler
    private let screens = Lock<[SubscriptionToken]>([])
    /// The states of each key, as its system had them, by the name in a recording.
    private let observed = Lock<[String: [RecordedFetch<Int>]]>([:])
    private let entries = Lock<[RateKey: (number: Int, count: Int, token: SubscriptionToken?)]>([:])

    init(_ fetches: Fetches<RateServer>, _ scheduler: TestScheduler) {
        (self.fetches, self.scheduler) = (fetches, scheduler)
    }

    /// - Returns: The states of each key that was used.
    func run(seed: UInt64, steps: Int) -> [String: [RecordedFetch<Int>]] {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<steps {
            let choice = Int.random(in: 0..<14, using: &generator)
            let key = Self.keys[Int.random(in: 0..<4, using: &generator)]
            let number = Int.random(in: 0..<20, using: &generator)
            scheduler.schedule { [self] in act(choice, key, number) }
            scheduler.advance(by: .milliseconds(Int.random(in: 0...4, using: &generator)))
        }
        screens.exchange(for: []).forEach { $0.cancel() }
        scheduler.advance(by: .seconds(1))
        return observed.withLock { $0 }
    }

    private func act(_ choice: Int, _ key: RateKey, _ number: Int) {
        let entry = fetches.entry(key)
        observe(entry, key)
        switch choice {
        case 0...3:
            let token = fetches.source(key, freshFor: .milliseconds(number)).subscribe { _ in }
            screens.withLock { $0.append(token) }
        case 4, 5: screens.withLock { $0.isEmpty ? nil : $0.remove(at: number % $0.count) }?.cancel()
        case 6: fetches.prefetch(key, freshFor: .milliseconds(number))
        case 7: fetches.set(number, for: key)
        case 8: fetches.invalidate(key)
        case 9: fetches.cancel(key)
        case 10: if number < 4 { fetches.remove(key) }
        case 11: fetches.refreshStale()
        case 12: if number < 4 { fetches.clear(key) }
        default: fetches.source(key).value.fetched?.refresh?()
        }
    }

    /// Observes an entry that was made since the last time.
    private func observe(_ entry: FetchEntry<RateKey>, _ key: RateKey) {
        let known = entries.withLock { $0[key] }
        guard known?.number != entry.number else { return }
        let count = (known?.count ?? 0) + 1
        let name = "rates \(key)" + (count > 1 ? " \(count)" : "")
        let first = RecordedFetch(entry.system.state)
        observed.withLock { $0[name] = [first] }
        let token = entry.system.onLoop { [observed] record in
            let state = RecordedFetch(record.after)
            observed.withLock { $0[name]?.append(state) }
        }
        entries.withLock { $0[key] = (entry.number, count, token) }
    }
}
