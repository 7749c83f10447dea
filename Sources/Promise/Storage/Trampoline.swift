/// The pending work of one thread: a list that prevents nested delivery, and a list that prevents recursive release.
///
/// Every promise that is settled, started or attached to is enqueued in the list of the current thread; the outermost
/// such call drains the list, first in, first out, before it returns. Each thread has one trampoline in thread-local
/// storage that no other thread accesses, so it needs no lock. It is a pointer because a class would add reference
/// counting to each access.
@usableFromInline
package struct Trampoline {
    let state: UnsafeMutablePointer<TrampolineState>

    /// Enqueues a task for a storage.
    func add(_ storage: PromiseStorage, _ task: TrampolineState.Task) {
        let reference = Unmanaged.passUnretained(storage)
        if storage.address == state.pointee.queue.transferred {
            state.pointee.queue.transferred = 0
        } else {
            _ = reference.retain()
        }
        let belongsToOtherScheduler = belongsToOtherScheduler
        if belongsToOtherScheduler, let scheduler { state.pointee.queue.schedulers.append(scheduler) }
        state.pointee.queue.list.append(
            .init(storage: reference, task: task, belongsToOtherScheduler: belongsToOtherScheduler))
    }

    /// Fires a handler and consumes the reference to it: it is transferred to the list if firing enqueues the handler,
    /// otherwise released. Returns false if the handler was cancelled.
    func fire(_ handler: Unmanaged<PromiseStorage>, isDelivered: Bool = true) -> Bool {
        handler._withUnsafeGuaranteedRef { storage in
            let (outer, address) = (state.pointee.queue.transferred, storage.address)
            state.pointee.queue.transferred = address
            let hasFired = storage.fire(on: self, isDelivered: isDelivered)
            let isStillOurs = state.pointee.queue.transferred == address
            state.pointee.queue.transferred = outer
            if isStillOurs { handler.release() }
            return hasFired
        }
    }

    @usableFromInline static var current: Trampoline { Trampoline(state: states.current.pointer) }

    private static let states = ThreadLocal { TrampolineState() }

    /// The identity of the thread: unique among the threads that are alive.
    var address: UInt { unsafeBitCast(self, to: UInt.self) }
}

extension Trampoline {
    var isDraining: Bool { state.pointee.queue.isDraining }

    /// From now on, work that is triggered on this thread is enqueued in the list.
    func beginDraining() {
        state.pointee.queue.isDraining = true
        state.pointee.queue.drainScheduler = scheduler.map(ObjectIdentifier.init)
    }

    func endDraining() { state.pointee.queue.isDraining = false }

    /// Whether work that is enqueued now inherits another scheduler than the outermost call.
    var belongsToOtherScheduler: Bool {
        isDraining && scheduler.map(ObjectIdentifier.init) != state.pointee.queue.drainScheduler
    }

    /// The flags of a handler that is attached now: chains that it starts inherit this thread's scheduler, if any.
    @usableFromInline var handlerFlags: PromiseStorage.State {
        scheduler == nil ? .startedAndWaiting : .startedAndWaiting | .hasScheduler
    }

    var scheduler: (any SerialScheduler)? {
        get { state.pointee.scheduler }
        nonmutating set { state.pointee.scheduler = newValue }
    }

    /// Whether the inherited scheduler is the one that a storage has recorded.
    func inheritsScheduler(of storage: PromiseStorage, _ state: PromiseStorage.State) -> Bool {
        guard state.contains(.hasScheduler) else { return false }
        return hasScheduler && UnsafeRawPointer(storage.schedulerSlot).load(as: UInt.self) == schedulerAddress
    }

    /// Whether chains that start on this thread inherit a scheduler.
    var hasScheduler: Bool { schedulerAddress != 0 }

    // To compare, without reference counting.
    private var schedulerAddress: UInt {
        withUnsafePointer(to: &state.pointee.scheduler) { UnsafeRawPointer($0).load(as: UInt.self) }
    }

