/// Counts the preemptions on a path: steps that do something else while the work that ran last has a call open.
struct Preemption {
    private(set) var count = 0
    /// The numbers of the calls with which the work that ran last can continue.
    private(set) var continuing: Set<Int> = []

    /// - Parameter call: The call that the step answers; nil for any other step.
    func isCounted(_ call: WorldCall?) -> Bool {
        !continuing.isEmpty && !(call.map { continuing.contains($0.number) } ?? false)
    }

    mutating func begins(with call: WorldCall?) { if isCounted(call) { count += 1 } }

    /// - Parameter opened: The number of calls that were opened before the step.
    mutating func ends(with open: [WorldCall], since opened: Int) {
        let numbers = Set(open.map(\.number))
        let new = numbers.filter { $0 > opened }
        continuing = new.isEmpty ? continuing.intersection(numbers) : new
    }
}
