import Promise
import PromisedSystem
import Testing

/// Subscriptions that are cancelled by the closure of their operator, and those that are made after the end.
@Suite struct OperatorCancellationTests {
    typealias Operator = @Sendable (Source<Int>, @escaping @Sendable () -> Void) -> Source<Int>

    private let heard = Log<String>()

    /// An operator whose closure calls a hook.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Whether it is connected to its source only while it has subscribers.
        let isStateless: Bool
        let make: Operator

        private init(_ name: String, isStateless: Bool = true, _ make: @escaping Operator) {
            (testDescription, self.isStateless, self.make) = (name, isStateless, make)
        }

        static let all: [Kind] = [
            .init("map") { $0.map(passing($1)) },
            .init("map of a map") { $0.map { -$0 }.map(passing($1)).map { -$0 } },
            .init("flatMap") { source, hook in source.flatMap { .constant(passing(hook)($0)) } },
            .init("flatMap of one source") { source, hook in
                let inner = source.map(passing(hook))
                return Source.constant(0).flatMap { _ in inner }
            },
            .init("combined") { source, hook in
                source.map(passing(hook)).combined(with: .constant(0)).map { $0.0 }
            },
            .init("filter", isStateless: false) { source, hook in source.filter { passing(hook)($0) >= 0 } },
            .init("scan", isStateless: false) { source, hook in
                source.scan(first: passing(hook)) { passing(hook)($1) }
            },
        ]

        private static func passing(_ hook: @escaping @Sendable () -> Void) -> @Sendable (Int) -> Int {
            { number in
                hook()
                return number
            }
        }
    }

    @Test(
        "an operator whose subscription is cancelled by its closure serves the next one",
        arguments: Kind.all, [true, false])
    func cancels(kind: Kind, isConnecting: Bool) {
        let (numbers, token, cancels) = (Numbers(), Box<SubscriptionToken?>(nil), Box(isConnecting))
        let source = kind.make(numbers.source) {
            if let token = token.value, cancels.exchange(false) { token.cancel() }
        }
        let subscribe = { @Sendable [heard] in source.subscribe { heard.add("first \($0)") } }
        if isConnecting {
            // Has the token before the operator connects.
            inReducer { token.value = subscribe() }
        } else {
            token.value = subscribe()
            cancels.value = true
        }
        numbers.set(1)
        #expect(!heard.take().contains("first 1"))
        #expect(numbers.subscribers == (kind.isStateless ? 0 : 1))
        #expect(source.value == 1)
        let next = source.subscribe { [heard] in heard.add("next \($0)") }
        numbers.set(2)
        #expect(heard.take() == ["next 1", "next 2"])
        next.cancel()
        #expect(numbers.subscribers == (kind.isStateless ? 0 : 1))
    }

    private static let lengths: [@Sendable (Source<Witness>) -> Source<Int>] = [
        { $0.map { _ in 1 } },
        { $0.flatMap { _ in .constant(1) } },
        { source in Source.constant(1).flatMap { _ in source.map { _ in 1 } } },
        { $0.combined(with: .constant(1)).map { $0.1 } },
        { $0.scan(first: { _ in 1 }) { _, _ in 1 } },
        { $0.map { _ in 1 }.removeDuplicates() },
        { $0.map { _ in 1 }.receive(on: .immediate) },
    ]

    @Test(
        "SR-50: a token that is kept after the end of a source retains no value of the sources below",
        arguments: lengths.indices, [true, false])
    func afterTheEnd(index: Int, isSubscribedBefore: Bool) {
        let ended = Log<String>()
        func subscribe() -> SubscriptionToken {
            let system = System<Witness, Int>(
                initialState: Witness { ended.add("value") }, scheduler: .immediate, reducer: .identity)
            if !isSubscribedBefore { system.stop() }
            let source = Self.lengths[index](system.settled.map { $0 })
            let token = source.subscribe { [heard] in heard.add("\($0)") }
            if isSubscribedBefore { system.stop() }
            return token
        }
        let token = subscribe()
        #expect(heard.entries == ["1"])
        #expect(ended.entries == ["value"])
        token.cancel()
    }
}
