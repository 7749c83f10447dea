internal import Promise
public import PromisedSystem

extension Fetches {
    /// The requests that are in flight or pending now and the timers of the values, in the order in which their keys were
    /// first used, and the calls of endpoints on the scheduler.
    ///
    /// Each is for the key of its value. A fetch is named "fetch", that of a further page by the page, and a change
    /// "change", with the place of its call.
    ///
    /// ```swift
    /// import PromisedSources
    ///
    /// struct RateKey: FetchKey {
    ///     func fetch(from rate: Double) -> Promise<Double> { .value(rate).delay(.seconds(2)) }
    /// }
    ///
    /// let fetches = Fetches(from: 1.1, on: .main)
    /// fetches.prefetch(RateKey())
    /// for work in fetches.running { print(work) }
    /// ```
    ///
    /// It can be read on any thread and never waits for one: see `System.running`.
    public var running: [Running] {
        paths.entries(under: []).flatMap(\.running) + RunningCalls.running(on: scheduler)
    }
}

extension FetchEntry {
    /// The requests and the timers of the entry.
    var running: [Running] {
        let (work, state) = (system.running, system.state)
        let isBusy = work.contains { $0.kind == .busy }
        return (isBusy ? [Running(.busy, key: state.key, at: .unknown)] : [])
            + work.compactMap { self.work(of: $0, in: state) } + pending(in: state)
    }

    private func work(of work: Running, in state: FetchState<Key.Value>) -> Running? {
        switch work.request.flatMap({ FeedbackIndex(rawValue: $0.feedback) }) {
        case .requests:
            let change = state.isFetching ? nil : state.changes.first
            return Running(
                .effect, change?.name ?? "fetch", key: state.key, at: change?.origin ?? .unknown,
                for: work.duration)
        case .timers:
            let name = state.leaving.isEmpty ? "unused" : "unobserved"
            return Running(.timer, name, key: state.key, at: .unknown, for: work.duration)
        case .polls: return Running(.timer, "polling", key: state.key, at: .unknown, for: work.duration)
        case .answers, nil: return nil
        }
    }

    /// Changes come before a fetch.
    private func pending(in state: FetchState<Key.Value>) -> [Running] {
        let changes = state.changes.filter { state.running != .change($0.number) }
        return changes.map { Running(.pendingEffect, $0.name, key: state.key, at: $0.origin) }
            + (state.wantsFetch ? [Running(.pendingEffect, "fetch", key: state.key, at: .unknown)] : [])
    }
}

extension FetchChange {
    fileprivate var name: String { part ?? "change" }
}
