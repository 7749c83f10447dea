public import PromisedSystem

internal import Promise

/// A read-only handle to a part of a model's state.
@dynamicMemberLookup
public struct StateReader<Value: Sendable>: Sendable {
    let read: @Sendable () -> Value
    let makeSource: @Sendable () -> Source<Value>

    /// The present value.
    public var value: Value { read() }

    /// A source of the value.
    public var source: Source<Value> { makeSource() }

    /// The present value and every later one, without a gap.
    public var values: AsyncStream<Value> { stream(makeSource(), replayCurrent: true, .every) }

    /// A handle to a property.
    public subscript<Part: Equatable & Sendable>(
        dynamicMember path: any KeyPath<Value, Part> & Sendable
    ) -> StateReader<Part> { part { $0[keyPath: path] } }

    /// A handle to a property of an optional; nil while that is.
    public subscript<Wrapped, Part: Equatable & Sendable>(
        dynamicMember path: any KeyPath<Wrapped, Part> & Sendable
    ) -> StateReader<Part?> where Value == Wrapped? { part { $0?[keyPath: path] } }

    /// A handle to an optional property of an optional; nil while one of them is.
    public subscript<Wrapped, Part: Equatable & Sendable>(
        dynamicMember path: any KeyPath<Wrapped, Part?> & Sendable
    ) -> StateReader<Part?> where Value == Wrapped? { part { $0?[keyPath: path] } }

    private func part<Part: Equatable & Sendable>(
        _ part: @escaping @Sendable (Value) -> Part
    ) -> StateReader<Part> {
        StateReader<Part>(
            read: { [read] in part(read()) },
            makeSource: { [makeSource] in makeSource().map(part).removeDuplicates(by: areSame) })
    }
}

/// A handle to a part of a model's state that can also be written.
@dynamicMemberLookup
public struct StateView<Value: Sendable>: Sendable {
    /// The same handle, without writing.
    public let reader: StateReader<Value>
    private let node: AnyNode
    private let modify: @Sendable ((inout Value) -> Void) -> Void

    init(
        _ reader: StateReader<Value>, _ node: AnyNode,
        _ modify: @escaping @Sendable ((inout Value) -> Void) -> Void
    ) {
        (self.reader, self.node, self.modify) = (reader, node, modify)
    }

    /// The present value. Setting it writes to the store; `value += 1` is one atomic step.
    ///
    /// A change in place that throws changes nothing. As with a property of ``ModelState``, do not pass it inout to an
    /// asynchronous function.
    public var value: Value {
        get { reader.value }
        nonmutating set { modify { $0 = newValue } }
        nonmutating _modify {
            let isOutermost = node.tree.gate.acquireSuspending()
            defer { if isOutermost { node.tree.releaseGate() } }
            var changed = reader.value
            yield &changed
            node.noteSuspension()
            modify { $0 = changed }
        }
    }

    /// Changes the value in one step.
    ///
    /// - Parameter change: Changes a copy of the value. Called at once, on the calling thread; other writers wait.
    public func update(_ change: (inout Value) -> Void) { modify(change) }

    /// A source of the value.
    public var source: Source<Value> { reader.source }

    /// The present value and every later one, without a gap.
    public var values: AsyncStream<Value> { reader.values }

    /// A handle to a property.
    public subscript<Part: Equatable & Sendable>(
        dynamicMember path: any WritableKeyPath<Value, Part> & Sendable
    ) -> StateView<Part> {
        StateView<Part>(reader[dynamicMember: path], node) { [modify] change in
            modify { change(&$0[keyPath: path]) }
        }
    }

    /// A handle to a property that cannot be written.
    public subscript<Part: Equatable & Sendable>(
        dynamicMember path: any KeyPath<Value, Part> & Sendable
    ) -> StateReader<Part> { reader[dynamicMember: path] }

    /// A handle to an optional property of an optional; nil while that is, and then it is not written.
    public subscript<Wrapped, Part: Equatable & Sendable>(
        dynamicMember path: any WritableKeyPath<Wrapped, Part?> & Sendable
    ) -> StateView<Part?> where Value == Wrapped? {
        StateView<Part?>(reader[dynamicMember: path], node) { [reader, modify] change in
            guard reader.value != nil else { return }
            modify { whole in
                guard whole != nil else { return }
                change(&whole![keyPath: path])
            }
        }
    }

    /// A handle to a property of an optional; nil while that is, and then it is not written.
    public subscript<Wrapped, Part: Equatable & Sendable>(
        dynamicMember path: any WritableKeyPath<Wrapped, Part> & Sendable
    ) -> StateView<Part?> where Value == Wrapped? {
        StateView<Part?>(reader[dynamicMember: path], node) { [reader, modify] change in
            guard reader.value != nil else { return }
            modify { whole in
                guard whole != nil else { return }
                var part: Part? = whole?[keyPath: path]
                change(&part)
                if let part { whole?[keyPath: path] = part }
            }
        }
    }
}

extension ModelContext {
    /// A handle to a property of the state, to be given to code that may write it. It keeps the store, if the model does.
    public func view<Value: Equatable & Sendable>(
        _ path: any WritableKeyPath<M.State, Value> & Sendable
    ) -> StateView<Value> {
        StateView(reader(path), node) { [state] change in change(&state[dynamicMember: path]) }
    }

    /// A handle to a property of the state that cannot be written. It keeps the store, if the model does.
    public func reader<Value: Equatable & Sendable>(
        _ path: any KeyPath<M.State, Value> & Sendable
    ) -> StateReader<Value> {
        StateReader(
            read: { [node] in node.read(path) },
            makeSource: { [self] in source(of: path) { areSame($0, $1) } })
    }
}
