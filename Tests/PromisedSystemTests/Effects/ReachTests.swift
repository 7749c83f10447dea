import PromisedSystem
import PromisedTesting
import Testing

/// Which work is reached by what addresses a key: work above, beside, inside, of the sender itself.
@Suite struct ReachTests {
    struct Node: Sendable, Identifiable {
        let id: Int
        var path: [Int] = []
        var children: [Node] = []

        static let tree = Node(
            id: 0,
            children: [1, 2, 3].map { row in
                Node(
                    id: row, path: [row],
                    children: [1, 2, 3].map { inner in Node(id: inner, path: [row, inner]) })
            })
    }

    enum Command: String, Sendable, CaseIterable { case cancel, broadcast, flush }

    enum Kind: Sendable, Equatable {
        case open(EffectKey)
        case command(Command, EffectKey)
        /// Work that addresses its own key.
        case both(Command, EffectKey)
    }

    struct Event: Sendable {
        var path: [Int]
        let kind: Kind
    }

    private static let places: [[Int]] = [[], [1], [2], [3], [1, 1], [2, 1], [2, 2], [2, 3], [3, 1]]
    private static let children = Elements<Node, Event, Int, Node, Event>(
        in: \.children,
        event: CasePath(embed: { Event(path: [$0.0] + $0.1.path, kind: $0.1.kind) }) { event in
            event.path.first.map { ($0, Event(path: Array(event.path.dropFirst()), kind: event.kind)) }
        })

    private static func effect(_ command: Command, _ key: EffectKey) -> Effect<Event> {
        switch command {
        case .cancel: .cancel(key)
        case .broadcast: .broadcast("heard", to: key)
        case .flush: .flush(key)
        }
    }

    /// The feedbacks of one node: work that logs what reaches it, and commands.
    private static func feedback(_ log: Log<String>, _ policy: EffectPolicy) -> Feedback<Node, Event> {
        @Sendable func work(_ name: String) -> Effect<Event> {
            Effect { effect in
                log.add("start \(name)")
                effect.onCancel { log.add("cancel \(name)") }
                effect.onBroadcast(of: String.self) { log.add("\($0) \(name)") }
            }
        }
        @Sendable func opened(_ event: Event, _ node: Node) -> (EffectKey, String)? {
            guard event.path.isEmpty, case .open(let key) = event.kind else { return nil }
            return (key, "\(node.path)")
        }
        @Sendable func commanded(_ event: Event, _ node: Node) -> (Command, EffectKey)? {
            guard event.path.isEmpty, case .command(let command, let key) = event.kind else { return nil }
            return (command, key)
        }
        @Sendable func both(_ event: Event, _ node: Node) -> (Command, EffectKey, String)? {
            guard event.path.isEmpty, case .both(let command, let key) = event.kind else { return nil }
            return (command, key, "\(node.path)")
        }
        return .onEvent(withState: opened, key: { $0.0 }, policy: policy) { work($0.1) }
            <> .onEvent(withState: commanded) { effect($0.0, $0.1) }
            <> .onEvent(withState: both, key: { $0.1 }) {
                Effect.merge(work("self \($0.2)"), effect($0.0, $0.1))
            }
    }

    private static func tree(
        _ log: Log<String>, _ scheduler: TestScheduler, _ policy: EffectPolicy = .concurrent
    ) -> System<Node, Event> {
        let one = feedback(log, policy)
        return System(
            initialState: .tree, scheduler: scheduler, reducer: Reducer<Node, Event> { _, _ in },
            feedbacks: [
                one, one.lifted(byEach: children), one.lifted(byEach: children).lifted(byEach: children),
            ])
    }

    private static func word(_ command: Command) -> String {
        switch command {
        case .cancel: "cancel"
        case .broadcast: "heard"
        case .flush: "start"
        }
    }

    @Test(
        "a key is reached in the part of the sender and in those inside it, and nowhere else",
        arguments: Command.allCases,
        places)
    func reach(_ command: Command, _ sender: [Int]) {
        let (log, scheduler) = (Log<String>(), TestScheduler())
        // What is flushed has not started yet.
        let system = Self.tree(log, scheduler, command == .flush ? .debounce(.seconds(9)) : .concurrent)
        for key in ["a", "b"] as [EffectKey] {
            for place in Self.places { system.sendEvent(Event(path: place, kind: .open(key))) }
        }
        scheduler.advance()
        _ = log.take()
        system.sendEvent(Event(path: sender, kind: .command(command, "b")))
        scheduler.advance()
        let reached = Self.places.filter { $0.starts(with: sender) }
        #expect(Set(log.entries) == Set(reached.map { "\(Self.word(command)) \($0)" }))
        #expect(log.entries.count == reached.count)
    }

