public import PromisedSystem
public import Synchronization

internal import Promise

// Writes. The caller's gate makes a read and the write that follows from it one step.
extension Node {
    /// Writes a property.
    @inlinable
    func write<Value>(_ path: any WritableKeyPath<M.State, Value> & Sendable, _ value: Value) {
        guard let offset = MemoryLayout<M.State>.offset(of: path) else { return writeCopy(path, value, nil) }
        let bytes = offset..<offset + MemoryLayout<Value>.size
        let isOutermost = tree.gate.acquire()
        defer { if isOutermost { tree.releaseGate() } }
        if touchesSlots(bytes) { return writeCopy(path, value, bytes) }
        guard mayWrite else { return }
        tree.storage.beginRecord()
        // The old value leaves the lock in the same variable, and is released behind it.
        var (value, isOther) = (value, false)
        let isWritten = change { state in
            swap(&state[keyPath: path], &value)
            if let isSame = access.isSame, !isSame(self, state) {
                isOther = true
                swap(&state[keyPath: path], &value)
            }
        }
        if isOther { return writeCopy(path, value, bytes) }
        if isWritten { didWrite(bytes, Origin(place: 0), PathPart(path)) }
    }

    /// Writes a property by way of a copy of the state.
    @inlinable
    func writeCopy<Value>(
        _ path: any WritableKeyPath<M.State, Value> & Sendable, _ value: Value, _ bytes: Range<Int>?
    ) {
        let isOutermost = tree.gate.acquire()
        defer { if isOutermost { tree.releaseGate() } }
        var state = self.state
        state[keyPath: path] = value
        write(state, at: Origin(place: 0), bytes, PathPart(path))
    }

    /// Writes the whole state.
    ///
    /// - Parameters:
    ///   - bytes: What has changed of it; nil if that is not known.
    ///   - path: The property that has changed, for the record; nil if it may be several.
    @inlinable
    func write(
        _ state: M.State, at origin: Origin, _ bytes: Range<Int>? = nil, _ path: PathPart? = nil
    ) {
        let isOutermost = tree.gate.acquire()
        defer { if isOutermost { tree.releaseGate() } }
        guard mayWrite else { return }
        if let isSame = access.isSame, !isSame(self, state) { return access.replace(self, state, origin) }
        tree.storage.beginRecord()
        var changes = TreeChanges()
        if !tree.isDrafting.load(ordering: .relaxed) { compare(state, bytes, &changes) }
        var (state, isFound) = (state, false)
        // Under one lock, so that no reader finds a node without its state.
        let isOpen = tree.make(changes) { isFound = access.change(self) { swap(&$0, &state) } }
        if isOpen, isFound { didWrite(bytes, origin, path) }
    }

    /// Whether a write is possible now; what prevents it is reported.
    @inlinable var mayWrite: Bool {
        if !isActive {
            report(.writeToRemovedState(of: name))
        } else if tree.isDeriving {
            report(.writeInDerivedProperty(of: name))
        } else {
            return true
        }
        return false
    }

    @inlinable
    func touchesSlots(_ bytes: Range<Int>) -> Bool {
        !slots.isEmpty && type.children.contains { $0.isTouched(by: bytes) }
    }

    /// Mutates the state in place, under the lock.
    @inlinable
    func change(_ body: (inout M.State) -> Void) -> Bool {
        var isFound = false
        let isOpen = tree.storage.writing { isFound = access.change(self, body) }
        return isOpen && isFound
    }
}
