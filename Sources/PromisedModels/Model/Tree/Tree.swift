public import PromisedSystem
internal import Synchronization

internal import Promise

/// The models of one store: a tree of nodes over one state, its writers, and pending actions for them.
///
/// The lock of the state, which is that of the system that stores it, protects the fields of nodes under "Locked" as
/// well. The gate excludes writers from each other; the fields under "Gated" are accessed by its holder only, which is
/// why this is unchecked. Of user code, only what finds a state runs under the lock: key paths, case paths, identities,
/// containers. Everything else may run under the gate, which the same code may acquire again.
@usableFromInline
package final class Tree: @unchecked Sendable {
    /// The system that stores the state, without its type.
    @usableFromInline
    struct TreeStorage: Sendable {
        @usableFromInline let memory: StateMemory
        /// Passes the place of the state, to be read, to a closure, under its lock.
        @usableFromInline let reading: @Sendable ((RootPlace) -> Void) -> Void
        /// Passes the place of the override, if there is one; false if not.
        @usableFromInline let readingOverride: @Sendable ((RootPlace) -> Void) -> Bool
        /// The same as ``reading``, to change the state. False after the end.
        @usableFromInline let writing: @Sendable ((RootPlace) -> Void) -> Bool
        /// Discards what others were shown during a transaction, and returns it. Called under the lock.
        @usableFromInline let endTransaction: @Sendable () -> Any?
        /// Returns what notifies the observers of records, after a write for which `needsNotice` was set.
        @usableFromInline let notice: @Sendable (ModelChange, Origin) -> @Sendable () -> Void
        /// Returns what notes an event that is sent; nil if nothing observes.
        @usableFromInline let noticeOfEvent:
            @Sendable (any Sendable, () -> EventPlace) -> (@Sendable () -> Void)?
        /// Who the caller is; nil unless something observes.
        @usableFromInline let cause: @Sendable () -> WriteCause?
        @usableFromInline let perform: @Sendable (@escaping @Sendable () -> Void) -> Void
        @usableFromInline let begin: @Sendable (Effect<ModelChange>, EffectKey, Origin, WriteCause?) -> Void
        @usableFromInline let cancel: @Sendable (EffectKey) -> Void
        @usableFromInline let stop: @Sendable () -> Void

        @inlinable
        init(_ memory: RootMemory<some Sendable>) {
            self.memory = memory
            reading = { memory.reading($0) }
            readingOverride = { memory.readingOverride($0) }
            writing = { memory.writing($0) }
            endTransaction = { memory.committed.take() }
            notice = { memory.notice($0, $1) }
            noticeOfEvent = { memory.system.notice(ofEvent: $0, from: $1) }
            perform = { memory.system.perform($0) }
            cause = { memory.system.cause }
            begin = { memory.system.begin($0, $1, at: $2, by: $3) }
            cancel = { memory.system.cancel($0) }
            stop = { memory.system.stop() }
        }
    }

    @usableFromInline let storage: TreeStorage
    @usableFromInline let gate: Gate
    let scheduler: any SerialScheduler
    @usableFromInline let memory: StateMemory
    @usableFromInline let deliveries = Deliveries()
    private let isEnded = Atomic(false)
    /// Made once, as it is performed often.
    private let delivering: @Sendable () -> Void
    /// Set once, when the store is created.
    weak var lifetime: StoreLifetime?

    /// A node that has been written, and which bytes of its state; nil if that is not known.
    @usableFromInline typealias Write = (node: AnyNode, bytes: Range<Int>?)
    /// A write of a transaction, and the context in which it is to be notified.
    typealias Draft = (write: Write, context: NotificationContext?)

    // MARK: Locked

    /// The slot of the root, which has no parent; nil after the end.
    @exclusivity(unchecked) @usableFromInline var root: AnySlot?

    // MARK: Gated

    /// The nodes some of whose parts are observed, by number.
    @exclusivity(unchecked) @usableFromInline var observed: [Int: AnyNode] = [:]
    /// The streams that have an element for every write, by number.
    @exclusivity(unchecked) @usableFromInline var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    /// Called with every event that is sent; set by a test.
    @exclusivity(unchecked) var eventObserver: (@Sendable (any Sendable, AnyNode) -> Void)?
    /// Called with every preference that is set; set by a test.
    @exclusivity(unchecked) var preferenceObserver: (@Sendable (Any.Type, AnyNode, (any Sendable)?) -> Void)?
    /// The writes of the running transaction.
    @exclusivity(unchecked) var drafted: [Draft] = []
    /// Compares the nodes at the root with the state.
    @exclusivity(unchecked) var compareRoot: ((Tree, inout TreeChanges) -> Void)?
    /// Replaces the state of the store.
    @exclusivity(unchecked) @usableFromInline var replaceRoot: ((any Sendable, Origin) -> Void)?
    /// The last write of the running transaction to the store as a whole.
    @exclusivity(unchecked) var draftedRoot:
        (change: ModelChange, origin: Origin, context: NotificationContext?, place: Int)?
    @exclusivity(unchecked) @usableFromInline var types: [ObjectIdentifier: AnyObject] = [:]
    /// Whether parts are being read for their observers: a write now would be a write in a derived property.
    @exclusivity(unchecked) @usableFromInline var isDeriving = false
    /// Whether a child was added that its type does not declare: then the children of any node may change.
    @exclusivity(unchecked) @usableFromInline var hasLateChildren = false
    /// Whether a model has set a preference.
    @exclusivity(unchecked) var hasPreferences = false
    /// Whether a model has overridden a dependency.
    @exclusivity(unchecked) var hasOverrides = false
    /// Whether the keys of tasks are made of the places of models, so that they are the same on each path that an
    /// exploration takes to a state.
    @exclusivity(unchecked) var namesTasksByPlace = false
    /// The reported problems of the root, which has no node of its own.
    @exclusivity(unchecked) var reported: Set<ModelProblem> = []

    /// The host of its guests or, if it is a guest itself, its own.
    let host: StoreHost
    /// Identifies a guest of the host; nil for the host.
    let guestNumber: Int?
    /// The dependencies of models that do not override them. Changed only at the very end.
    private(set) var dependencies: DependencyValues

    @usableFromInline
    init(
        _ storage: TreeStorage, _ scheduler: any SerialScheduler, _ host: StoreHost, isGuest: Bool,
        _ dependencies: DependencyValues
    ) {
        (self.storage, self.scheduler, self.host) = (storage, scheduler, host)
        (self.dependencies, guestNumber) = (dependencies, isGuest ? host.nextGuest() : nil)
        (memory, gate) = (storage.memory, storage.memory.gate)
        delivering = { [deliveries, memory] in
            guard memory.isOverridden else { return deliveries.perform() }
            StoreAccess.$logic.withValue(ObjectIdentifier(memory)) { deliveries.perform() }
        }
    }

    deinit {
        guard guestNumber == nil else { return }
        // The last ones are those of the host.
        dependencies = DependencyValues()
        host.end { !($0 is any Model.Type) }
    }

    /// Creates the first nodes.
    @usableFromInline
    func begin(_ root: AnySlot, _ compare: (inout TreeChanges) -> Void) {
        gate.withGate {
            self.root = root
            var changes = TreeChanges()
            compare(&changes)
            make(changes)
        }
        flush()
    }

    func nextNumber() -> Int { host.nextNumber() }

    var isOver: Bool { isEnded.load(ordering: .acquiring) }

    /// Makes changes of the tree, and has the new models activated and the removed ones ended. Called with the gate.
    ///
    /// - Parameter write: The write from which they follow, made under the same lock. False if it was not made, and so
    ///   the changes are not to be made either.
    /// - Returns: Whether they were made.
    @usableFromInline @discardableResult
    func make(_ changes: TreeChanges, with write: (RootPlace) -> Bool = { _ in true }) -> Bool {
        var isWritten = false
        let isOpen = storage.writing { root in
            isWritten = write(root)
            if isWritten { changes.apply() }
        }
        guard isOpen, isWritten else { return false }
        if hasPreferences { for node in changes.changed { node.preferencesDidChange() } }
        for node in changes.removed { node.end() }
        for node in changes.added { enqueue { node.activate() } }
        return true
    }

    // MARK: Deliveries

    /// Enqueues an action for the owner of the loop.
    @usableFromInline
    func enqueue(_ action: @escaping @Sendable () -> Void) { deliveries.add(action) }

    /// Enqueues what notifies observers, in a context: in that of the caller, if none is given.
    ///
    /// - Parameter isOfLogic: Whether the observers are a part of the store's logic.
    func enqueueNotification(
        _ notify: @escaping @Sendable () -> Void,
        in context: NotificationContext? = NotificationContext.current, isOfLogic: Bool = false
    ) {
        let isOfReaders = memory.isOverridden && !isOfLogic
        let notify = isOfReaders ? { @Sendable in StoreAccess.asReader(notify) } : notify
        guard let context else { return enqueue(notify) }
        enqueue { context.run(notify) }
    }

    /// Has everything performed that was enqueued: before this returns, if the caller is on the scheduler and nothing
    /// else is running. Called without the gate.
    @inlinable
    func flush() { if deliveries.areWaiting { flushAll() } }

    @usableFromInline
    func flushAll() {
        guard !gate.isHeldByCaller else { return }
        if let guestNumber, host.delays(guestNumber, { [self] in flushAll() }) { return }
        // A stopped loop performs nothing any more.
        TaskRun.leaving { if isOver { deliveries.perform() } else { storage.perform(delivering) } }
    }

    // MARK: Ending

    /// Ends all models. Their last hooks are called on the calling thread, or by the thread that performs something for
    /// the store at this moment.
    func end() {
        guard !isEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // Deliveries of earlier writes are performed on the scheduler, also if another thread ends the store.
        let earlier = scheduler.isCurrent ? [] : deliveries.take()
        if !earlier.isEmpty { scheduler.schedule { for action in earlier { action() } } }
        gate.withGate {
            memory.isOverridden = false
            guard let root else { return }
            rollBack(to: 0)
            var changes = TreeChanges()
            for node in root.children { changes.remove(node) }
            storage.reading { _ in
                changes.apply()
                self.root = nil
            }
            for node in changes.removed { node.end() }
            (compareRoot, replaceRoot) = (nil, nil)
            for watcher in watchers.values { watcher.finish() }
            (observed, types, watchers) = ([:], [:], [:])
        }
        // Behind the hooks, whichever thread performs them.
        enqueue { [storage] in storage.stop() }
        deliveries.perform()
    }
}
