import PromisedSystem
import Synchronization
import Testing

/// Subscriptions by object and method.
@Suite struct ObjectSubscriptionTests {
    private let log = Log<String>()
    private let numbers = Numbers()

    @Test(
        "SA-07: one object may subscribe several methods; once it is released, the source has no subscribers")
    func methods() {
        var screen: Screen? = Screen(log)
        if let screen {
            numbers.source.subscribe(screen, Screen.show)
            numbers.source.subscribe(screen, Screen.note, replayCurrent: false)
        }
        #expect(log.take() == ["show 0"])
        numbers.set(1)
        #expect(log.take() == ["show 1", "note 1"])
        #expect(numbers.subscribers == 2)
        weak let gone = screen
        screen = nil
        #expect(gone == nil)
        #expect(numbers.source.objectCount == 0)
        numbers.set(2)
        #expect(numbers.subscribers == 0)
        #expect(log.entries.isEmpty)
    }

    @Test("SA-07: subscribing the same method twice makes two subscriptions; a token ends its own")
    func twice() {
        let screen = Screen(log)
        let token = numbers.source.subscribe(screen, Screen.show)
        numbers.source.subscribe(screen, Screen.show)
        #expect(log.take() == ["show 0", "show 0"])
        token.cancel()
        numbers.set(1)
        #expect(log.entries == ["show 1"])
        #expect(numbers.source.objectCount == 1)
    }

    @Test("SA-07: neither a token nor the source of an operator must be retained")
    func nothingKept() {
        var screen: Screen? = Screen(log)
        if let screen { numbers.source.map { $0 * 10 }.filter { $0 != 20 }.subscribe(screen, Screen.show) }
        numbers.set(1, 2, 3)
        #expect(log.take() == ["show 0", "show 10", "show 30"])
        withExtendedLifetime(screen) {}
        screen = nil
        numbers.set(4)
        #expect(numbers.subscribers == 0)
        #expect(log.entries.isEmpty)
    }

    @Test("SA-07: entries of released objects do not accumulate while nothing changes")
    func pileUp() {
        for _ in 0..<1000 { numbers.source.subscribe(Screen(log), Screen.show, replayCurrent: false) }
        #expect(numbers.subscribers <= 32)
        #expect(numbers.source.objectCount == 0)
    }

    @Test(
        "SA-08: nil is skipped for a method of the unwrapped value; one without arguments is called for every value"
    )
    func unwrapping() {
        let system = System<Int?, Int?>(initialState: 1, scheduler: .immediate) { .value($1) }
        let screen = Screen(log)
        system.settled.subscribe(screen, Screen.show)
        system.settled.subscribe(screen, Screen.tick, replayCurrent: false)
        system.sendEvent(nil)
        system.sendEvent(2)
        #expect(log.entries == ["show 1", "tick", "show 2", "tick"])
    }

    @Test(
        "SA-09: an object unsubscribed during a delivery, before its call, receives neither this value nor later ones"
    )
    func unsubscribe() {
        let (a, b) = (Screen(log), Screen(log))
        let source = numbers.source
        let token = source.subscribe(replayCurrent: false) { [log] in
            log.add("A \($0)")
            if $0 == 1 { source.unsubscribe(b) }
        }
        source.subscribe(b, Screen.show, replayCurrent: false)
        source.subscribe(b, Screen.note, replayCurrent: false)
        // Without a subscription to end this is a no-op.
        source.unsubscribe(a)
        source.map { $0 }.unsubscribe(b)
        numbers.set(1, 2)
        #expect(log.entries == ["A 1", "A 2"])
        withExtendedLifetime(token) {}
    }

    @Test("SA-09: an object may unsubscribe itself in its first call")
    func unsubscribeItself() {
        let screen = Leaver(numbers.source, log)
        numbers.source.subscribe(screen, Leaver.show)
        numbers.set(1)
        #expect(log.entries == ["0"])
        #expect(numbers.subscribers == 0)
    }

    @Test("SA-07: methods of the main actor run there") @MainActor func mainActor() async {
        let system = System<Int?, Int?>(initialState: 0, scheduler: .main) { .value($1) }
        let screen = MainScreen()
        system.settled.subscribe(screen, MainScreen.show)
        system.settled.subscribe(screen, MainScreen.tick)
        system.settled.map { $0 ?? -1 }.subscribe(screen, MainScreen.note)
        system.sendEvent(nil)
        system.sendEvent(2)
        await mainCaughtUp()
        #expect(screen.shown == ["show 0", "tick", "note 0", "tick", "note -1", "show 2", "tick", "note 2"])
    }
}

private final class Screen: Sendable {
    private let log: Log<String>

    init(_ log: Log<String>) { self.log = log }

    func show(_ number: Int) { log.add("show \(number)") }
    func note(_ number: Int) { log.add("note \(number)") }
    func tick() { log.add("tick") }
}

private final class Leaver: Sendable {
    private let source: Source<Int>
    private let log: Log<String>

    init(_ source: Source<Int>, _ log: Log<String>) { (self.source, self.log) = (source, log) }

    func show(_ number: Int) {
        log.add("\(number)")
        source.unsubscribe(self)
    }
}

@MainActor private final class MainScreen {
    private(set) var shown: [String] = []

    func show(_ number: Int) { shown.append("show \(number)") }
    func note(_ number: Int) { shown.append("note \(number)") }
    func tick() { shown.append("tick") }
}
