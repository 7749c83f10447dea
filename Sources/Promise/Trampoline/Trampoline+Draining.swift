/// What a thread keeps between two calls into the library.
struct TrampolineState {
    enum Task {
        /// Deliver what lies in the cell's mailbox.
        case deliver
        /// Let the cell act on the outcome of its upstream, or begin its work.
        case fire
    }

    struct Entry {
        /// Counted once.
        let storage: Unmanaged<PromiseStorage>
        let task: Task
        /// What its mailbox held when it was settled.
        let waiters: UInt
        /// Whether the chains that it sets off belong to the first of `schedulers`, not to that of the outermost call.
        let belongsToOtherScheduler: Bool
    }

    var list = Deque<Entry>()
    var schedulers = Deque<any SerialScheduler>()
    /// Whether a call further out on this thread works the list off.
    var isDraining = false
    /// The scheduler that this call started with.
    var drainScheduler: ObjectIdentifier?
    /// The handler that is being fired, while the reference to it is there to be handed over.
    var transferred: UInt = 0
    var deferredReleases: [Trampoline.DeferredRelease] = []
    var isReleasing = false
    /// Whether a value of the user's is being destroyed further out on this thread.
    var isDestroying = false
    /// What is started here belongs to this scheduler.
    var scheduler: (any SerialScheduler)?
    /// The scheduler whose work is running on this thread. A chain's operators inherit its scheduler on whatever
    /// thread settles them, which does not make that thread the scheduler's.
    var running: (any SerialScheduler)?
    var isMainThread: Bool?
    /// Whether the handler of ``PromiseDiagnostics`` is running.
    var isReporting = false
    /// How many pieces of ``ReducerScope`` are under way, one inside the other, and what is to be done after them.
    var reducerDepth = 0
    var reducerPlace: UInt64 = 0
    var afterReducer = Deque<Action>()
    /// How often work on this thread was meant for a part of a value that had no such part.
    var missedParts = 0
}

extension Trampoline {
    var isDraining: Bool { state.pointee.isDraining }

    /// From now on what is set off waits on the list.
    func beginDraining() {
        state.pointee.isDraining = true
        state.pointee.drainScheduler = scheduler.map(ObjectIdentifier.init)
    }

    func endDraining() { state.pointee.isDraining = false }

    /// Whether what is set off now belongs to another scheduler than the outermost call does.
    var belongsToOtherScheduler: Bool {
        isDraining && scheduler.map(ObjectIdentifier.init) != state.pointee.drainScheduler
    }

    /// The flags of a handler that is attached now: what it starts belongs to the scheduler that is known here.
    @usableFromInline var handlerFlags: UInt64 {
        scheduler == nil ? Flags.startedAndWaiting : Flags.startedAndWaiting | Flags.hasScheduler
    }

    var scheduler: (any SerialScheduler)? {
        get { state.pointee.scheduler }
        nonmutating set { state.pointee.scheduler = newValue }
    }

    /// Works the list off, unless a call further out on this thread is doing so.
    @usableFromInline
    func finish() {
        guard !state.pointee.isDraining, !state.pointee.list.isEmpty else { return }
        beginDraining()
        drain()
        endDraining()
    }

    /// Begins a delivery right here, if none is going on: what is set off waits for its end.
    func begin() -> Bool {
        guard !isDraining else { return false }
        beginDraining()
        return true
    }

    @usableFromInline
    static func begin() -> Bool { current.begin() }

    /// Ends what `begin` began.
    @usableFromInline
    static func end() {
        let trampoline = current
        trampoline.endDraining()
        trampoline.finish()
    }

    /// Delivers to those whom the mailbox held when the cell was settled: right here, if nothing on this
    /// thread comes before it.
    func deliver(_ storage: PromiseStorage, _ waiters: UInt) {
        guard !state.pointee.isDraining, state.pointee.list.isEmpty else {
            add(storage, .deliver, waiters)
            return finish()
        }
        beginDraining()
        storage.deliver(waiters, on: self)
        drain()
        endDraining()
    }

    private func drain() {
        while let entry = state.pointee.list.popFirst() {
            if entry.belongsToOtherScheduler {
                inherit(state.pointee.schedulers.popFirst()) { perform(entry) }
            } else {
                perform(entry)
            }
        }
    }

