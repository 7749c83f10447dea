/// What a thread keeps between two calls into the library.
struct TurnState {
    enum Task {
        /// Deliver what lies in the cell's mailbox.
        case deliver
        /// Let the cell act on the outcome of its upstream, or begin its work.
        case fire
    }

    struct Entry {
        /// Counted once.
        let cell: Unmanaged<Cell>
        let task: Task
        /// What its mailbox held when it was settled.
        let mail: UInt
        /// Whether the chains that it sets off belong to the first of `schedulers`, not to that of the outermost call.
        let isElsewhere: Bool
    }

    var list = FIFO<Entry>()
    var schedulers = FIFO<any SerialScheduler>()
    /// Whether a call further out on this thread works the list off.
    var isWorking = false
    /// The scheduler that this call started with.
    var schedulerOfWork: ObjectIdentifier?
    /// The handler that is being fired, while the reference to it is there to be handed over.
    var lent: UInt = 0
    var graves: [Turn.Grave] = []
    var isBurying = false
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
    /// How many pieces of ``PureWork`` are under way, one inside the other, and what is to be done after them.
    var pureWork = 0
    var pureWorkPlace: UInt64 = 0
    var afterPureWork = FIFO<Action>()
    /// How often work on this thread was meant for a part of a value that had no such part.
    var missedParts = 0
}

extension Turn {
    var isWorking: Bool { state.pointee.isWorking }

    /// From now on what is set off waits on the list.
    func startWork() {
        state.pointee.isWorking = true
        state.pointee.schedulerOfWork = scheduler.map(ObjectIdentifier.init)
    }

    func stopWork() { state.pointee.isWorking = false }

    /// Whether what is set off now belongs to another scheduler than the outermost call does.
    var isElsewhere: Bool {
        isWorking && scheduler.map(ObjectIdentifier.init) != state.pointee.schedulerOfWork
    }

    /// The flags of a handler that is attached now: what it starts belongs to the scheduler that is known here.
    @usableFromInline var kindOfHandler: UInt64 { scheduler == nil ? Flags.fresh : Flags.fresh | Flags.timed }

    var scheduler: (any SerialScheduler)? {
        get { state.pointee.scheduler }
        nonmutating set { state.pointee.scheduler = newValue }
    }

    /// Works the list off, unless a call further out on this thread is doing so.
    @usableFromInline
    func finish() {
        guard !state.pointee.isWorking, !state.pointee.list.isEmpty else { return }
        startWork()
        workOff()
        stopWork()
    }

    /// Begins a delivery right here, if none is going on: what is set off waits for its end.
    func begin() -> Bool {
        guard !isWorking else { return false }
        startWork()
        return true
    }

    @usableFromInline
    static func begin() -> Bool { current.begin() }

    /// Ends what `begin` began.
    @usableFromInline
    static func end() {
        let turn = current
        turn.stopWork()
        turn.finish()
    }

    /// Delivers to those whom the mailbox held when the cell was settled: right here, if nothing on this
    /// thread comes before it.
    func deliver(_ cell: Cell, _ mail: UInt) {
        guard !state.pointee.isWorking, state.pointee.list.isEmpty else {
            add(cell, .deliver, mail)
            return finish()
        }
        startWork()
        cell.deliver(mail, on: self)
        workOff()
        stopWork()
    }

    private func workOff() {
        while let entry = state.pointee.list.popFirst() {
            if entry.isElsewhere {
                inherit(state.pointee.schedulers.popFirst()) { perform(entry) }
            } else {
                perform(entry)
            }
        }
    }

    private func perform(_ entry: TurnState.Entry) {
        switch entry.task {
        case .fire: _ = fire(entry.cell)
        case .deliver:
            entry.cell._withUnsafeGuaranteedRef { $0.deliver(entry.mail, on: self) }
            entry.cell.release()
        }
    }

    /// Lets go of something without recursing, whatever hangs on it.
    func bury(_ grave: Grave) {
        state.pointee.graves.append(grave)
        guard !state.pointee.isBurying else { return }
        state.pointee.isBurying = true
        // What the end of one grave lets go of comes back here as one more.
        while let next = state.pointee.graves.popLast() { release(next) }
        if state.pointee.graves.capacity > 1024 { state.pointee.graves = [] }
        state.pointee.isBurying = false
    }

    /// Destroys a value of the user's without recursing: one that holds a promise, whose value holds a promise…, as a
    /// lazy list does. The end of the outermost runs right here; those inside it are moved out and released later.
    @inlinable
    static func destroy<Value>(_ value: UnsafeMutablePointer<Value>) {
        if _isPOD(Value.self) { return }
        let turn = current
        guard turn.beginDestroying() else { return turn.bury(content: Remains.moved(from: value)) }
        value.deinitialize(count: 1)
        turn.endDestroying()
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
    func bury(content: Unmanaged<AnyObject>) { bury(.object(content)) }

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
    func collecting(_ body: () -> Void) {
        guard !isWorking else { return body() }
        startWork()
        body()
        stopWork()
        finish()
    }

    /// Runs `body` with a list of its own, so that what `body` sets off has happened when this returns,
    /// even in the middle of another delivery.
    package static func separate<Result>(_ body: () -> Result) -> Result {
        let state = current.state
        let outer = (
            state.pointee.list, state.pointee.schedulers, state.pointee.isWorking,
            state.pointee.schedulerOfWork,
            state.pointee.lent
        )
        (state.pointee.list, state.pointee.schedulers, state.pointee.isWorking, state.pointee.lent) = (
            FIFO(), FIFO(), false, 0
        )
        defer {
            (
                state.pointee.list, state.pointee.schedulers, state.pointee.isWorking,
                state.pointee.schedulerOfWork,
                state.pointee.lent
            ) = outer
        }
        return body()
    }

    /// Runs `body` as work of `scheduler`: chains that it starts run there.
    static func run<Result>(on scheduler: any SerialScheduler, _ body: () throws -> Result) rethrows -> Result
    {
        let turn = current
        let outer = turn.state.pointee.running
        turn.state.pointee.running = scheduler
        defer { turn.state.pointee.running = outer }
        return try turn.inherit(scheduler, body)
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

extension Turn {
    /// As long as the thread lives, no other has the same.
    var address: UInt { unsafeBitCast(self, to: UInt.self) }
}

@available(*, unavailable)
extension Turn.Remains: Sendable {}
