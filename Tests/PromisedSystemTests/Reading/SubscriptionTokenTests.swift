import PromisedSystem
import PromisedTesting
import Testing

/// Tokens that end a subscription.
@Suite struct SubscriptionTokenTests {
    private let heard = Log<String>()
    private let system = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }

    @Test("SR-50: a cancelled token receives no change; cancelling it again is a no-op") func idempotent() {
        let token = system.settled.subscribe(replayCurrent: false) { [heard] in heard.add("\($0)") }
        let other = system.settled.subscribe(replayCurrent: false) { [heard] in heard.add("other \($0)") }
        token.cancel()
        token.cancel()
        system.sendEvent(1)
        #expect(heard.entries == ["other 1"])
        withExtendedLifetime(other) {}
    }

    @Test("SR-50: releasing a token ends its subscription; the system's own observers stay subscribed")
    func released() {
        var token: SubscriptionToken? = system.settled.subscribe(replayCurrent: false) { [heard] in
            heard.add("subscriber \($0)")
        }
        var listener: SubscriptionToken? = system.addLoopCallback { [heard] in heard.add("callback \($0)") }
        system.sendEvent(1)
        #expect(heard.take() == ["subscriber 1", "callback 1"])
        withExtendedLifetime((token, listener)) {}
        (token, listener) = (nil, nil)
        system.sendEvent(1)
        #expect(heard.entries == ["callback 2"])
    }

    @Test("SR-50: cancelling takes effect at once, during a delivery and in its own call")
    func atOnce() {
        let tokens = Box<[SubscriptionToken]>([])
        let first = system.settled.subscribe(replayCurrent: false) { [heard] state in
            heard.add("first \(state)")
            // The second comes later in the same delivery, and must not be notified of it any more.
            for token in tokens.value { token.cancel() }
        }
        tokens.value = [
            system.settled.subscribe(replayCurrent: false) { [heard] in heard.add("second \($0)") }, first,
        ]
        for _ in 1...2 { system.sendEvent(1) }
        #expect(heard.entries == ["first 1"])
    }

    @Test("SR-50: the captures of the closure are released when its token is cancelled") func letsGo() {
        let ended = Log<String>()
        let token: SubscriptionToken
        do {
            let witness = Witness { ended.add("closure") }
            token = system.settled.subscribe { _ in witness.touch() }
        }
        #expect(ended.entries.isEmpty)
        token.cancel()
        #expect(ended.entries == ["closure"])
    }
}
