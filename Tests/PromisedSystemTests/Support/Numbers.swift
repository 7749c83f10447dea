import Promise
import PromisedSystem

/// A source of numbers and the way to change them.
final class Numbers: Sendable {
    let system: System<Int, Int>

    init(_ initial: Int = 0) {
        system = System(initialState: initial, scheduler: .immediate) { .value($1) }
    }

    var source: Source<Int> { system.settled }

    func set(_ numbers: Int...) { for number in numbers { system.sendEvent(number) } }
}
