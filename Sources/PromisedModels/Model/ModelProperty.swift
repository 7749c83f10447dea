internal import Promise
internal import PromisedSystem
internal import Synchronization

/// A value that belongs to a model's state and lives as long as it, but is no part of it: a cache, a handle, a timer.
/// The last time that it can be read is in `onDeactivate`; after that, there is the initial value.
///
/// ```swift
/// struct Player: Model {
///     struct State: Equatable { var isPlaying = false }
///     let context: ModelContext<Player>
///
///     private static let volume = ModelProperty(0.5)
///     var volume: ModelPropertyValue<Double> { property(Self.volume) }
/// }
/// ```
///
/// Declare it as a `static let`: it identifies the value.
public final class ModelProperty<Value: Sendable>: Sendable {
    let initial: @Sendable () -> Value

    /// - Parameter initial: The value at first; evaluated once for each lifetime of a state, on the thread of the
    ///   first access, while writers wait.
    public init(_ initial: @autoclosure @escaping @Sendable () -> Value) { self.initial = initial }
}

/// The value of a ``ModelProperty`` for one state.
public struct ModelPropertyValue<Value: Sendable>: Sendable {
    let slot: PropertySlot<Value>
    let node: AnyNode

    /// The value. It can be read and set from any thread, and `value += 1` is one atomic step; after the end of the
    /// model a set is a no-op. It is not tracked by `withObservationTracking`: observe ``values``.
    ///
    /// A change in place that throws changes nothing. As with a property of ``ModelState``, do not pass it inout to an
    /// asynchronous function.
    public var value: Value {
        get { slot.owned.present ?? slot.initial }
        nonmutating set { set(newValue) }
        nonmutating _modify {
            let isOutermost = node.tree.gate.acquireSuspending()
            defer { if isOutermost { node.tree.releaseGate() } }
            var changed = value
            yield &changed
            node.noteSuspension()
            set(changed)
        }
    }

    private func set(_ value: Value) {
        let isOutermost = node.tree.gate.acquire()
        defer { if isOutermost { node.tree.releaseGate() } }
        guard !slot.isClosed.load(ordering: .relaxed), !node.isSilenced else { return }
        slot.owned.stage(value)
        node.tree.enqueueNotification { [slot] in slot.owned.deliverNext() }
    }

    /// The present value and every later one, without a gap. Ends with the model.
    public var values: AsyncStream<Value> {
        stream(slot.owned.source { [self] in value }, replayCurrent: true, .every)
    }
}

final class PropertySlot<Value: Sendable>: PropertyValue {
    let owned = OwnedValue<Value>()
    let initial: Value
    /// Retained, because its address identifies the value.
    private let property: ModelProperty<Value>
    /// Changed with the gate.
    let isClosed = Atomic(false)

    init(_ property: ModelProperty<Value>) {
        self.property = property
        initial = property.initial()
        owned.stage(initial)
        owned.deliverNext()
    }

    var present: any Sendable { owned.present ?? initial }

    func close() { isClosed.store(true, ordering: .relaxed) }
    func end() { owned.finish() }
}

extension Model {
    /// The value of a property for this model's state.
    public func property<Value>(_ property: ModelProperty<Value>) -> ModelPropertyValue<Value> {
        let node = context.node
        let slot = node.tree.gate.withGate { () -> PropertySlot<Value> in
            let id = ObjectIdentifier(property)
            if let known = node.extras?.properties[id] as? PropertySlot<Value> { return known }
            let slot = PropertySlot(property)
            if node.isActive || node.phase.load(ordering: .relaxed) == .activating {
                node.needed.properties[id] = slot
            } else {
                slot.close()
                slot.end()
            }
            return slot
        }
        return ModelPropertyValue(slot: slot, node: node)
    }
}
