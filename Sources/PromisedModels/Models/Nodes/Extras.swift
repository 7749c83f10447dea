internal import Promise
internal import PromisedSystem

/// What a node keeps for a property.
protocol PropertyValue: AnyObject, Sendable {
    var present: any Sendable { get }
    /// Lets no further value be set; its streams end later, by ``end()``.
    func close()
    func end()
}

/// What some nodes have: observers, tasks, listeners, overridden dependencies, properties. Accessed with the gate.
@usableFromInline
final class Extras {
    /// The parts of the state that are observed.
    var parts: [AnyPart] = []
    var tasks: [Int: ModelTask] = [:]
    /// The number of the last task, which is never used again.
    var lastTask = 0
    var listeners: [EventListener] = []
    var dependencies: [DependencyOverride] = []
    var properties: [ObjectIdentifier: any PropertyValue] = [:]
    var preferences: [ObjectIdentifier: any Sendable] = [:]
    var reported: Set<ModelProblem> = []

    /// - Parameter isReused: Whether it is the first number that is free, and not one that was never used.
    func nextTask(isReused: Bool) -> Int {
        lastTask += 1
        return isReused ? (1...).first { tasks[$0] == nil } ?? lastTask : lastTask
    }

    /// Cancels the tasks and ends the streams of a node.
    func end(_ node: AnyNode) {
        let tree = node.tree
        let ended = (parts, tasks, listeners, properties)
        (parts, tasks, listeners, preferences) = ([], [:], [], [:])
        for property in ended.3.values { property.close() }
        tree.enqueue {
            for (_, task) in ended.1.sorted(by: { $0.key < $1.key }) { task.cancelAsOwner() }
            for part in ended.0 { part.end() }
            for listener in ended.2 { listener.end() }
            for property in ended.3.values { property.end() }
        }
    }
}

@available(*, unavailable)
extension Extras: Sendable {}
