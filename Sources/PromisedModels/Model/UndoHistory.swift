internal import PromisedSystem

internal import Promise
internal import Synchronization

/// The earlier values of a property, to be returned to.
///
/// ```swift
/// import PromisedModels
///
/// struct Drawing: Model {
///     struct State: Equatable { var lines: [String] = [], zoom = 1.0 }
///     let context: ModelContext<Drawing>
///     func drawn(_ line: String) { context.state.lines.append(line) }
/// }
///
/// let drawing = Store<Drawing>(initialState: .init(), scheduler: .immediate).model
/// let history = drawing.undoHistory(of: \.lines)
/// drawing.drawn("a")
/// drawing.drawn("b")
/// history.undo()
/// print(drawing.lines, history.canUndo, history.canRedo)
/// ```
///
/// Each change that observers are notified of is one step, whatever has made it: changes to be undone together are
/// made in one ``ModelState/update(_:file:line:)`` or ``Model/transaction(_:)``. Use it on the store's scheduler, as
/// a screen does; it ends with its model. Keep it in a ``ModelProperty``, or beside the model.
public final class UndoHistory<Value: Equatable & Sendable>: Sendable {
    private struct Steps: Sendable {
        var undone: [Value] = []
        var done: [Value] = []
        var present: Value

        /// Keeps the value before a change; one that the history has made itself it knows already.
        mutating func note(_ value: Value, limit: Int) {
            if areSame(present, value) { return }
            done.append(present)
            if done.count > limit { done.removeFirst() }
            (present, undone) = (value, [])
        }
    }

    private let steps: Lock<Steps>
    private let limit: Int
    private let node: AnyNode
    private let read: @Sendable () -> Value
    private let write: @Sendable (Value) -> Void
    private let possible = OwnedValue<Possible>()
    private struct Possible: Equatable, Sendable { var undo = false, redo = false }

    init<M: Model>(
        _ state: ModelState<M>, _ path: any WritableKeyPath<M.State, Value> & Sendable, limit: Int
    ) {
        (steps, self.limit, node) = (Lock(Steps(present: state[dynamicMember: path])), limit, state.node)
        (read, write) = ({ state[dynamicMember: path] }, { state[dynamicMember: path] = $0 })
        possible.set(Possible())
    }

    /// Whether there is something to undo; tracked inside of `withObservationTracking`.
    public var canUndo: Bool { source[\.undo] }
    /// Whether there is something to redo; tracked inside of `withObservationTracking`.
    public var canRedo: Bool { source[\.redo] }
    private var source: Source<Possible> { possible.source { [possible] in possible.present ?? Possible() } }

    /// Returns to the value before the last change. A no-op if there is none.
    public func undo() {
        move { steps in
            guard let last = steps.done.popLast() else { return false }
            steps.undone.append(steps.present)
            steps.present = last
            return true
        }
    }

    /// Returns to the value before the last ``undo()``. A no-op if something has changed since.
    public func redo() {
        move { steps in
            guard let next = steps.undone.popLast() else { return false }
            steps.done.append(steps.present)
            steps.present = next
            return true
        }
    }

    private func move(_ body: (inout Steps) -> Bool) {
        let isOutermost = node.tree.gate.acquire()
        moveAsHolder(body)
        if isOutermost { node.tree.releaseGate() }
        show()
    }

    private func moveAsHolder(_ body: (inout Steps) -> Bool) {
        let before = steps.withLock { $0 }
        // Writes of others may not have been notified yet.
        let present = read()
        steps.withLock { $0.note(present, limit: limit) }
        guard let value = steps.withLock({ body(&$0) ? $0.present : nil }) else { return }
        write(value)
        // A cancelled task has written nothing.
        if !areSame(read(), value) { steps.exchange(for: before) }
        guard node.tree.memory.isDrafting else { return }
        node.tree.memory.undo.append { [steps] _ in steps.exchange(for: before) }
        // At the end of the transaction, which may fail.
        node.tree.enqueue { [self] in show() }
    }

    /// Notes a change that is notified, unless it was written back meanwhile.
    func changed(to value: Value) {
        let now = read()
        steps.withLock { if !areSame($0.present, now) { $0.note(value, limit: limit) } }
        show()
    }

    /// There is nothing to return to behind the end of the model.
    func end() {
        steps.withLock { ($0.done, $0.undone) = ([], []) }
        show()
    }

    private func show() {
        let now = steps.withLock { Possible(undo: !$0.done.isEmpty, redo: !$0.undone.isEmpty) }
        if possible.present != now { possible.set(now) }
    }
}

extension Model {
    /// Keeps the values of a property from now on, to be returned to: of one that holds a list, a form, or, with
    /// `\.self`, of the whole state.
    ///
    /// - Parameters:
    ///   - path: The property.
    ///   - limit: How many values are kept; beyond that, the oldest is dropped.
    public func undoHistory<Value: Equatable & Sendable>(
        of path: any WritableKeyPath<State, Value> & Sendable, limit: Int = 100,
        file: StaticString = #fileID, line: UInt = #line
    ) -> UndoHistory<Value> {
        let history = UndoHistory(context.state, path, limit: limit)
        onChange(of: path, file: file, line: line) { [weak history] _, value in history?.changed(to: value) }
        onCancel(file: file, line: line) { [weak history] in history?.end() }
        return history
    }
}
