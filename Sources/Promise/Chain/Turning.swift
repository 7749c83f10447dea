// The turn of a thread, as the rest of the library uses it.

extension Turn {
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
        let (wasWorking, outer) = (turn.isWorking, turn.delivery)
        (turn.isWorking, turn.delivery) = (false, outer.inside())
        defer { (turn.isWorking, turn.delivery) = (wasWorking, outer) }
        return turn.withListOfItsOwn(body)
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
