import PromisedSystem
import PromisedTesting
import Testing

/// Callbacks that are added after the end, when they can no longer be called.
@Suite struct CallbackAfterEndTests {
    /// The ways to add a callback.
    enum Kind: CaseIterable {
        case binding, callback, history, record, error, eventError, failure, changes, subscription

        func add(to system: System<Int, Int>, _ witness: Witness) -> SubscriptionToken {
            switch self {
            case .binding: system.addBinding { _ in witness.touch() }
            case .callback: system.addLoopCallback { _ in witness.touch() }
            case .history: system.addLoopCallback { _, _ in witness.touch() }
            case .record: system.onLoop { _ in witness.touch() }
            case .error: system.onError { _ in witness.touch() }
            case .eventError: system.onError { _, _ in witness.touch() }
            case .failure: system.onFailure { _, _ in witness.touch() }
            case .changes:
                system.observe(
                    willChange: { _, _ in witness.touch() }, didChange: { _, _ in witness.touch() })
            case .subscription: system.settled.subscribe(replayCurrent: false) { _ in witness.touch() }
            }
        }
    }

    @Test("PK-25: a callback that is added after the end is released at once", arguments: Kind.allCases)
    func notKept(kind: Kind) {
        let system = System<Int, Int>(initialState: 0, scheduler: .immediate, reducer: Reducer { $0 += $1 })
        let ended = Log<String>()
        let early = kind.add(to: system, Witness { ended.add("early") })
        system.sendEvent(1)
        #expect(ended.entries.isEmpty)
        system.stop()
        #expect(ended.take() == ["early"])
        let late = kind.add(to: system, Witness { ended.add("late") })
        #expect(ended.take() == ["late"])
        withExtendedLifetime((early, late)) {}
    }
}
