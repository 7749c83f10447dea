internal import PromisedSystem

internal import Promise

/// The state of a model, for its own methods: it reads like the state, and an assigned value is written to the store. A
/// model declares `private var state: ModelState<Self> { context.state }`.
///
/// A write takes effect at once, on any thread: `state.count += 1` is one atomic step. A write to a state that was
/// removed is ignored and reported once. Several properties are written in one step by ``update(_:file:line:)``,
/// several models by ``Model/transaction(_:)``.
@dynamicMemberLookup
public struct ModelState<M: Model>: Sendable {
    @usableFromInline let node: Node<M>

    @inlinable
    init(node: Node<M>) { self.node = node }

    /// A copy of the present state.
    @inlinable public var value: M.State { node.state }

    /// A property of the state. No reader is registered.
    ///
    /// A change in place works on a copy, which is then written, or discarded if the call throws. A write to
    /// the property meanwhile is overwritten: by a closure, as in `state.rows.removeAll { … }`, or by the right-hand
    /// side of an assignment. In such a closure, a task may not be started immediately that writes to the store: it
    /// could deadlock.
    ///
    /// Do not pass a property inout to an asynchronous function, as in `await fill(&state.rows)`: writers on other
    /// threads are blocked until it returns, which is a deadlock if it needs one of these threads, and a write on the
    /// store's scheduler meanwhile is overwritten, which is reported. Pass a local variable, and assign it afterwards.
    @inlinable
    public subscript<Value: Sendable>(
        dynamicMember path: any WritableKeyPath<M.State, Value> & Sendable
    ) -> Value {
        get { node.read(path) }
        nonmutating set { node.write(Projection(path), newValue) }
        nonmutating _modify {
            let part = Projection(path)
            let isOutermost = node.tree.gate.acquireSuspending()
            defer { if isOutermost { node.tree.releaseGate() } }
            var value = node.read(part)
            yield &value
            if node.tree.gate.isHeldAfterSuspension() {
                node.writeAsHolder(part, value)
            } else {
                node.writeLate(part, value)
            }
        }
    }

    /// A property of the state that cannot be written.
    @inlinable
    public subscript<Value: Sendable>(dynamicMember path: any KeyPath<M.State, Value> & Sendable) -> Value {
        node.read(path)
    }

    /// Changes the state in one step: others see all of its changes, or none. `update { $0 = State() }`
    /// replaces the whole state.
    ///
    /// Use the argument only: what the closure writes to this model or to one below it in another way, such as by a
    /// method, is overwritten by the copy. Use ``Model/transaction(_:)`` to call methods.
    ///
    /// - Parameter change: Changes a copy of the state, which becomes the state when it returns. Called at once, on the
    ///   calling thread, while other writers wait. An error is rethrown, and then nothing is changed.
    @discardableResult
    public func update<Result>(
        _ change: (inout M.State) throws -> Result, file: StaticString = #fileID, line: UInt = #line
    ) rethrows -> Result {
        let tree = node.tree
        let isOutermost = tree.gate.acquire()
        defer { if isOutermost { tree.releaseGate() } }
        var state = node.state
        let result = try change(&state)
        node.write(state, at: Origin(file, line))
        return result
    }
}

extension ModelContext {
    /// The state, to be written by the methods of the model:
    ///
    /// ```swift
    /// import PromisedModels
    ///
    /// struct Lamp: Model {
    ///     struct State: Equatable { var isOn = false }
    ///     let context: ModelContext<Lamp>
    ///     private var state: ModelState<Self> { context.state }
    ///
    ///     func pressed() { state.isOn.toggle() }
    /// }
    /// ```
    @inlinable public var state: ModelState<M> { ModelState(node: node) }
}
