internal import Promise
internal import PromisedSystem
internal import Synchronization

/// The storage of a property in a node.
protocol PropertyValue: AnyObject, Sendable {
    var present: any Sendable { get }
    /// Lets no further value be set; its streams end later, by ``end()``.
    func close()
    func end()
}

/// The seldom used fields of a node: observers, tasks, listeners, overridden dependencies, properties. Accessed with
/// the gate.
@usableFromInline
final class Extras {
    /// The parts of the state that are observed.
    var parts: [Part] = []
    var tasks: [Int: ModelTask] = [:]
    /// The number of the last task, which is never used again.
    var lastTask = 0
    var listeners: [EventListener] = []
    var dependencies: [DependencyOverride] = []
    var properties: [ObjectIdentifier: any PropertyValue] = [:]
    var preferences: [ObjectIdentifier: any Sendable] = [:]
    /// The preferences of the node and all below it, each as one value, for as long as that is known.
    var reducedPreferences: [ObjectIdentifier: any Sendable] = [:]
    /// Streams with an element for every change of a preference of the node or of one below it.
    var preferenceStreams: [Int: (key: ObjectIdentifier, stream: AsyncStream<Void>.Continuation)] = [:]
    var reported: Set<ModelProblem> = []

    /// - Parameter isReused: Whether it is the first number that is free, and not one that was never used.
    func nextTask(isReused: Bool) -> Int {
        lastTask += 1
        return isReused ? (1...).first { tasks[$0] == nil } ?? lastTask : lastTask
    }

    func closeProperties() { for property in properties.values { property.close() } }

    /// Cancels the tasks and ends the streams of a node, but for those of its properties, which its last hook may read.
    func end(_ node: AnyNode) {
        let tree = node.tree
        let (parts, listeners) = (parts, listeners)
        let streams = preferenceStreams
        // A stream that `onActivate` opens during the removal has to be found by `onDeactivate`.
        if node.phase.load(ordering: .relaxed) != .activating { closeProperties() }
        // Cancelled here, so that nothing of them is called that was enqueued before.
        let tasks = tasks.sorted { $0.key < $1.key }.compactMap { $0.value.finish(isEnd: true) }
        (self.parts, self.tasks, self.listeners, preferences) = ([], [:], [], [:])
        (reducedPreferences, preferenceStreams) = ([:], [:])
        tree.enqueue {
            for finish in tasks { finish() }
            for part in parts { part.end() }
            for listener in listeners { listener.end() }
            for (_, stream) in streams.values { stream.finish() }
        }
    }
}

@available(*, unavailable)
extension Extras: Sendable {}
