internal import Promise
public import PromisedSystem

/// Unchecked because of `pins`, which is accessed with the gate.
@usableFromInline
final class Part<M: Model, Value: Sendable>: AnyPart, @unchecked Sendable {
    private let value: OwnedValue<Value>
    private let node: Node<M>
    private let present: @Sendable () -> Value
    /// A closure made where the types are known, for which it is specialized.
    private let compare: () -> (@Sendable () -> Void)?
    /// The number of subscriptions that are being made.
    private var pins = 0

    @inlinable
    convenience init(
        _ node: Node<M>, _ path: any KeyPath<M.State, Value> & Sendable,
        _ areEqual: @escaping @Sendable (Value, Value) -> Bool
    ) {
        let value = OwnedValue<Value>()
        let offset = MemoryLayout<M.State>.offset(of: path)
        self.init(
            node, PathPart(path), offset.map { $0..<$0 + MemoryLayout<Value>.size }, value,
            present: { node.read(path) },
            compare: {
                guard let last = value.present else { return nil }
                let next = node.read(path)
                guard !areEqual(last, next) else { return nil }
                value.stage(next)
                return { value.deliverNext() }
            })
    }

    @usableFromInline
    init(
        _ node: Node<M>, _ path: PathPart, slot: Int? = nil, _ bytes: Range<Int>?, _ value: OwnedValue<Value>,
        present: @escaping @Sendable () -> Value, compare: @escaping () -> (@Sendable () -> Void)?
    ) {
        (self.node, self.value, self.present, self.compare) = (node, value, present, compare)
        super.init(path, slot: slot, bytes)
    }

    override var isObserved: Bool { pins > 0 || value.hasSubscribers }

    /// The source of the property. Its present value is read from the store.
    @usableFromInline var source: Source<Value> {
        var source = value.source(present)
        source.attach = { [self, attach = source.attach] replayCurrent, body, onEnd in
            pin()
            defer { unpin() }
            return attach(replayCurrent, body, onEnd)
        }
        return source
    }

    /// Has the present value compared with every later one from now on.
    private func pin() {
        let isOver = node.tree.gate.withGate {
            guard node.isActive else { return true }
            pins += 1
            if !isObservedAlready { stageCommitted() }
            let extras = node.needed
            if !extras.parts.contains(where: { $0 === self }) { extras.parts.append(self) }
            node.tree.observed[node.number] = node
            return false
        }
        if isOver { end() }
    }

    private var isObservedAlready: Bool { pins > 1 || value.hasSubscribers }

    private func unpin() { node.tree.gate.withGate { pins -= 1 } }

    /// Stores the present value while there are no subscribers.
    private func stagePresent() {
        value.stage(present())
        value.deliverNext()
    }

    /// The same for a new subscription. In a transaction, what others see is stored: that may not be kept. Called with
    /// the gate.
    private func stageCommitted() {
        let ignoredDraft = node.tree.ignoresDraft
        node.tree.ignoresDraft = true
        stagePresent()
        node.tree.ignoresDraft = ignoredDraft
    }

    override func capture() -> (@Sendable () -> Void)? { compare() }

    override func end() {
        if value.present == nil { stagePresent() }
        value.finish()
    }

    override func forget() {
        guard let extras = node.extras else { return }
        extras.parts.removeAll { $0 === self }
        if extras.parts.isEmpty { node.tree.observed[node.number] = nil }
    }
}

extension Part where Value == [Int] {
    /// The models of a slot, by their numbers.
    convenience init(_ node: Node<M>, slot: Int) {
        let (value, child) = (OwnedValue<[Int]>(), node.type.children[slot])
        self.init(
            node, child.path, slot: slot, child.bytes, value, present: { node.numbers(inSlot: slot) },
            compare: {
                let next = node.numbers(inSlot: slot)
                guard let last = value.present, last != next else { return nil }
                value.stage(next)
                return { value.deliverNext() }
            })
    }
}
