internal import Synchronization

/// A ``Lock`` that is allocated on first use.
package struct LazyLock<State: Sendable>: ~Copyable, Sendable {
    private final class LockBox: Sendable {
        let lock: Lock<State>

        init(_ state: State) { lock = Lock(state) }
    }

    private let box = AtomicLazyReference<LockBox>()

    package init() {}

    /// The lock if it has been used, otherwise nil.
    package var ifUsed: Lock<State>? { box.load()?.lock }

    /// The lock, allocated with an initial value on first use.
    package func lock(_ initial: @autoclosure () -> State) -> Lock<State> {
        (box.load() ?? box.storeIfNil(LockBox(initial()))).lock
    }
}
