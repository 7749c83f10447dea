internal import Promise
internal import Synchronization

/// Closures to be told something, in the order in which they were added.
@usableFromInline
final class Handlers<Input: Sendable>: Sendable {
    @usableFromInline
    struct State: Sendable {
        @usableFromInline var list: [Callback<Input>] = []
        var isClosed = false
    }

    @usableFromInline let state = Lock(State())
    private let counter: Counter?

    /// - Parameter counter: Counts these and those of other lists.
    init(_ counter: Counter? = nil) { self.counter = counter }

    @inlinable var isEmpty: Bool { state.withLock { $0.list.isEmpty } }

    func add(_ callback: Callback<Input>) {
        let isClosed = state.withLock { state in
            if !state.isClosed {
                state.list.append(callback)
                counter?.value.wrappingAdd(1, ordering: .acquiringAndReleasing)
            }
            return state.isClosed
        }
        if isClosed { callback.retire() }
    }

    func remove(_ callback: Callback<Input>) {
        callback.retire()
        state.withLock { state in
            guard let place = state.list.firstIndex(where: { $0 === callback }) else { return }
            state.list.remove(at: place)
            counter?.value.wrappingSubtract(1, ordering: .acquiringAndReleasing)
        }
    }

    /// Removes all, and takes none any more.
    func close() {
        let all = state.withLock { state in
            defer { state = State(isClosed: true) }
            counter?.value.wrappingSubtract(state.list.count, ordering: .acquiringAndReleasing)
            return state.list
        }
        for callback in all { callback.retire() }
    }

    /// Tells those that were there when this was called and still are when it is their turn.
    @inlinable
    func call(_ input: @autoclosure () -> Input) {
        let snapshot = state.withLock { $0.list }
        guard !snapshot.isEmpty else { return }
        let input = input()
        for callback in snapshot { callback.call(input) }
    }
}
