internal import Promise
internal import Synchronization

/// A list of callbacks, invoked in the order in which they were added.
@usableFromInline
final class Handlers<Input: Sendable>: Sendable {
    @usableFromInline
    struct State: Sendable {
        @usableFromInline var list: [Callback<Input>] = []
        var isClosed = false
    }

    @usableFromInline let state = Lock(State())
    private let counter: Counter?

    /// - Parameter counter: Counts the callbacks of several lists together.
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

    /// Removes all callbacks; those added later are retired at once.
    func close() {
        let all = state.withLock { state in
            defer { state = State(isClosed: true) }
            counter?.value.wrappingSubtract(state.list.count, ordering: .acquiringAndReleasing)
            return state.list
        }
        for callback in all { callback.retire() }
    }

    /// Invokes the callbacks that are in the list now, without those that are removed before they are reached.
    ///
    /// - Parameter input: Evaluated once, and only if the list is not empty.
    @inlinable
    func call(_ input: @autoclosure () -> Input) {
        let snapshot = state.withLock { $0.list }
        guard !snapshot.isEmpty else { return }
        let input = input()
        for callback in snapshot { callback.call(input) }
    }
}