    private func perform(_ entry: TrampolineState.Entry) {
        switch entry.task {
        case .fire: _ = fire(entry.storage)
        case .deliver:
            entry.storage._withUnsafeGuaranteedRef { $0.deliver(entry.waiters, on: self) }
            entry.storage.release()
        }
    }

    /// Lets go of something without recursing, whatever hangs on it.
    func deferRelease(_ deferred: DeferredRelease) {
        state.pointee.deferredReleases.append(deferred)
        guard !state.pointee.isReleasing else { return }
        state.pointee.isReleasing = true
        // What the end of one grave lets go of comes back here as one more.
        while let next = state.pointee.deferredReleases.popLast() { release(next) }
        if state.pointee.deferredReleases.capacity > 1024 { state.pointee.deferredReleases = [] }
        state.pointee.isReleasing = false
    }

    /// Destroys a value of the user's without recursing: one that holds a promise, whose value holds a promise…, as a
    /// lazy list does. The end of the outermost runs right here; those inside it are moved out and released later.
    @inlinable
    static func destroy<Value>(_ value: UnsafeMutablePointer<Value>) {
        if _isPOD(Value.self) { return }
        let trampoline = current
        guard trampoline.beginDestroying() else {
            return trampoline.deferRelease(content: Remains.moved(from: value))
        }
        value.deinitialize(count: 1)
        trampoline.endDestroying()
    }

    @usableFromInline
    func beginDestroying() -> Bool {
        guard !state.pointee.isDestroying else { return false }
        state.pointee.isDestroying = true
        return true
    }

    @usableFromInline
    func endDestroying() { state.pointee.isDestroying = false }

    @usableFromInline
    func deferRelease(content: Unmanaged<AnyObject>) { deferRelease(.object(content)) }

    /// A value that was moved out of a cell, to be released later.
    @usableFromInline
    final class Remains<Value> {
        @usableFromInline let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)

        @inlinable
        init(from value: UnsafeMutablePointer<Value>) { place.moveInitialize(from: value, count: 1) }

        // The list has the only reference before it is worked off.
        @inlinable
        static func moved(from value: UnsafeMutablePointer<Value>) -> Unmanaged<AnyObject> {
            .passRetained(Remains(from: value))
        }

        deinit { place.deinitialize(count: 1).deallocate() }
    }

    /// Runs `body`, and what it adds to the list only afterwards, even if letting go of something in `body`
    /// settles other promises.
    func deferringDelivery(_ body: () -> Void) {
        guard !isDraining else { return body() }
        beginDraining()
        body()
        endDraining()
        finish()
    }

    /// Runs `body` with a list of its own, so that what `body` sets off has happened when this returns,
    /// even in the middle of another delivery.
    package static func nested<Result>(_ body: () -> Result) -> Result {
        let state = current.state
        let outer = (
            state.pointee.list, state.pointee.schedulers, state.pointee.isDraining,
            state.pointee.drainScheduler,
            state.pointee.transferred
        )
        (state.pointee.list, state.pointee.schedulers, state.pointee.isDraining, state.pointee.transferred) =
            (
                Deque(), Deque(), false, 0
            )
        defer {
            (
                state.pointee.list, state.pointee.schedulers, state.pointee.isDraining,
                state.pointee.drainScheduler,
                state.pointee.transferred
            ) = outer
        }
        return body()
    }

    /// Runs `body` as work of `scheduler`: chains that it starts run there.
    static func run<Result>(on scheduler: any SerialScheduler, _ body: () throws -> Result) rethrows -> Result
    {
        let trampoline = current
        let outer = trampoline.state.pointee.running
        trampoline.state.pointee.running = scheduler
        defer { trampoline.state.pointee.running = outer }
        return try trampoline.inherit(scheduler, body)
    }

    /// Runs `body`, which may run on any thread: chains that it starts run on `scheduler`, if one is known.
    func inherit<Result>(_ scheduler: (any SerialScheduler)?, _ body: () throws -> Result) rethrows -> Result
    {
        guard let scheduler else { return try body() }
        let outer = self.scheduler
        self.scheduler = scheduler
        defer { self.scheduler = outer }
        return try body()
    }

    /// The scheduler whose work is running on the calling thread.
    static var runningScheduler: (any SerialScheduler)? { current.state.pointee.running }
}

extension Trampoline {
    /// As long as the thread lives, no other has the same.
    var address: UInt { unsafeBitCast(self, to: UInt.self) }
}

@available(*, unavailable)
extension Trampoline.Remains: Sendable {}
