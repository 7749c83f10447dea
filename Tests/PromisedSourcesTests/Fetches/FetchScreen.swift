import Promise
import PromisedExploring
@testable import PromisedSources
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// What two observers of one key see, and what must never happen to either.
struct FetchScreen<Value: Hashable & Sendable>: Hashable, Sendable {
    enum Who: Hashable, Sendable, CaseIterable { case a, b }

    struct Sight: Hashable, Sendable {
        var value: Value?
        var isBusy = false
        var isPaused = false
        var hasFailed = false

        init(_ model: Fetchable<Value>) {
            switch model {
            case .fetching(let fetching): (isBusy, isPaused) = (!fetching.isPaused, fetching.isPaused)
            case .failure: hasFailed = true
            case .fetched(let fetched):
                (value, isBusy) = (fetched.value, fetched.isRefreshing)
                hasFailed = fetched.refreshFailure != nil
            }
        }
    }

    enum Event: Hashable, Sendable { case sees(Who, Sight), goes(Who) }

    private(set) var sights: [Who: Sight] = [:]
    /// In the order in which they came, which is that of deliveries and no part of a system.
    private var observers: [Who] = []
    /// Whether a value was lost that was shown, and whether one was replaced by an older one.
    private(set) var isLost = false, wentBack = false

    var values: [Value] { sights.values.compactMap(\.value) }
    var isBusy: Bool { sights.values.contains { $0.isBusy } }

    fileprivate mutating func reduce(_ event: Event, _ isOlder: (Value, Value) -> Bool) {
        switch event {
        case .goes(let who):
            sights[who] = nil
            observers.removeAll { $0 == who }
        case .sees(let who, let sight):
            if let before = sights[who]?.value {
                isLost = isLost || sight.value == nil
                wentBack = wentBack || sight.value.map { isOlder($0, before) } ?? false
            }
            if sights.updateValue(sight, forKey: who) == nil { observers.append(who) }
        }
    }
}

/// What all explorations of fetches have in common: the screen, its observers, and the properties.
struct FetchExploring<Value: Hashable & Sendable>: Sendable {
    typealias Screen = FetchScreen<Value>

    let world: World<Screen>
    let screen: System<Screen, Screen.Event>

    /// - Parameter losesValues: Whether a value may go while it is observed.
    init(
        _ world: World<Screen>, losesValues: Bool = false,
        isOlder: @escaping @Sendable (Value, Value) -> Bool = { _, _ in false }
    ) {
        self.world = world
        screen = System(
            initialState: Screen(), scheduler: world.scheduler, reducer: Reducer { $0.reduce($1, isOlder) })
        world.always("a late answer never wins") { !$0.wentBack }
        if !losesValues { world.always("a value once shown is never lost") { !$0.isLost } }
        world.atRest("no spinner is left") { !$0.isBusy }
    }

    /// Bounds the exploration to a time.
    func bound(_ time: Duration) {
        let scheduler = world.scheduler
        world.bound("time") { _ in scheduler.now <= time }
    }

    /// Lets observers of a key come and go.
    ///
    /// - Parameter stay: Whether an observer never goes.
    func observe(
        _ source: Source<Fetchable<Value>>, _ observers: [Screen.Who] = Screen.Who.allCases,
        stay: Bool = false
    ) {
        let screen = screen
        for who in observers {
            let token = Lock<SubscriptionToken?>(nil)
            world.action("\(who) comes") {
                if token.withLock({ $0 != nil }) { return }
                token.exchange(for: source.subscribe { screen.sendEvent(.sees(who, Screen.Sight($0))) })
            }
            if stay { continue }
            world.action("\(who) goes") {
                guard let token = token.exchange(for: nil) else { return }
                token.cancel()
                screen.sendEvent(.goes(who))
            }
        }
    }

    /// Declares that there are no requests but those that are wanted, and one at a time.
    func observeRequests<Key: FetchKey>(of entry: FetchEntry<Key>, _ calls: [String]) {
        for call in calls { world.neverTwice("one \(call) at a time", .call(call), until: .end(of: call)) }
        world.always("no fetch that is not wanted", of: entry.system) { state in
            !state.isFetching || state.isObserved || state.isPrefetching
        }
    }
}

/// Explores everything within the declared bounds, and compares a small part of it with what is found without merging
/// configurations. A plain run explores the first six steps only.
///
/// - Parameters:
///   - early: The number of configurations and transitions within six steps.
///   - whole: Those within the bounds.
func expectExplored<Value: Hashable & Sendable>(
    _ explorer: Explorer<FetchScreen<Value>, FetchScreen<Value>.Event>, early: [Int], whole: [Int],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let exploration = explorer.check(depth: isStress ? 40 : 6)
    let found = [exploration.configurations, exploration.transitions]
    #expect(found == (isStress ? whole : early), sourceLocation: sourceLocation)
    for gap in exploration.gaps where isStress || gap != .depth(6) {
        #expect("\(gap)".contains("beyond the bound"), sourceLocation: sourceLocation)
    }
    let (every, merged) = (explorer.explore(depth: 3, .init(merging: .none)), explorer.explore(depth: 3))
    let isSame = Set(every.states) == Set(merged.states)
    #expect(isSame, "merged", sourceLocation: sourceLocation)
}

/// What is fetched and changed in explorations.
struct FetchAPI<Value: Sendable>: Sendable {
    let get: @Sendable () -> Promise<Value>
}

struct ExploredKey<Value: Sendable>: FetchKey {
    // A limit would make every world several times as large: its time is explored by itself.
    var options: FetchOptions { FetchOptions(timeLimit: nil) }
    func fetch(from api: FetchAPI<Value>) -> Promise<Value> { api.get() }
}
