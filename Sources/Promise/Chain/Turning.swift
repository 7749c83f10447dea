/// What a thread keeps between two calls into the library.
struct TurnState {
    enum Task: Sendable {
        /// Deliver what lies in the cell's mailbox.
        case deliver
        /// Let the cell act on the outcome of its upstream, or begin its work.
        case fire
    }

    /// Cells, each counted once, what to do with them, and what their mailboxes held when they were settled.
    var list = FIFO<(cell: Unmanaged<Cell>, task: Task, mail: UInt)>()
    /// Whether a call further out on this thread works the list off.
    var isWorking = false
    /// The handler that is being fired, while the reference to it is there to be handed over.
    var lent: UInt = 0
    /// The cell whose handlers are running.
    var delivery = Delivery()
    var graves: [Turn.Grave] = []
    var isBurying = false
    /// The scheduler whose work is running on this thread: what is started here belongs to it.
    var scheduler: (any SerialScheduler)?
    var isMainThread: Bool?
    /// How many pieces of ``PureWork`` are under way, one inside the other, and what is to be done after them.
    var pureWork = 0
    var pureWorkPlace: UInt64 = 0
    var afterPureWork = FIFO<Action>()
    /// How often work on this thread was meant for a part of a value that had no such part.
    var missedParts = 0
}

extension Turn {
    var isWorking: Bool {
        get { state.isWorking }
        nonmutating set { state.isWorking = newValue }
    }

    var delivery: Delivery {
        get { state.delivery }
        nonmutating _modify { yield &state.delivery }
    }

    var scheduler: (any SerialScheduler)? {
        get { state.scheduler }
        nonmutating set { state.scheduler = newValue }
    }

    /// Works the list off, unless a call further out on this thread is doing so.
    @usableFromInline
    func finish() {
        guard !state.isWorking, !state.list.isEmpty else { return }
        state.isWorking = true
        while performNext() {}
        state.isWorking = false
    }

    /// Begins a delivery right here, if none is going on: what is set off waits for its end.
    func begin() -> Bool {
        guard !isWorking else { return false }
        isWorking = true
        return true
    }

    @usableFromInline
    static func begin() -> Bool { current.begin() }

    /// Ends what `begin` began.
    @usableFromInline
    static func end() {
        let turn = current
        turn.isWorking = false
        turn.finish()
    }

    /// Delivers to those whom the mailbox held when the cell was settled: right here, if nothing on this
    /// thread comes before it.
    func deliver(_ cell: Cell, _ mail: UInt) {
        guard !state.isWorking, state.list.isEmpty else {
            add(cell, .deliver, mail)
            return finish()
        }
        state.isWorking = true
        // The caller keeps the cell meanwhile, so it has to be closed.
        if cell.deliver(mail, on: self), !cell.close() { add(cell, .deliver) }
        while performNext() {}
        state.isWorking = false
    }

    /// Does the first thing on the list; false when there is none.
    private func performNext() -> Bool {
        guard let (cell, task, mail) = state.list.popFirst() else { return false }
        guard task == .deliver else {
            _ = fire(cell)
            return true
        }
        cell._withUnsafeGuaranteedRef { cell in
            guard cell.deliver(mail, on: self) else { return }
            // Where nobody is left who could attach something, and nobody has, there is no need to close it.
            if !(cell.isAlone && cell.isEmpty), !cell.close() { add(cell, .deliver) }
        }
        cell.release()
        return true
    }

    /// Lets go of something without recursing, whatever hangs on it.
    func bury(_ grave: Grave) {
        state.graves.append(grave)
        guard !state.isBurying else { return }
        state.isBurying = true
        // What the end of one grave lets go of comes back here as one more.
        while let next = state.graves.popLast() { release(next) }
        if state.graves.capacity > 1024 { state.graves = [] }
        state.isBurying = false
    }

    /// Runs `body`, and what it adds to the list only afterwards, even if letting go of something in `body`
    /// settles other promises.
    func collecting(_ body: () -> Void) {
        let wasWorking = isWorking
        isWorking = true
        body()
        isWorking = wasWorking
        finish()
    }

    /// Runs `body` with a list of its own, so that what `body` sets off has happened when this returns,
    /// even in the middle of another delivery.
    package static func separate<Result>(_ body: () -> Result) -> Result {
        let turn = current
        let (wasWorking, delivery, list, lent) =
            (turn.isWorking, turn.delivery, turn.state.list, turn.state.lent)
        (turn.isWorking, turn.delivery, turn.state.list, turn.state.lent) = (
            false, delivery.inside(), FIFO(), 0
        )
        defer {
            (turn.isWorking, turn.delivery, turn.state.list, turn.state.lent) =
                (wasWorking, delivery, list, lent)
        }
        return body()
    }

    /// Runs `body` as work of `scheduler`: chains that it starts run there.
    package static func run<Result>(on scheduler: any SerialScheduler, _ body: () throws -> Result) rethrows
        -> Result
    {
        let turn = current
        let outer = turn.scheduler
        turn.scheduler = scheduler
        defer { turn.scheduler = outer }
        return try body()
    }

    /// The scheduler whose work is running on the calling thread.
    package static var currentScheduler: (any SerialScheduler)? { current.scheduler }
}

extension Turn {
    /// As long as the thread lives, no other has the same.
    var address: UInt { unsafeBitCast(self, to: UInt.self) }
}