    /// Drains the list, unless an outer call on this thread is doing so.
    func finish() {
        if !state.pointee.queue.isDraining, state.pointee.queue.list.first != nil { draining(drain) }
    }

    /// Calls `body` with the current trampoline, and then drains the list.
    @inline(__always)
    static func finishing<Result>(_ body: (Trampoline) -> Result) -> Result {
        let trampoline = current
        defer { trampoline.finish() }
        return body(trampoline)
    }

    @inline(__always)
    func draining(_ body: () -> Void) {
        beginDraining()
        body()
        endDraining()
    }

    /// Begins a delivery on the caller's stack; work that is triggered meanwhile is enqueued until ``end()``. Returns
    /// false, without effect, if a delivery is in progress on this thread.
    func begin() -> Bool {
        guard !isDraining else { return false }
        beginDraining()
        return true
    }

    @usableFromInline
    static func begin() -> Bool { current.begin() }

    /// Ends the delivery begun by `begin`, and drains the list.
    @usableFromInline
    static func end() {
        let trampoline = current
        trampoline.endDraining()
        trampoline.finish()
    }

    /// Delivers to the entries that were taken from the waiter list when the promise settled: immediately if this
    /// thread is idle, otherwise after the work that is enqueued before it.
    func deliver(_ storage: PromiseStorage, _ waiters: UInt64) {
        guard !state.pointee.queue.isDraining, state.pointee.queue.list.first == nil else {
            add(storage, .deliver(waiters))
            return finish()
        }
        draining {
            storage.deliver(waiters, on: self)
            drain()
        }
    }

    private func drain() {
        while let entry = state.pointee.queue.list.popFirst() {
            if entry.belongsToOtherScheduler {
                inherit(state.pointee.queue.schedulers.popFirst()) { perform(entry) }
            } else {
                perform(entry)
            }
        }
    }

    private func perform(_ entry: TrampolineState.PendingTask) {
        switch entry.task {
        case .fire(let waiting):
            state.pointee.queue.waiting = waiting
            _ = fire(entry.storage, isDelivered: false)
            state.pointee.queue.waiting = nil
            waiting?.release()
        case .deliver(let waiters):
            entry.storage._withUnsafeGuaranteedRef { $0.deliver(waiters, on: self) }
            entry.storage.release()
        }
    }

    /// Runs `body`, and drains the list only afterwards, even if a release in `body` settles other promises.
    func deferringDelivery(_ body: () -> Void) {
        guard !isDraining else { return body() }
        draining(body)
        finish()
    }

    /// Runs `body` with an empty list of its own, so that all deliveries that `body` triggers are completed when this
    /// returns, even if called during another delivery.
    package static func nested<Result>(_ body: () -> Result) -> Result {
        let trampoline = current
        let outer = trampoline.state.pointee.queue
        trampoline.state.pointee.queue = TrampolineState.Queue()
        defer { trampoline.state.pointee.queue = outer }
        return body()
    }

    /// Runs `body` as work of `scheduler`, which becomes both the running and the inherited one.
    static func run<Result>(on scheduler: any SerialScheduler, _ body: () throws -> Result) rethrows -> Result
    {
        let trampoline = current
        let outer = trampoline.state.pointee.running
        trampoline.state.pointee.running = scheduler
        defer { trampoline.state.pointee.running = outer }
        return try trampoline.inherit(scheduler, body)
    }

    /// Runs `body` on this thread; chains that it starts inherit `scheduler`, unless that is nil.
    func inherit<Result>(_ scheduler: (any SerialScheduler)?, _ body: () throws -> Result) rethrows -> Result
    {
        guard let scheduler, scheduler !== self.scheduler else { return try body() }
        let outer = self.scheduler
        self.scheduler = scheduler
        defer { self.scheduler = outer }
        return try body()
    }

