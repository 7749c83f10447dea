public import PromisedSystem

internal import Promise

// Writes. The caller's gate makes a read and the write that follows from it one step.
extension Node {
    /// Writes a property.
    @inlinable
    func write<Value>(_ part: Projection<M.State, Value>, _ value: Value) {
        let isOutermost = tree.gate.acquire()
        defer { if isOutermost { tree.releaseGate() } }
        writeAsHolder(part, value)
    }

    /// Writes a property, of which others have written since it was read: the gate was taken over.
    @usableFromInline
    func writeLate<Value>(_ part: Projection<M.State, Value>, _ value: Value) {
        report(.suspendedWrite(of: name))
        write(part, value)
    }

    /// The same for the holder of the gate.
    @inlinable
    func writeAsHolder<Value>(_ part: Projection<M.State, Value>, _ value: Value) {
        guard let offset = part.offset else { return writeCopy(part.path, value, nil) }
        let bytes = offset..<offset + MemoryLayout<Value>.size
        if touchesSlots(bytes) { return writeCopy(part.path, value, bytes) }
        guard mayWrite else { return }
        // The old value leaves the lock in the same variable, and is released outside of the lock.
        var value = value
        switch exchange(part, &value) {
        case .done: didWrite(bytes, Origin(place: 0), PathPart(part.path))
        case .otherIdentity: writeCopy(part.path, value, bytes)
        case .absent: reportAbsent()
        }
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
    ///   - bytes: The changed bytes; nil if they are not known.
    ///   - path: The property that has changed, for the record; nil if it may be several.
    @inlinable
    func write(
        _ state: M.State, at origin: Origin, _ bytes: Range<Int>? = nil, _ path: PathPart? = nil
    ) {
        let isOutermost = tree.gate.acquire()
        defer { if isOutermost { tree.releaseGate() } }
        guard mayWrite else { return }
        if let isSame = access.rules.isSame, !isSame(self, state) {
            return access.rules.replace(self, state, origin)
        }
        var changes = TreeChanges()
        if !tree.memory.isDrafting { compare(state, bytes, &changes) }
        var (state, result) = (state, WriteResult.absent)
        // Under one lock, so that no reader finds a node without its state.
        tree.make(changes) { root in
            result = exchangeLocked(Projection(\M.State.self), &state, root)
            return result == .done
        }
        switch result {
        case .done: didWrite(bytes, origin, path)
        case .otherIdentity: access.rules.replace(self, state, origin)
        case .absent: reportAbsent()
        }
    }

    /// Reports a write to a state that the running transaction has removed before, or that its container has lost.
    @usableFromInline
    func reportAbsent() {
        let isDrafting = tree.memory.isDrafting
        if isDrafting || !tree.isOver {
            report(isDrafting ? .writeToRemovedState(of: name) : .lostElement(of: name))
        }
    }

    /// Whether a write is possible now; what prevents it is reported.
    @inlinable var mayWrite: Bool {
        if !isActive {
            reportWriteToRemoved()
        } else if tree.isDeriving {
            report(.writeInDerivedProperty(of: name))
        } else {
            if tree.memory.isOverridden, tree.ignoresWrite() { return false }
            return !isSilenced
        }
        return false
    }

    /// A task that was cancelled by the end of its own model may clean up, as by `defer`: that is no misuse.
    @usableFromInline
    func reportWriteToRemoved() {
        if !isSilenced, ModelTask.current?.node !== self { report(.writeToRemovedState(of: name)) }
    }

    /// Exchanges a property and a value, unless an identity would change.
    @inlinable
    func exchange<Value>(_ part: Projection<M.State, Value>, _ value: inout Value) -> WriteResult {
        var result = WriteResult.absent
        return tree.storage.writing { result = exchangeLocked(part, &value, $0) } ? result : .absent
    }

    /// The same for a caller with the lock. In a transaction it can be undone.
    @inlinable
    func exchangeLocked<Value>(
        _ part: Projection<M.State, Value>, _ value: inout Value, _ root: RootPlace
    ) -> WriteResult {
        let result = change(root) { part.change(&$0) { swap(&$0, &value) } }
        if result == .done, tree.memory.isDrafting {
            tree.memory.undo.append(restoring(part, value))
        }
        return result
    }

    /// An action that restores the value of a property, and returns the other one.
    @usableFromInline
    func restoring<Value>(_ part: Projection<M.State, Value>, _ value: Value) -> StateMemory.Undo {
        { [self] root in
            var value = value
            _ = change(root) { part.change(&$0) { swap(&$0, &value) } }
            return value
        }
    }
}
