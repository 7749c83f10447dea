import Promise
import PromisedSystem
import Testing

/// Subscriptions that an in-place reducer makes, which take effect when it has returned: tables over all ways to
/// subscribe.
@Suite struct ReducerSubscriptionTests {
    private let heard = Log<String>()

    @Test(
        "R12: each subscription that a reducer makes takes effect after it, except one that it cancels",
        arguments: SubscriptionKind.all)
    func several(kind: SubscriptionKind) {
        let (system, tokens) = (Parts.system(), Box<[SubscriptionToken]>([]))
        let ears = ["a", "b", "c"].map { Ear($0, heard) }
        inReducer {
            tokens.value = ears.map { kind.subscribe(system, $0) }
            tokens.value[1].cancel()
        }
        let first = heard.take()
        // Bindings and callbacks do not wait for the reducer of another system.
        if kind.source != nil { #expect(first == ["a 0", "c 0"]) }
        system.sendEvent(1)
        #expect(heard.take() == ["a 1", "c 1"])
        for token in tokens.value { token.cancel() }
        #expect(system.subscribers == 0)
    }

    @Test(
        "SR-50: a subscriber that cancels itself receives nothing more of what was buffered during its replay",
        arguments: SubscriptionKind.sources)
    func cancelsWhileBuffered(kind: SubscriptionKind) {
        let (system, token) = (Parts.system(), Box<SubscriptionToken?>(nil))
        let ear = Ear("a", heard) { number in
            if number == 0 { for next in 1...3 { system.sendEvent(next) } }
            if number == 2 { token.value?.cancel() }
        }
        // Has the token before the replay.
        inReducer { token.value = kind.subscribe(system, ear) }
        #expect(heard.entries == ["a 0", "a 1", "a 2"])
    }
}