    /// The promise that resolves to the outcome of the work that is being fired, if any.
    var waiting: PromiseStorage? { state.pointee.queue.waiting?.takeUnretainedValue() }

    /// The scheduler whose work is running on the calling thread.
    static var runningScheduler: (any SerialScheduler)? { current.state.pointee.running }
}

/// A scope in which the chains that this thread starts run on `scheduler`. It ends, and restores the previous
/// scheduler, when the value is destroyed.
@usableFromInline
package struct SchedulerScope: ~Copyable {
    private let trampoline: Trampoline
    private let outer: (any SerialScheduler)?

    @usableFromInline
    package init(on scheduler: any SerialScheduler) {
        trampoline = Trampoline.current
        outer = trampoline.scheduler
        trampoline.scheduler = scheduler
    }

    deinit { trampoline.scheduler = outer }

    /// The identity of the thread that entered the scope; unique among the threads that are alive.
    @usableFromInline package var thread: UInt { trampoline.address }

    /// What another module keeps for a thread, so that whoever has the identity of the calling thread need not look it
    /// up; nil before ``setCompanion(_:ownedBy:)``.
    package static func companion(of thread: UInt) -> UnsafeMutableRawPointer? {
        UnsafeMutablePointer<TrampolineState>(bitPattern: thread)?.pointee.companion
    }

    /// Keeps something for the calling thread, as long as that lives.
    package static func setCompanion(_ companion: UnsafeMutableRawPointer, ownedBy owner: AnyObject) {
        let state = Trampoline.current.state
        (state.pointee.companion, state.pointee.companionOwner) = (companion, owner)
    }
}

@available(*, unavailable)
extension SchedulerScope: Sendable {}

/// The state that the library keeps for each thread.
struct TrampolineState {
    /// The pending work of one outermost call.
    struct Queue {
        var list = Deque<PendingTask>()
        var schedulers = Deque<any SerialScheduler>()
        /// Whether an outer call on this thread is draining the list.
        var isDraining = false
        /// The inherited scheduler at the start of the outermost call.
        var drainScheduler: ObjectIdentifier?
        /// The address of the handler that is being fired, as long as the waiter list's reference to it can be
        /// transferred to the trampoline's list; otherwise 0.
        var transferred: UInt64 = 0
        /// The promise that resolves to the outcome of the work that is being fired, if any.
        var waiting: Unmanaged<PromiseStorage>?
    }

    enum Task {
        /// Deliver to the entries that were taken from the storage's waiter list when the promise settled; 0 if they are
        /// still in the list.
        case deliver(UInt64 = 0)
        /// Run the storage's step: its upstream has settled, or its work is to begin. With a promise, retained, that
        /// resolves to the outcome of this work, so that the work must not wait for it.
        case fire(Unmanaged<PromiseStorage>? = nil)
    }

    struct PendingTask {
        /// Retained by the entry.
        let storage: Unmanaged<PromiseStorage>
        let task: Task
        /// Whether chains that it starts inherit the first of `schedulers`, not the scheduler of the outermost call.
        let belongsToOtherScheduler: Bool
    }

    /// What another module keeps for the thread: see ``SchedulerScope/companion(of:)``.
    var companion: UnsafeMutableRawPointer?
    var companionOwner: AnyObject?
    var queue = Queue()
    var deferredReleases: [Trampoline.DeferredRelease] = []
    var isReleasing = false
    /// Whether an outer call on this thread is destroying a user's value.
    var isDestroying = false
    /// The inherited scheduler: chains that are started on this thread run on it.
    var scheduler: (any SerialScheduler)?
    /// The scheduler whose work is running on this thread. It differs from the inherited one: an operator inherits the
    /// scheduler of its chain on any thread that settles it, which need not be a thread of that scheduler.
    var running: (any SerialScheduler)?
    var observer: (any ChainObserver)?
}

@available(*, unavailable)
extension Trampoline: Sendable {}
