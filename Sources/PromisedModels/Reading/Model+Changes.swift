internal import Observation
internal import PromisedSystem

internal import Promise

extension Model {
    /// Calls a closure with every later value of a property, whatever has changed it, until the model ends.
    ///
    /// A closure that contains a model which was taken from a ``Store`` keeps that store: refer to it by a
    /// ``ModelReference``, or call this in `onActivate`.
    ///
    /// - Parameters:
    ///   - path: The property.
    ///   - initial: Whether it is also called with the present value.
    ///   - action: Called on the store's scheduler.
    /// - Returns: A handle to end it earlier.
    @discardableResult
    public func onChange<Value: Equatable & Sendable>(
        of path: any KeyPath<State, Value> & Sendable, initial: Bool = false,
        file: StaticString = #fileID, line: UInt = #line, _ action: @escaping @Sendable (Value) -> Void
    ) -> Cancellable {
        onChange(of: path, initial: initial, file: file, line: line) { _, value in action(value) }
    }

    /// Calls a closure with every later value of a property and the one before it, until the model ends.
    ///
    /// - Parameters:
    ///   - path: The property.
    ///   - initial: Whether it is also called with the present value, twice.
    ///   - action: Called on the store's scheduler, with the old value and the new one.
    /// - Returns: A handle to end it earlier.
    @discardableResult
    public func onChange<Value: Equatable & Sendable>(
        of path: any KeyPath<State, Value> & Sendable, initial: Bool = false,
        file: StaticString = #fileID, line: UInt = #line,
        _ action: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> Cancellable {
        let (node, subscription) = (context.node, Lock<SubscriptionToken?>(nil))
        let handle = onCancel(file: file, line: line) { subscription.exchange(for: nil)?.cancel() }
        guard let task = handle.task else { return handle }
        // One step, so that no write comes between the value and the later ones.
        let token = node.tree.gate.withGate {
            let present = node.readCommitted(path)
            let last = Lock(present)
            // Also a call that was enqueued before the cancellation is not made behind it.
            if initial { node.tree.enqueue { if !task.isCancelled { action(present, present) } } }
            return context.source(of: path, isOfLogic: true, areSame).attach(
                false,
                { value in
                    let old = last.exchange(for: value)
                    if !task.isCancelled { action(old, value) }
                }, {})
        }
        node.tree.flush()
        subscription.exchange(for: token)
        if task.isCancelled { subscription.exchange(for: nil)?.cancel() }
        return handle
    }

    /// Calls a closure with every later value of an expression, which may read several models, and the one before it,
    /// until this model ends.
    ///
    /// ```swift
    /// import PromisedModels
    ///
    /// struct Lamp: Model {
    ///     struct State: Equatable { var isOn = false }
    ///     let context: ModelContext<Lamp>
    /// }
    ///
    /// struct Room: Model {
    ///     struct State: Equatable { var left = Lamp.State(), right = Lamp.State(), isDark = true }
    ///     let context: ModelContext<Room>
    ///     static let children: [Child<Room>] = [.one(\.left, Lamp.self), .one(\.right, Lamp.self)]
    ///     private var state: ModelState<Self> { context.state }
    ///
    ///     func onActivate() {
    ///         let (left, right): (Lamp, Lamp) = (child(\.left), child(\.right))
    ///         onChange(of: { left.isOn || right.isOn }) { _, isLit in state.isDark = !isLit }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - expression: What it reads of models and sources is tracked, as by `withObservationTracking`; it is evaluated
    ///     at once, and whenever something of that has changed. Of changes in quick succession it may see only the last.
    ///   - initial: Whether the closure is also called with the present value, twice.
    ///   - action: Called on the store's scheduler, with the old value and the new one.
    /// - Returns: A handle to end it earlier.
    @discardableResult
    public func onChange<Value: Equatable & Sendable>(
        of expression: @escaping @Sendable () -> Value, initial: Bool = false,
        file: StaticString = #fileID, line: UInt = #line,
        _ action: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> Cancellable {
        let observed = Lock<ObservedExpression<Value>?>(nil)
        let handle = onCancel(file: file, line: line) { observed.exchange(for: nil) }
        if let task = handle.task {
            let expression = ObservedExpression(task, expression, action)
            observed.exchange(for: expression)
            expression.begin(initial)
        }
        return handle
    }
}

/// An expression whose value is compared whenever something that it has read has changed.
private final class ObservedExpression<Value: Equatable & Sendable>: Sendable {
    private let task: ModelTask
    private let expression: @Sendable () -> Value
    private let action: @Sendable (Value, Value) -> Void
    private let last = Lock<Value?>(nil)

    init(
        _ task: ModelTask, _ expression: @escaping @Sendable () -> Value,
        _ action: @escaping @Sendable (Value, Value) -> Void
    ) { (self.task, self.expression, self.action) = (task, expression, action) }

    func begin(_ isInitial: Bool) {
        let value = evaluate()
        last.exchange(for: value)
        if isInitial { perform { [self] in if !task.isCancelled { action(value, value) } } }
    }

    private func evaluate() -> Value {
        StoreAccess.$logic.withValue(ObjectIdentifier(task.node.tree.memory)) {
            withObservationTracking(expression) { [weak self] in
                guard let self else { return }
                // The change has to be visible to the next evaluation.
                perform { [self] in compare() }
            }
        }
    }

    /// Performs something as the owner of the loop.
    private func perform(_ action: @escaping @Sendable () -> Void) {
        task.node.tree.enqueue(action)
        task.node.tree.flush()
    }

    private func compare() {
        guard !task.isCancelled else { return }
        let value = evaluate()
        let old = last.exchange(for: value)
        if let old, !task.isCancelled, !areSame(old, value) { action(old, value) }
    }
}