    @Test(
        "work that addresses its own key reaches what was there before, and not itself",
        arguments: Command.allCases,
        places)
    func own(_ command: Command, _ sender: [Int]) {
        let (log, scheduler) = (Log<String>(), TestScheduler())
        let system = Self.tree(log, scheduler, command == .flush ? .debounce(.seconds(9)) : .concurrent)
        system.sendEvent(Event(path: sender, kind: .open("a")))
        scheduler.advance()
        _ = log.take()
        system.sendEvent(Event(path: sender, kind: .both(command, "a")))
        scheduler.advance()
        var expected = ["start self \(sender)", "\(Self.word(command)) \(sender)"]
        // A start of debounced work replaces what runs under the key.
        if command == .flush { expected.insert("cancel self \(sender)", at: 1) }
        #expect(log.entries == expected)
    }

    @Test(
        "a pending request is discarded or kept by the next one, and leaves no timer",
        arguments: [
            EffectPolicy.debounce(.seconds(3)), .debounceThenReplace(.seconds(3)),
            .throttle(.seconds(3), edges: .trailing),
        ],
        [
            (EffectPolicy.replace, false), (.debounce(.seconds(3)), false),
            (.debounceThenReplace(.seconds(3)), false), (.throttle(.seconds(3), edges: .trailing), false),
            (.concurrent, true), (.queue, true), (.drop, true),
        ])
    func pendingRequest(_ first: EffectPolicy, _ second: (policy: EffectPolicy, keepsFirst: Bool)) {
        let (log, scheduler) = (Log<String>(), TestScheduler())
        let system = System<Int, String>(
            initialState: 0, scheduler: scheduler, reducer: Reducer<Int, String> { _, _ in },
            feedbacks: [
                .onEvent({ $0 }, key: { _ in "key" }, policy: { $0 == "1" ? first : second.policy }) { name in
                    Effect<String>.fireAndForget { log.add(name) }
                }
            ])
        system.sendEvent("1")
        scheduler.advance()
        #expect(scheduler.pendingCount == 1)
        system.sendEvent("2")
        scheduler.advance()
        let isDelayed = log.entries.isEmpty
        #expect(scheduler.pendingCount == (isDelayed || second.keepsFirst ? 1 : 0))
        scheduler.advance(by: .seconds(9))
        #expect(log.entries.contains("1") == second.keepsFirst)
        #expect(log.entries.contains("2"))
        #expect(scheduler.pendingCount == 0)
    }

    @Test(
        "a pending request ends with all that ends work, and leaves no timer",
        arguments: [
            EffectPolicy.debounce(.seconds(3)), .debounceThenReplace(.seconds(3)),
            .throttle(.seconds(3), edges: .trailing), .throttle(.seconds(3), edges: .both),
        ], ["cancel", "removal", "stop", "release"])
    func pendingRequestEnds(_ policy: EffectPolicy, _ end: String) {
        let (log, scheduler) = (Log<String>(), TestScheduler())
        var system: System<[Node], String>? = System(
            initialState: Node.tree.children, scheduler: scheduler,
            reducer: Reducer<[Node], String> { rows, event in if event == "removal" { rows.remove(at: 1) } },
            feedbacks: [
                Feedback<Node, String>.onEvent(
                    { $0 == "ask" ? true : nil }, key: { _ in "key" }, policy: policy
                ) { _ in Effect<String>.fireAndForget { log.add("asked") } }
                .lifted(byEach: Elements(in: \.self, event: CasePath(embed: { $0.1 }, extract: { (2, $0) }))),
                .onEvent({ $0 == "cancel" ? true : nil }) { _ in Effect<String>.cancel("key") },
            ])
        system?.sendEvent("ask")
        system?.sendEvent("ask")
        scheduler.advance()
        #expect(scheduler.pendingCount == 1)
        _ = log.take()
        switch end {
        case "stop": system?.stop()
        case "release": system = nil
        default: system?.sendEvent(end)
        }
        scheduler.advance()
        #expect(scheduler.pendingCount == 0)
        scheduler.advance(by: .seconds(9))
        #expect(log.entries == [])
        withExtendedLifetime(system) {}
    }
}
