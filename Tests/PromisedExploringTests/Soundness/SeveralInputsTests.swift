import Promise
import PromisedExploring
import PromisedSystem
import TestSupport
import Testing

/// Several inputs, and what their closures begin.
@Suite struct SeveralInputsTests {
    struct Pair: Hashable, Sendable {
        var left: Int?
        var right: Int?
        var log = ""
    }
    enum PairEvent: Hashable, Sendable { case openLeft, openRight, left(Int), right(Int) }

    private static let left = Scope<Pair, PairEvent, Int?, Int>(
        state: \.left,
        event: CasePath(embed: PairEvent.left) { if case .left(let number) = $0 { number } else { nil } })
    private static let right = Scope<Pair, PairEvent, Int?, Int>(
        state: \.right,
        event: CasePath(embed: PairEvent.right) { if case .right(let number) = $0 { number } else { nil } })

    @Test("two parts with inputs are notified in the order in which they were opened")
    func order() {
        let found = expectSame([.openLeft, .openRight], depth: 3) {
            (world: World<Pair>) -> System<Pair, PairEvent> in
            let session = System<Int, Int>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
            world.action("user") { session.sendEvent(1) }
            return System<Pair, PairEvent>(
                initialState: Pair(), scheduler: world.scheduler,
                reducer: Reducer { pair, event in
                    switch event {
                    case .openLeft: pair.left = pair.left ?? -1
                    case .openRight: pair.right = pair.right ?? -1
                    case .left(let user):
                        if pair.left != -1, pair.log.count < 2 { pair.log += "l" }
                        pair.left = user
                    case .right(let user):
                        if pair.right != -1, pair.log.count < 2 { pair.log += "r" }
                        pair.right = user
                    }
                },
                feedbacks: [
                    Feedback<Int, Int>.input(session.settled, as: { $0 }).lifted(by: Self.left),
                    Feedback<Int, Int>.input(session.settled, as: { $0 }).lifted(by: Self.right),
                ])
        }
        let logs = Set(found.states.map(\.log))
        #expect(logs.isSuperset(of: ["lr", "rl"]), "\(logs)")
    }

    @Test(
        "work that reads a mapped source which an input subscribes to remembers what it has read",
        arguments: [false, true])
    func mappedRead(isSubscribed: Bool) {
        let found = expectSame([8], depth: 5) { (world: World<Int>) -> System<Int, Int> in
            let session = System<Int, Int>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
            for user in 0...1 { world.action("user \(user)") { session.sendEvent(user) } }
            let mapped = session.settled.map { user in user + 0 }
            // The control: read through another operator, without a subscriber.
            let read = isSubscribed ? mapped : session.settled.map { user in user + 0 }
            return System<Int, Int>(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    if event >= 10 {
                        if state < 100 { state = 100 + (event - 10) * 10 + state }
                    } else if event < 8, state < 100 {
                        state = event
                    }
                },
                feedbacks: [
                    .input(mapped, as: { $0 }),
                    .onEvent({ $0 == 8 ? true : nil }, policy: .drop) { (_: Bool) in
                        Effect<Int>.promise(
                            world.call("first", .value(0)).flatMap { (_: Int) -> Promise<Int> in
                                let seen = read.value
                                return world.call("second", .value(0)).map { (_: Int) in 10 + seen }
                            })
                    },
                ])
        }
        #expect(Set(found.states).isSuperset(of: [100, 101, 110, 111]), "\(found.states)")
    }

    @Test("work that the closure of an input starts remembers the value")
    func startsWork() {
        let found = expectSame([8], depth: 4) { (world: World<Int>) -> System<Int, Int> in
            let session = System<Int, Int>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
            for user in 0...1 { world.action("user \(user)") { session.sendEvent(user) } }
            let stale = world.variable(0)
            return System<Int, Int>(
                initialState: 9, scheduler: world.scheduler,
                feedbacks: [
                    .input(
                        session.settled,
                        as: { user in
                            _ = world.call("log", .value(0)).done { (_: Int) in
                                if user == 1, session.state == 0 { stale.value = 1 }
                            }
                            return user
                        })
                ]
            ) { _, event in .value(event == 8 ? 100 + stale.value : event) }
        }
        #expect(found.states.contains(101), "\(found.states)")
    }

    @Test("an input of a session that an action stops")
    func stopped() {
        expectSame([8], depth: 4) { (world: World<Int>) -> System<Int, Int> in
            let session = System<Int, Int>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
            for user in 0...1 { world.action("user \(user)") { session.sendEvent(user) } }
            world.action("stop") { session.stop() }
            return System<Int, Int>(
                initialState: 9, scheduler: world.scheduler, reducer: Reducer { $0 = $1 },
                feedbacks: [.input(session.settled, as: { $0 })])
        }
    }
}
