import Dispatch
import Synchronization

/// A number that threads count with.
final class SharedCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .acquiring) }

    func add(_ number: Int) { count.add(number, ordering: .acquiringAndReleasing) }
}

/// Off until it is turned on, on whichever thread.
final class Switch: Sendable {
    private let state = Atomic(false)

    var isOn: Bool { state.load(ordering: .acquiring) }

    func turnOn() { state.store(true, ordering: .releasing) }
    func turnOff() { state.store(false, ordering: .releasing) }
}

/// Where two threads wait for each other, so that what they do next happens at the same time.
final class Meeting: Sendable {
    private let arrivals = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    /// Returns when the other has come as often.
    func come(isFirst: Bool) {
        let (mine, other) = isFirst ? arrivals : (arrivals.1, arrivals.0)
        mine.signal()
        other.wait()
    }
}
