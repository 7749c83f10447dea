internal import Promise
internal import Synchronization

extension Tree {
    /// Runs a closure whose writes are seen together, when it has returned, or not at all if it throws.
    func transaction<Result>(_ node: AnyNode, _ body: () throws -> Result) rethrows -> Result {
        let isOutermost = gate.acquire()
        defer { if isOutermost { releaseGate() } }
        if memory.isDrafting { return try nestedTransaction(node, body) }
        memory.isDrafting = true
        do {
            let result = try body()
            commit()
            return result
        } catch {
            rollBack(to: 0)
            memory.isDrafting = false
            throw error
        }
    }

    /// A transaction in a transaction is a part of it; if it throws, its own writes are undone.
    private func nestedTransaction<Result>(_ node: AnyNode, _ body: () throws -> Result) rethrows -> Result {
        node.report(.nestedTransaction(of: node.name))
        let (done, count, whole) = (memory.undo.count, drafted.count, draftedRoot)
        do {
            return try body()
        } catch {
            rollBack(to: done)
            drafted.removeSubrange(count...)
            draftedRoot = whole
            throw error
        }
    }

    /// Undoes the writes of the running transaction but for the first ones. What they have written is released outside
    /// of the lock.
    func rollBack(to count: Int) {
        if count == 0 { (drafted, draftedRoot) = ([], nil) }
        guard memory.undo.count > count else { return }
        var (undone, written, hidden): ([StateMemory.Undo], [Any], Any?) = ([], [], nil)
        _ = storage.writing { root in
            while memory.undo.count > count { undone.append(memory.undo.removeLast()) }
            for undo in undone { written.append(undo(root)) }
            if count == 0 { hidden = storage.endTransaction() }
        }
        if count == 0 { memory.needsNotice = false }
        _ = (written, hidden)
    }

    /// One write for each node, parents first: a node is compared once.
    private func merged(_ drafts: [Draft]) -> [Write] {
        var byNode: [Int: Write] = [:]
        for (write, _) in drafts {
            let known = byNode[write.node.number]
            let isSame = known == nil || known?.bytes == write.bytes
            byNode[write.node.number] = isSame ? write : (write.node, nil)
        }
        return byNode.values.map { ($0.node.lineage.count, $0) }
            .sorted { ($0.0, $0.1.node.number) < ($1.0, $1.1.node.number) }.map(\.1)
    }

    /// Keeps a write for the end of the transaction.
    @usableFromInline
    func draft(_ write: Write) { drafted.append((write, NotificationContext.current)) }

    private func commit() {
        let (drafts, writes, whole) = (drafted, merged(drafted), draftedRoot)
        (drafted, draftedRoot) = ([], nil)
        var changes = TreeChanges(isOfSeveralWrites: true)
        if whole != nil { compareRoot?(self, &changes) }
        // Parents first: what they have removed is not compared.
        for write in writes where !changes.removed.contains(where: { $0 === write.node }) {
            write.node.compare(write.bytes, &changes)
        }
        memory.isDrafting = false
        // The former values are released outside of the lock.
        var (done, hidden): ([StateMemory.Undo], Any?) = ([], nil)
        let isMade = make(changes) { _ in
            swap(&memory.undo, &done)
            hidden = storage.endTransaction()
            return true
        }
        _ = hidden
        guard isMade else { return }
        if memory.needsNotice, let whole {
            enqueueNotice(whole.change, whole.origin)
        } else if memory.needsNotice, let first = writes.first {
            enqueueNotice(first.node.transactionChange, Origin(place: 0))
        }
        guard isObserved else { return }
        let roots =
            whole.map { whole in (root?.children ?? []).map { Draft(($0, nil), whole.context) } } ?? []
        guard whole?.context != nil || drafts.contains(where: { $0.context != nil }) else {
            return notify(of: roots + writes.map { ($0, nil) })
        }
        let place = whole?.place ?? 0
        notify(of: drafts[..<place] + roots + drafts[place...])
    }
}

extension Model {
    /// Makes several writes, to this model and others of its store, one: other threads and observers see all of them,
    /// when the closure has returned, or none, if it throws.
    ///
    /// In the closure, the state has the new values, but the children are those from before: models that it adds do not
    /// receive events that are sent down in it. A transaction in a transaction is a part of the outer one, and is
    /// reported; if it throws, its own writes are undone. Each property is notified in the ``NotificationContext`` of
    /// its last write.
    ///
    /// Only states are undone: events are sent, tasks begun, and preferences, properties and dependencies set, also if
    /// the closure throws. Writers on other threads wait meanwhile, and readers that begin to observe. So do not write
    /// to a model of another store in it: two such transactions can wait for each other.
    ///
    /// - Parameter body: Writes. Called at once, on the calling thread; an error is rethrown.
    @discardableResult
    public func transaction<Result>(_ body: () throws -> Result) rethrows -> Result {
        try context.node.tree.transaction(context.node, body)
    }
}
