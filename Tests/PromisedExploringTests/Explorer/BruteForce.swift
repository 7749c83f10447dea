import PromisedExploring
import PromisedSystem

/// Every possible sequence of steps of a plain machine.
struct BruteForce {
    let machine: RandomMachine
    /// All paths of the maximal length.
    private(set) var paths: [[Step<Int>]] = []
    private(set) var states: Set<Int> = [0]
    /// The first of the shortest paths that violate a property, in the order of the steps.
    private(set) var counterexample: [Step<Int>]?
    private let stopsAtViolations: Bool

    init(_ machine: RandomMachine, depth: Int, stopsAtViolations: Bool = true) {
        (self.machine, self.stopsAtViolations) = (machine, stopsAtViolations)
        let start = PlainMachine(machine)
        if stopsAtViolations, isBroken(start) {
            counterexample = []
            return
        }
        var level = [(path: [Step<Int>](), machine: start)]
        for _ in 0..<depth where counterexample == nil {
            level = next(after: level)
        }
        paths = level.map(\.path)
    }

    private mutating func next(
        after level: [(path: [Step<Int>], machine: PlainMachine)]
    ) -> [(path: [Step<Int>], machine: PlainMachine)] {
        var next: [(path: [Step<Int>], machine: PlainMachine)] = []
        for (path, machine) in level {
            for step in machine.steps {
                var after = machine
                after.take(step)
                states.formUnion(after.news.map(\.state))
                if stopsAtViolations, isBroken(after) {
                    counterexample = path + [step]
                    return []
                }
                next.append((path + [step], after))
            }
        }
        return next
    }

    private func isBroken(_ plain: PlainMachine) -> Bool {
        plain.news.contains { $0.state == machine.forbidden }
            || plain.isAtRest && plain.shown == machine.forbiddenAtRest
    }

    /// The states shown by each step of a path.
    func shown(on path: [Step<Int>]) -> [[Shown<Int>]] {
        var plain = PlainMachine(machine)
        return path.map { step in
            plain.take(step)
            return plain.news
        }
    }
}
