import Promise
import PromisedExploring
import PromisedSources
import Testing

/// What a screen shows of a source, until it is closed: for explorations.
struct Screen: Hashable {
    var shown: Fetchable<Int>?
    /// Whether a value was shown, and then none.
    var hasLost = false
    /// Whether a value was followed by an older one.
    var wentBack = false

    static let reducer = Reducer<Screen, Fetchable<Int>> { state, next in
        if let before = state.shown?.fetched?.value {
            state.hasLost = state.hasLost || next.fetched == nil
            state.wentBack = state.wentBack || next.fetched.map { $0.value < before } ?? false
        }
        state.shown = next
    }

    /// - Parameters:
    ///   - declare: Declares further properties.
    ///   - make: Makes the source.
    static func explorer(
        _ declare: @escaping @Sendable (World<Screen>, [Server]) -> Void = { _, _ in },
        servers names: [String] = ["get"], limit: Int = 3, fails: Bool = true,
        _ make: @escaping @Sendable (World<Screen>, [Server]) -> Source<Fetchable<Int>>
    ) -> Explorer<Screen, Fetchable<Int>> {
        Explorer(events: []) { world in
            let servers = names.map { Server(world, $0, limit: limit, fails: fails) }
            let isClosed = world.variable(false)
            world.always("a value is not lost to an error") { !$0.hasLost }
            world.always("a late answer does not win") { !$0.wentBack }
            world.always("one request is in flight") { _ in servers.allSatisfy { $0.inFlight.value <= 1 } }
            world.atRest("there is no request without the screen") { _ in
                !isClosed.value || servers.allSatisfy { $0.inFlight.value == 0 }
            }
            world.atRest("nothing loads for ever") { state in
                isClosed.value || servers.contains { $0.isUsedUp } || state.shown?.isInFlight != true
            }
            declare(world, servers)
            let system = System(initialState: Screen(), scheduler: world.scheduler, reducer: reducer)
            let source = make(world, servers)
            let kept = Threadsafe(wrappedValue: Optional(source))
            let token = source.subscribe { [weak system] shown in
                if isClosed.value { Issue.record("A closed screen is shown \(shown).") }
                system?.sendEvent(shown)
            }
            world.action("load") { if !isClosed.value { kept.wrappedValue?.value.load() } }
            world.action("close") {
                isClosed.value = true
                token.cancel()
                // Released outside of the lock.
                let source = kept.wrappedValue
                kept.wrappedValue = nil
                withExtendedLifetime(source) {}
            }
            return system
        }
    }
}

/// Numbers its requests, and answers some of them with their numbers; the others stay open.
struct Server: Sendable {
    let requests: WorldVariable<Int>
    let inFlight: WorldVariable<Int>
    private let limit: Int
    private let call: @Sendable (Int) -> Promise<Int>

    init(_ world: World<Screen>, _ name: String, limit: Int, fails: Bool) {
        (requests, inFlight, self.limit) = (world.variable(0), world.variable(0), limit)
        call = { number in
            if number > limit { return world.call("\(name) more", []) }
            let good = Outcome.value(number, named: "answer")
            return world.call(
                "\(name) \(number)", fails ? [good, .error(Refused(), named: "error")] : [good])
        }
    }

    func get() -> Promise<Int> {
        Promise { resolver in
            requests.value = min(requests.value + 1, limit + 1)
            inFlight.value += 1
            let isOver = Threadsafe(wrappedValue: false)
            let end = { @Sendable in
                if !isOver.wrappedValue { inFlight.value -= 1 }
                isOver.wrappedValue = true
            }
            let answer = call(requests.value).onResult { result in
                end()
                switch result {
                case .success(let number): resolver.fulfill(number)
                case .failure(let error): resolver.reject(error)
                }
            }
            resolver.onCancel {
                end()
                answer.cancel()
            }
            _ = answer.start()
        }
    }

    /// Whether all requests that are answered at all have been made.
    var isUsedUp: Bool { requests.value > limit }
}

extension Fetchable {
    fileprivate var isInFlight: Bool { fetching != nil || fetched?.isRefreshing == true }
}
