import Dispatch
import Synchronization

/// An atomic counter.
final class SharedCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .acquiring) }

    func add(_ number: Int) { count.add(number, ordering: .acquiringAndReleasing) }
}

/// A thread-safe flag, off at first.
final class Switch: Sendable {
    private let state = Atomic(false)

    var isOn: Bool { state.load(ordering: .acquiring) }

    func turnOn() { state.store(true, ordering: .releasing) }
    func turnOff() { state.store(false, ordering: .releasing) }
}

/// A meeting point of two threads, so that they continue at the same time.
final class Meeting: Sendable {
    private let arrivals = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    /// Returns when the other thread has come as often.
    func come(isFirst: Bool) {
        let (mine, other) = isFirst ? arrivals : (arrivals.1, arrivals.0)
        mine.signal()
        other.wait()
    }
}
